import { edgesOf, fillMask, haloMask } from './glyph-mask.js';
import { type PackedMask, packMask } from './packed-mask.js';
import type { FontGlyph } from './text/font-chain.js';

/** Subpixel positions of a glyph, per column and per row. */
export const subpixelPhases = 4;
/** Angles by which a glyph is turned: between two of them no letter shows a difference. */
export const turns = 128;
/** Memory limit of masks: with a third of it, labels along lines take twice as long. */
const keptBytes = 24 * 1024 * 1024;
/** Estimated bytes of the objects around a mask or a sheet. */
const overhead = 150;

/** Masks of a glyph; undefined for blanks and for glyphs that are too large. */
export interface GlyphMasks {
  readonly fill: PackedMask | undefined;
  readonly halo: PackedMask | undefined;
}

/** Masks at a size (pixels per em) with a halo radius (pixels, 0: none). */
export interface MaskSheet {
  readonly size: number;
  readonly radius: number;
  /** By glyph, turn and phase: recently used masks, and the generation before. */
  recent: Map<number, GlyphMasks>;
  former: Map<number, GlyphMasks>;
}

/**
 * Makes and keeps masks in two generations: when the recent masks take half of the memory limit, the former ones are dropped.
 * Each letter of each label looks up a mask; an LRU list would take ten times as long.
 */
export class MaskStore {
  readonly #sheets = new Map<string, MaskSheet>();
  #recentBytes = 0;

  sheet(size: number, radius: number): MaskSheet {
    const name = `${size} ${radius}`;
    const known = this.#sheets.get(name);
    if (known) return known;
    const sheet = { size, radius, recent: new Map(), former: new Map() };
    this.#sheets.set(name, sheet);
    this.#recentBytes += overhead;
    return sheet;
  }

  /** `phase`: the column within the pixel plus `subpixelPhases` times the row. `turn`: out of `turns`, clockwise. */
  masksOf(sheet: MaskSheet, glyph: FontGlyph, phase: number, turn = 0): GlyphMasks {
    const key = (glyph.id * turns + turn) * subpixelPhases * subpixelPhases + phase;
    return (
      sheet.recent.get(key) ??
      this.#keep(sheet, key, sheet.former.get(key) ?? makeMasks(glyph, sheet, { phase, turn }))
    );
  }

  #keep(sheet: MaskSheet, key: number, masks: GlyphMasks): GlyphMasks {
    sheet.recent.set(key, masks);
    this.#recentBytes += bytesOf(masks.fill) + bytesOf(masks.halo);
    if (this.#recentBytes > keptBytes / 2) this.#age();
    return masks;
  }

  #age(): void {
    this.#recentBytes = 0;
    for (const [name, sheet] of this.#sheets) {
      sheet.former = sheet.recent;
      sheet.recent = new Map();
      if (sheet.former.size === 0) this.#sheets.delete(name);
    }
  }
}

const bytesOf = (mask: PackedMask | undefined): number => overhead + (mask?.pixels.byteLength ?? 0);

function makeMasks(
  { font, glyph }: FontGlyph,
  { size, radius }: Pick<MaskSheet, 'size' | 'radius'>,
  { phase, turn }: { phase: number; turn: number },
): GlyphMasks {
  const at = {
    x: (phase % subpixelPhases) / subpixelPhases,
    y: Math.floor(phase / subpixelPhases) / subpixelPhases,
    angle: (2 * Math.PI * turn) / turns,
  };
  const edges = edgesOf(font.outline(glyph), size, at);
  const fill = fillMask(edges);
  const halo = fill && radius > 0 ? haloMask(edges, fill, radius) : undefined;
  return { fill: fill && packMask(fill), halo: halo && packMask(halo) };
}
