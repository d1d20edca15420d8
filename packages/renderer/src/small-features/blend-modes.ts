import type { Blending } from '@cartulary/cartocss';
import { over } from './pixels.js';

/** A quotient by 255, rounded as Mapnik does. */
const share = (product: number): number => (product + 255) >> 8;

/** The opacity of a pixel above another. */
const union = (source: number, ground: number): number => source + ground - share(source * ground);

/**
 * A channel of a premultiplied pixel above another: `source` and `ground`, and what the opacities of both leave to 255. The formulas of SVG
 * Compositing (W3C 2009) as AGG in Mapnik 4.2 calculates them.
 */
const multiplied = (source: number, ground: number, sourceRest: number, groundRest: number): number =>
  Math.min(255, share(source * (ground + groundRest) + ground * sourceRest));

/** The least or the greatest value of both, where both are opaque. */
function chosen(
  choose: (one: number, other: number) => number,
  [source, ground]: readonly [number, number],
  [sourceRest, groundRest]: readonly [number, number],
): number {
  const covered = choose(source * (255 - groundRest), ground * (255 - sourceRest));
  return Math.min(255, share(covered + source * groundRest + ground * sourceRest));
}

/** Lays `count` premultiplied pixels of a sprite over those of a picture, from an index of each on. Clear ones change nothing. */
export type BlendRow = (
  words: Int32Array,
  at: number,
  sprite: Int32Array,
  from: number,
  count: number,
) => void;

const overRow: BlendRow = (words, at, sprite, from, count) => {
  for (let i = 0; i < count; i++) {
    const above = sprite[from + i]!;
    if (above) words[at + i] = over(above, words[at + i]!);
  }
};

const multiplyRow: BlendRow = (words, at, sprite, from, count) => {
  for (let i = 0; i < count; i++) {
    const above = sprite[from + i]!;
    if (!above) continue;
    const below = words[at + i]!;
    const sourceRest = 255 - (above >>> 24);
    const groundRest = 255 - (below >>> 24);
    words[at + i] =
      multiplied(above & 255, below & 255, sourceRest, groundRest) |
      (multiplied((above >>> 8) & 255, (below >>> 8) & 255, sourceRest, groundRest) << 8) |
      (multiplied((above >>> 16) & 255, (below >>> 16) & 255, sourceRest, groundRest) << 16) |
      (union(above >>> 24, below >>> 24) << 24);
  }
};

const screenRow: BlendRow = (words, at, sprite, from, count) => {
  for (let i = 0; i < count; i++) {
    const above = sprite[from + i]!;
    if (!above) continue;
    const below = words[at + i]!;
    words[at + i] =
      union(above & 255, below & 255) |
      (union((above >>> 8) & 255, (below >>> 8) & 255) << 8) |
      (union((above >>> 16) & 255, (below >>> 16) & 255) << 16) |
      (union(above >>> 24, below >>> 24) << 24);
  }
};

const plusRow: BlendRow = (words, at, sprite, from, count) => {
  for (let i = 0; i < count; i++) {
    const above = sprite[from + i]!;
    if (!above) continue;
    const below = words[at + i]!;
    words[at + i] =
      Math.min(255, (above & 255) + (below & 255)) |
      (Math.min(255, ((above >>> 8) & 255) + ((below >>> 8) & 255)) << 8) |
      (Math.min(255, ((above >>> 16) & 255) + ((below >>> 16) & 255)) << 16) |
      (Math.min(255, (above >>> 24) + (below >>> 24)) << 24);
  }
};

const choosingRow =
  (choose: (one: number, other: number) => number): BlendRow =>
  (words, at, sprite, from, count) => {
    for (let i = 0; i < count; i++) {
      const above = sprite[from + i]!;
      if (!above) continue;
      const below = words[at + i]!;
      const rests = [255 - (above >>> 24), 255 - (below >>> 24)] as const;
      let word = union(above >>> 24, below >>> 24) << 24;
      for (const shift of [0, 8, 16])
        word |= chosen(choose, [(above >>> shift) & 255, (below >>> shift) & 255], rests) << shift;
      words[at + i] = word;
    }
  };

export const blendRows: Readonly<Record<Blending, BlendRow>> = {
  'src-over': overRow,
  multiply: multiplyRow,
  screen: screenRow,
  plus: plusRow,
  darken: choosingRow(Math.min),
  lighten: choosingRow(Math.max),
};
