import { LRUCache } from 'lru-cache';
import type { MapnikImage } from '../mapnik.js';
import type { SpriteStyle } from '../messages.js';
import { xmlText } from '../xml-text.js';
import type { SmallFeatureKind } from './chunk.js';
import { cutSprites, type Sprites } from './cut-sprites.js';
import { OversizedSymbols } from './oversized.js';
import { pixelsIn } from './pixels.js';
import { featuresToken, maxSheetPixels, spriteSheetOf } from './sprites.js';

/** Pixels of one sprite sheet, approximately; more kinds need several sheets. */
const sheetPixels = 4_000_000;

/** A feature that a style draws without looking at its values. */
const anyPoint: SmallFeatureKind = { dimension: 0, properties: {}, look: '' };

/** Reach to which cells grow, pixels: a sheet has 16 cells. */
const largestReach = 256;

/** A Mapnik map of sprites; the extent is in metres of EPSG:3857. */
export interface SheetRequest {
  width: number;
  height: number;
  xml: string;
  extent: number[];
}

interface DrawingOptions {
  scale: number;
  /** Whether what does not fit into a cell is cut. */
  mayBeCut: boolean;
}

type DrawSheet = (sheet: SheetRequest, scale: number) => Promise<MapnikImage>;

/** Draws sprites, and keeps those of recent styles. */
export class SpriteStore {
  readonly #drawSheet: DrawSheet;
  /** By map and kind; 16 MiB. */
  readonly #sprites = new LRUCache<string, Sprites>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ frames, starts, pixels }) =>
      frames.byteLength + starts.byteLength + pixels.byteLength + 500,
  });

  /** The reach with which the points of a style fit where it had to grow, by its map. */
  readonly #reaches = new LRUCache<string, number>({ max: 1_000 });

  constructor(drawSheet: DrawSheet) {
    this.#drawSheet = drawSheet;
  }

  /** The sprites of kinds, in their order; missing ones are drawn. Throws `OversizedSymbols`, unless they may be cut. */
  async get(
    style: SpriteStyle,
    kinds: readonly SmallFeatureKind[],
    scale: number,
    mayBeCut = false,
  ): Promise<Sprites[]> {
    const keys = kinds.map(
      ({ dimension, look }) => `${style.xmlKey} ${style.reach} ${style.pixel} ${dimension} ${look}`,
    );
    const found = new Map(keys.map((key) => [key, this.#sprites.get(key)]));
    const missing = new Map(keys.flatMap((key, i) => (found.get(key) ? [] : [[key, kinds[i]!] as const])));
    for (const [key, sprites] of await this.#draw(style, [...missing], { scale, mayBeCut })) {
      this.#sprites.set(key, sprites);
      found.set(key, sprites);
    }
    return keys.map((key) => found.get(key)!);
  }

  /** The sprites of a style that draws all points alike, in cells as large as they need; what is larger than 512 pixels is cut. */
  async pointSprites(style: SpriteStyle, scale: number): Promise<Sprites> {
    const reach = Math.max(style.reach, this.#reaches.get(style.xmlKey) ?? 0);
    try {
      const [sprites] = await this.get({ ...style, reach }, [anyPoint], scale, reach >= largestReach);
      return sprites!;
    } catch (error) {
      if (!(error instanceof OversizedSymbols)) throw error;
      this.#reaches.set(style.xmlKey, Math.min(largestReach, 2 * reach));
      return this.pointSprites(style, scale);
    }
  }

  async #draw(
    style: SpriteStyle,
    missing: readonly (readonly [key: string, kind: SmallFeatureKind])[],
    how: DrawingOptions,
  ): Promise<(readonly [key: string, sprites: Sprites])[]> {
    const kindsPerSheet = Math.max(1, Math.floor(sheetPixels / maxSheetPixels(style.reach)));
    const drawn: (readonly [string, Sprites])[] = [];
    for (let i = 0; i < missing.length; i += kindsPerSheet) {
      const batch = missing.slice(i, i + kindsPerSheet);
      const sprites = await this.#drawKinds(
        style,
        batch.map(([, kind]) => kind),
        how,
      );
      drawn.push(...batch.map(([key], k) => [key, sprites[k]!] as const));
    }
    return drawn;
  }

  async #drawKinds(
    style: SpriteStyle,
    kinds: readonly SmallFeatureKind[],
    { scale, mayBeCut }: DrawingOptions,
  ): Promise<Sprites[]> {
    const sheet = spriteSheetOf(kinds, style.reach, style.pixel);
    const xml = style.xml.replace(featuresToken, () => xmlText(sheet.features));
    const { width, height } = sheet;
    const image = await this.#drawSheet(
      { width, height, xml, extent: [0, 0, width * style.pixel, height * style.pixel] },
      scale,
    );
    image.premultiplySync();
    const sprites = cutSprites(sheet, pixelsIn(image.data(), width, height), kinds.length, mayBeCut);
    if (!sprites) throw new OversizedSymbols(style.layerId);
    return sprites;
  }
}
