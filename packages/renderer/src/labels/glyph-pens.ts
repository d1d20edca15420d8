import { blendMask, type Canvas } from './blend.js';
import { type GlyphMasks, type MaskSheet, type MaskStore, subpixelPhases } from './glyph-masks.js';
import type { Ink } from './ink.js';
import type { FontGlyph } from './text/font-chain.js';

/** The glyphs of one label, collected before they are drawn. It is used again for the next label. */
export class GlyphPens {
  readonly #store: MaskStore;
  readonly #masks: GlyphMasks[] = [];
  readonly #columns: number[] = [];
  readonly #rows: number[] = [];
  #sheet!: MaskSheet;
  #left = 0;
  #top = 0;
  #count = 0;

  constructor(store: MaskStore) {
    this.#store = store;
  }

  /** Begins a label whose pens are relative to a pixel. */
  begin(sheet: MaskSheet, left: number, top: number): void {
    [this.#sheet, this.#left, this.#top, this.#count] = [sheet, left, top, 0];
  }

  /** Adds a glyph with its pen at a place in pixels. `turn`: out of `turns`, clockwise. */
  add(glyph: FontGlyph, x: number, y: number, turn = 0): void {
    // Turned letters have many masks, so that they lie at half pixels only.
    const step = turn === 0 ? 1 : subpixelPhases / 2;
    const column = step * Math.floor((x * subpixelPhases) / step + 0.5);
    const row = step * Math.floor((y * subpixelPhases) / step + 0.5);
    const phase = (column & (subpixelPhases - 1)) + subpixelPhases * (row & (subpixelPhases - 1));
    const i = this.#count++;
    this.#masks[i] = this.#store.masksOf(this.#sheet, glyph, phase, turn);
    this.#columns[i] = this.#left + Math.floor(column / subpixelPhases);
    this.#rows[i] = this.#top + Math.floor(row / subpixelPhases);
  }

  /** Draws all halos before the letters, so that no halo covers a letter. */
  draw(canvas: Canvas, ink: Pick<Ink, 'fill' | 'halo'>): void {
    for (const kind of ['halo', 'fill'] as const)
      for (let i = 0; i < this.#count; i++) {
        const mask = this.#masks[i]![kind];
        if (mask) blendMask(canvas, mask, this.#columns[i]!, this.#rows[i]!, ink[kind]);
      }
  }
}
