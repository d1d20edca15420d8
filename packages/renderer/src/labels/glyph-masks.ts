import { edgesOf, fillMask, haloMask } from './glyph-mask.js';
import { type PackedMask, packMask } from './packed-mask.js';
import type { FontGlyph } from './typeset.js';

/** Places in a pixel, by column and row, for which a glyph has masks. */
export const phases = 4;
/** Bytes of masks that are kept. */
const keptBytes = 8 * 1024 * 1024;
/** Bytes of what is around a mask or a sheet. */
const overhead = 150;

/** Pixels of a glyph; undefined for a blank and for one that is too large. */
export interface GlyphMasks {
  readonly fill: PackedMask | undefined;
  readonly halo: PackedMask | undefined;
}

/** The masks of glyphs of a size (pixels of an em) with a halo of a radius (pixels, 0: none). */
export interface MaskSheet {
  readonly size: number;
  readonly radius: number;
  /** By glyph and phase: those used of late, and those before. */
  recent: Map<number, GlyphMasks>;
  former: Map<number, GlyphMasks>;
}

export interface MaskStore {
  sheet(size: number, radius: number): MaskSheet;
  /** `phase`: the column in a pixel and `phases` times the row. */
  masksOf(sheet: MaskSheet, glyph: FontGlyph, phase: number): GlyphMasks;
}

/**
 * Makes masks and keeps them: when those used of late take half of the room, those that were not used since the last time go.
 * Each letter of each label asks for one, which takes a tenth of the time that a list by the order of use would need.
 */
export function createMaskStore(): MaskStore {
  const sheets = new Map<string, MaskSheet>();
  let recentBytes = 0;

  function keep(sheet: MaskSheet, key: number, masks: GlyphMasks): GlyphMasks {
    sheet.recent.set(key, masks);
    recentBytes += bytesOf(masks.fill) + bytesOf(masks.halo);
    if (recentBytes > keptBytes / 2) age();
    return masks;
  }

  function age(): void {
    recentBytes = 0;
    for (const [name, sheet] of sheets) {
      sheet.former = sheet.recent;
      sheet.recent = new Map();
      if (sheet.former.size === 0) sheets.delete(name);
    }
  }

  return {
    sheet(size, radius) {
      const name = `${size} ${radius}`;
      const known = sheets.get(name);
      if (known) return known;
      const sheet = { size, radius, recent: new Map(), former: new Map() };
      sheets.set(name, sheet);
      recentBytes += overhead;
      return sheet;
    },
    masksOf(sheet, glyph, phase) {
      const key = glyph.id * phases * phases + phase;
      return (
        sheet.recent.get(key) ?? keep(sheet, key, sheet.former.get(key) ?? makeMasks(glyph, sheet, phase))
      );
    },
  };
}

const bytesOf = (mask: PackedMask | undefined): number => overhead + (mask?.pixels.byteLength ?? 0);

function makeMasks(
  { font, glyph }: FontGlyph,
  { size, radius }: Pick<MaskSheet, 'size' | 'radius'>,
  phase: number,
): GlyphMasks {
  const at = { x: (phase % phases) / phases, y: Math.floor(phase / phases) / phases };
  const edges = edgesOf(font.outline(glyph), size, at);
  const fill = fillMask(edges);
  const halo = fill && radius > 0 ? haloMask(edges, fill, radius) : undefined;
  return { fill: fill && packMask(fill), halo: halo && packMask(halo) };
}
