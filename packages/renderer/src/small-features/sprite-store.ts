import { LRUCache } from 'lru-cache';
import type { MapnikImage } from '../mapnik.js';
import type { SpriteStyle } from '../messages.js';
import { xmlText } from '../xml-text.js';
import type { SmallFeatureKind } from './chunk.js';
import { type CutSprite, cutSprites, type KeptSprites, type Sprites, withSprites } from './cut-sprites.js';
import { pixelsIn } from './pixels.js';
import {
  featuresToken,
  numbersOf,
  pixelsOfCell,
  spriteSheetOf,
  spritesPerSheet,
  type WantedSprite,
} from './sprites.js';
import { SpritesImpossible } from './sprites-impossible.js';

/**
 * Pixels of one sprite sheet, approximately. Mapnik draws some translucent symbols each on a picture as large as the sheet: 576 of them took
 * 2.7 s on one sheet, 0.12 s on sheets of this size. Others take as long on small sheets as on large ones.
 */
const sheetPixels = 32_000;

interface Amount {
  sprites: number;
  /** Of their cells. */
  pixels: number;
}

/** So many sprites are all drawn at once: Mapnik needs about 0.1 s, and later pictures find them. */
const few: Amount = { sprites: 4_096, pixels: 4_000_000 };
/** Most kinds of features of a layer in one picture: so many stay in the store. */
const mostKinds = 256;
/** Most sprites that are drawn for a layer of one picture: Mapnik needs about a second, and the store keeps about so many pixels. */
const most: Amount = { sprites: 40_000, pixels: 10_000_000 };

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
  /** Marks the sprites that a picture needs: for each kind 1 by number. Where it is absent, all are needed. */
  needed?: () => readonly Uint8Array[];
  /** Whether what does not fit into a cell is cut. */
  mayBeCut?: boolean;
}

type DrawSheet = (sheet: SheetRequest, scale: number) => Promise<MapnikImage>;

/** Draws sprites, and keeps those of recent styles. */
export class SpriteStore {
  readonly #drawSheet: DrawSheet;
  /** By map and kind; 32 MiB. */
  readonly #sprites = new LRUCache<string, KeptSprites>({
    maxSize: 32 * 1024 * 1024,
    sizeCalculation: ({ frames, starts, pixels, drawn }) =>
      frames.byteLength + starts.byteLength + pixels.byteLength + drawn.byteLength + 500,
  });

  /** The reach with which the points of a style fit where it had to grow, by its map. */
  readonly #reaches = new LRUCache<string, number>({ max: 1_000 });

  constructor(drawSheet: DrawSheet) {
    this.#drawSheet = drawSheet;
  }

  /**
   * The sprites of kinds, in their order; missing ones are drawn. Throws `SpritesImpossible`: there are too many, or one does not fit and
   * may not be cut.
   */
  async get(
    style: SpriteStyle,
    kinds: readonly SmallFeatureKind[],
    how: DrawingOptions,
  ): Promise<readonly Sprites[]> {
    if (kinds.length > mostKinds) throw new SpritesImpossible(style.layerId);
    const keys = kinds.map(
      ({ dimension, look }) => `${style.xmlKey} ${style.reach} ${style.pixel} ${dimension} ${look}`,
    );
    const kept = keys.map((key) => this.#sprites.get(key));
    const isWithin = ({ sprites, pixels }: Amount, count: number): boolean =>
      count <= sprites && count * pixelsOfCell(style.reach) <= pixels;
    const missing = missingSprites(kinds, kept, (count) =>
      isWithin(few, count) ? undefined : how.needed?.(),
    );
    if (!isWithin(most, missing.length)) throw new SpritesImpossible(style.layerId);
    const cut = await this.#draw(style, missing, how);
    const byKind = new Map(kinds.map((kind): [SmallFeatureKind, CutSprite[]] => [kind, []]));
    for (const sprite of cut) byKind.get(sprite.kind)!.push(sprite);
    return kinds.map((kind, i) => {
      const further = byKind.get(kind)!;
      if (!further.length && kept[i]) return kept[i];
      const sprites = withSprites(kept[i], further);
      this.#sprites.set(keys[i]!, sprites);
      return sprites;
    });
  }

  /** The sprites of a style that draws all points alike, in cells as large as they need; what is larger than 512 pixels is cut. */
  async pointSprites(style: SpriteStyle, scale: number): Promise<Sprites> {
    const reach = Math.max(style.reach, this.#reaches.get(style.xmlKey) ?? 0);
    try {
      const how = { scale, mayBeCut: reach >= largestReach };
      const [sprites] = await this.get({ ...style, reach }, [anyPoint], how);
      return sprites!;
    } catch (error) {
      if (!(error instanceof SpritesImpossible)) throw error;
      this.#reaches.set(style.xmlKey, Math.min(largestReach, 2 * reach));
      return this.pointSprites(style, scale);
    }
  }

  /** Draws sprites, in their order. */
  async #draw(
    style: SpriteStyle,
    wanted: readonly WantedSprite[],
    { scale, mayBeCut }: DrawingOptions,
  ): Promise<CutSprite[]> {
    const perSheet = spritesPerSheet(sheetPixels, style.reach);
    const drawn: CutSprite[] = [];
    for (let i = 0; i < wanted.length; i += perSheet) {
      const sheet = spriteSheetOf(wanted.slice(i, i + perSheet), style.reach, style.pixel);
      const xml = style.xml.replace(featuresToken, () => xmlText(sheet.features));
      const { width, height } = sheet;
      const extent = [0, 0, width * style.pixel, height * style.pixel];
      const image = await this.#drawSheet({ width, height, xml, extent }, scale);
      image.premultiplySync();
      const cut = cutSprites(sheet, pixelsIn(image.data(), width, height), mayBeCut);
      if (!cut) throw new SpritesImpossible(style.layerId);
      drawn.push(...cut);
    }
    return drawn;
  }
}

/** What is missing: all sprites of the kinds, or those that are marked. `marksOf`: the marks for a number of missing sprites. */
function missingSprites(
  kinds: readonly SmallFeatureKind[],
  kept: readonly (KeptSprites | undefined)[],
  marksOf: (missing: number) => readonly Uint8Array[] | undefined,
): WantedSprite[] {
  const missing = kinds.map(({ dimension }, i) =>
    numbersOf[dimension]!.filter((number) => !kept[i]?.drawn[number]),
  );
  const marks = marksOf(missing.reduce((sum, { length }) => sum + length, 0));
  return missing.flatMap((numbers, i) =>
    numbers.filter((number) => !marks || marks[i]![number]).map((number) => ({ kind: kinds[i]!, number })),
  );
}
