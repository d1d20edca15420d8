import type { Outline } from './glyph-mask.js';

/** How far ink reaches: its sides in em, y downwards; Infinity the wrong way round where there is none. */
export interface Reach {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const nothing = (): Reach => ({ left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity });

/** Of an outline from its pen; control points of curves count too. */
export function reachOf(outline: Outline): Reach {
  const reach = nothing();
  for (let i = 0; i < outline.length; ) {
    const points = outline[i++]! + 1;
    for (const end = i + 2 * points; i < end; i += 2) widen(reach, point, outline[i]!, -outline[i + 1]!);
  }
  return reach;
}

/** Of glyphs whose pens stand there. */
export function reachOfAll(
  glyphs: readonly { reach: Reach }[],
  { xs, ys }: { xs: ArrayLike<number>; ys: ArrayLike<number> },
): Reach {
  const reach = nothing();
  for (let i = 0; i < glyphs.length; i++) widen(reach, glyphs[i]!.reach, xs[i]!, ys[i]!);
  return reach;
}

const point: Readonly<Reach> = { left: 0, top: 0, right: 0, bottom: 0 };

/** Makes it reach as far as something does that is counted from there. */
function widen(reach: Reach, { left, top, right, bottom }: Readonly<Reach>, x: number, y: number): void {
  reach.left = Math.min(reach.left, x + left);
  reach.top = Math.min(reach.top, y + top);
  reach.right = Math.max(reach.right, x + right);
  reach.bottom = Math.max(reach.bottom, y + bottom);
}
