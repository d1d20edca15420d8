import type { LabelFont } from './label-fonts.js';
import type { Reach } from './reach.js';
import { type FontChoice, hasAll } from './text-runs.js';

/** A glyph of a font. */
export interface FontGlyph {
  /** Number among all glyphs that were set. */
  readonly id: number;
  readonly font: LabelFont;
  readonly glyph: number;
  /** Bounds of its outline relative to its pen. */
  readonly reach: Reach;
}

/** Fonts in the order in which text falls back. */
export interface FontChain extends FontChoice {
  readonly id: number;
}

/** Limit of the clusters whose font a chain remembers. */
const keptClusters = 20_000;

/** The chain of the known fonts, opened on demand. */
export function chainOf(
  faces: readonly string[],
  open: (face: string) => LabelFont | undefined,
  id: number,
): FontChain | undefined {
  let first: LabelFont | undefined;
  for (const face of faces) first ??= open(face);
  if (!first) return undefined;
  const known = new Map<string, LabelFont | undefined>();
  return {
    id,
    first,
    fontOf(cluster) {
      if (!known.has(cluster)) {
        if (known.size >= keptClusters) known.clear();
        known.set(cluster, search(faces, open, cluster));
      }
      return known.get(cluster);
    },
  };
}

function search(
  faces: readonly string[],
  open: (face: string) => LabelFont | undefined,
  cluster: string,
): LabelFont | undefined {
  for (const face of faces) {
    const font = open(face);
    if (font && hasAll(font, cluster)) return font;
  }
  return undefined;
}
