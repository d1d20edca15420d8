import { LRUCache } from 'lru-cache';
import type { MapnikImage } from '../mapnik.js';
import type { SmallFeaturePass } from '../messages.js';
import { xmlText } from '../xml-text.js';
import { decodeChunk, type SmallFeatureKind } from './chunk.js';
import { cutSprites, type Sprites } from './cut-sprites.js';
import { OversizedSymbols } from './oversized.js';
import { drawSmallFeatures } from './picture.js';
import type { Pixels } from './pixels.js';
import { featuresToken, maxSheetPixels, spriteSheetOf } from './sprites.js';

/** Pixels of one sprite sheet, approximately; more kinds need several sheets. */
const sheetPixels = 4_000_000;

/** A Mapnik map of sprites; the extent is in metres of EPSG:3857. */
export interface SheetRequest {
  width: number;
  height: number;
  xml: string;
  extent: number[];
}

type DrawSheet = (sheet: SheetRequest, scale: number) => Promise<MapnikImage>;

/** Draws small features as sprites, and keeps the sprites of recent styles. */
export class SmallFeatureRenderer {
  readonly #drawSheet: DrawSheet;
  /** By map and kind; 16 MiB. */
  readonly #sprites = new LRUCache<string, Sprites>({
    maxSize: 16 * 1024 * 1024,
    sizeCalculation: ({ frames, starts, pixels }) =>
      frames.byteLength + starts.byteLength + pixels.byteLength + 500,
  });

  constructor(drawSheet: DrawSheet) {
    this.#drawSheet = drawSheet;
  }

  /** Draws the chunks of a pass over a picture. Throws `OversizedSymbols`. Chunks come row by row, so all pictures of a level have the same drawing order. */
  async draw(
    pass: SmallFeaturePass,
    picture: { image: MapnikImage; pixels: Uint8Array; width: number; height: number },
    scale: number,
  ): Promise<void> {
    const chunks = pass.chunks.map(({ bytes, ...corner }) => ({ ...decodeChunk(bytes), corner }));
    const keyOf = (kind: SmallFeatureKind): string =>
      `${pass.xmlKey} ${pass.reach} ${pass.pixel} ${kind.dimension} ${kind.look}`;
    const kinds = new Map(chunks.flatMap((chunk) => chunk.kinds.map((kind) => [keyOf(kind), kind] as const)));
    const sprites = await this.#spritesOf(pass, kinds, scale);
    const { image, width, height } = picture;
    image.premultiplySync();
    const pixels = pixelsOf(picture.pixels, width, height);
    drawSmallFeatures(
      pixels,
      pass.ratio,
      chunks.map((chunk) => ({ ...chunk, sprites: chunk.kinds.map((kind) => sprites.get(keyOf(kind))!) })),
    );
    image.demultiplySync();
  }

  /** The sprites of kinds by their keys; missing sprites are drawn. */
  async #spritesOf(
    pass: SmallFeaturePass,
    kinds: ReadonlyMap<string, SmallFeatureKind>,
    scale: number,
  ): Promise<Map<string, Sprites>> {
    const found = new Map([...kinds.keys()].map((key) => [key, this.#sprites.get(key)]));
    const missing = [...kinds].filter(([key]) => !found.get(key));
    const kindsPerSheet = Math.max(1, Math.floor(sheetPixels / maxSheetPixels(pass.reach)));
    for (let i = 0; i < missing.length; i += kindsPerSheet) {
      const batch = missing.slice(i, i + kindsPerSheet);
      const cut = await this.#drawKinds(
        pass,
        batch.map(([, kind]) => kind),
        scale,
      );
      for (const [k, [key]] of batch.entries()) {
        this.#sprites.set(key, cut[k]!);
        found.set(key, cut[k]!);
      }
    }
    return found as Map<string, Sprites>;
  }

  async #drawKinds(
    pass: SmallFeaturePass,
    kinds: readonly SmallFeatureKind[],
    scale: number,
  ): Promise<Sprites[]> {
    const sheet = spriteSheetOf(kinds, pass.reach, pass.pixel);
    const xml = pass.xml.replace(featuresToken, () => xmlText(sheet.features));
    const { width, height } = sheet;
    const image = await this.#drawSheet(
      { width, height, xml, extent: [0, 0, width * pass.pixel, height * pass.pixel] },
      scale,
    );
    image.premultiplySync();
    const sprites = cutSprites(sheet, pixelsOf(image.data(), width, height), kinds.length);
    if (!sprites) throw new OversizedSymbols(pass.layerId);
    return sprites;
  }
}

const pixelsOf = (bytes: Uint8Array, width: number, height: number): Pixels => ({
  words: new Uint32Array(bytes.buffer, bytes.byteOffset, width * height),
  width,
  height,
});
