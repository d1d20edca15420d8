import { knownFonts, withFallbacks } from '@cartulary/cartocss';
import { ServiceError } from '@cartulary/errors';
import type { GlyphRange } from '@cartulary/renderer';
import { LRUCache } from 'lru-cache';
import type { RendererPool } from '../render/pool.js';

const rangeLength = 256;
/** The last character of the ranges that clients ask for. */
const lastCharacter = 65_535;
const keptBytes = 16 * 1024 * 1024;
/** Limit of the fonts in an address. */
const maxFonts = 4;

/** The glyphs of the renderers' fonts in ranges of 256 characters. */
export class GlyphRanges {
  readonly #ranges: LRUCache<string, Uint8Array, GlyphRange>;

  constructor(renderers: Pick<RendererPool, 'glyphs'>) {
    this.#ranges = new LRUCache({
      maxSize: keptBytes,
      sizeCalculation: (bytes) => bytes.length,
      fetchMethod: (_key, _kept, { context }) => renderers.glyphs(context),
    });
  }

  /**
   * A range such as `0-255` of fonts by name, with commas between them; characters that they lack come from the fonts that
   * complete labels in tiles. Throws 404 for an unknown font or range.
   */
  async range(name: string, range: string): Promise<Uint8Array> {
    const fonts = name.split(',').map((font) => font.trim());
    const known = new Set(knownFonts());
    const first = Number(range.split('-')[0]);
    const isRange =
      first % rangeLength === 0 && first < lastCharacter && range === `${first}-${first + rangeLength - 1}`;
    if (!isRange || fonts.length > maxFonts || !fonts.every((font) => known.has(font)))
      throw new ServiceError('file_not_found', 'There are no such glyphs: the font or the range is unknown', {
        fonts: [...known],
      });
    const faces = withFallbacks(fonts, [...known]);
    const key = JSON.stringify([name, faces, first]);
    return this.#ranges.forceFetch(key, { context: { name, faces, first } });
  }
}
