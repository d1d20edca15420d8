import type { Outline } from '../glyph-mask.js';

/** Bounds of ink in em, y downwards; inverted infinities when there is no ink. */
export interface Reach {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const nothing = (): Reach => ({ left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity });

/** Bounds of an outline relative to its pen, including control points of curves. */
export function outlineReach(outline: Outline): Reach {
  const reach = nothing();
  for (let i = 0; i < outline.length; ) {
    const points = outline[i++]! + 1;
    for (const end = i + 2 * points; i < end; i += 2) widen(reach, point, outline[i]!, -outline[i + 1]!);
  }
  return reach;
}

/** Bounds of glyphs at pen positions. */
export function reachOfAll(
  glyphs: readonly { reach: Reach }[],
  { xs, ys }: { xs: ArrayLike<number>; ys: ArrayLike<number> },
): Reach {
  const reach = nothing();
  for (let i = 0; i < glyphs.length; i++) widen(reach, glyphs[i]!.reach, xs[i]!, ys[i]!);
  return reach;
}

const point: Readonly<Reach> = { left: 0, top: 0, right: 0, bottom: 0 };

/** Widens bounds by another bounds at an offset. */
function widen(reach: Reach, { left, top, right, bottom }: Readonly<Reach>, x: number, y: number): void {
  reach.left = Math.min(reach.left, x + left);
  reach.top = Math.min(reach.top, y + top);
  reach.right = Math.max(reach.right, x + right);
  reach.bottom = Math.max(reach.bottom, y + bottom);
}
