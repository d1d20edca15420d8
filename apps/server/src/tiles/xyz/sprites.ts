import { type MapLibrePicture, pictureStyle } from '@cartulary/cartocss';
import { ServiceError } from '@cartulary/errors';
import { digestOf } from '@cartulary/runtime';
import { LRUCache } from 'lru-cache';
import sharp, { type OverlayOptions } from 'sharp';
import { swatchJob } from '../icons/swatch.js';
import type { RendererPool } from '../render/pool.js';

/** A sprite sheet (https://maplibre.org/maplibre-style-spec/sprite/). */
export interface Sprite {
  /** Hash of what is in it. */
  key: string;
  /** The places of the pictures, as JSON. */
  index: string;
  png: Uint8Array;
}

/** The pixels of a picture around the point of its symbol. */
interface Cut {
  name: string;
  pixels: Buffer;
  width: number;
  height: number;
}

interface SheetOf {
  pictures: readonly MapLibrePicture[];
  /** Pixels of the sheet per pixel of the style. */
  ratio: number;
}

/** Sides of the square in which a picture is drawn, pixels of the style: most are small. */
const sides = [128, 1_024];
/** Any level: the style of a picture is the same at all. */
const zoom = 10;
/** Width of a sheet, and its largest height, pixels. */
const sheetSide = 4_096;
const sheetWidth = 1_024;
const keptBytes = 16 * 1024 * 1024;

/** Draws the icons of styles as sprite sheets, with the pixels that they have in tiles. */
export class SpriteSheets {
  readonly #renderers: Pick<RendererPool, 'render'>;
  readonly #sheets = new LRUCache<string, Sprite, SheetOf>({
    maxSize: keptBytes,
    sizeCalculation: ({ index, png }) => index.length + png.length,
    fetchMethod: (key, _kept, { context }) => this.#make(key, context),
  });

  constructor(renderers: Pick<RendererPool, 'render'>) {
    this.#renderers = renderers;
  }

  /** The sheet of some pictures at a ratio of its pixels to those of the style. Throws what rendering throws. */
  async sheet(pictures: readonly MapLibrePicture[], ratio: number): Promise<Sprite> {
    const key = digestOf(JSON.stringify([ratio, pictures.map(({ name }) => name).sort()]));
    return this.#sheets.forceFetch(key, { context: { pictures, ratio } });
  }

  async #make(key: string, { pictures, ratio }: SheetOf): Promise<Sprite> {
    const cuts: Cut[] = [];
    // One at a time: a sheet takes one renderer at most.
    for (const picture of pictures) cuts.push(await this.#draw(picture, ratio));
    return { key, ...(await joined(cuts, ratio)) };
  }

  async #draw(picture: MapLibrePicture, ratio: number): Promise<Cut> {
    const swatch = { compiled: pictureStyle(picture), zoom, dimension: 0, properties: {} };
    let drawn: Cut | undefined;
    for (const side of sides) {
      const [png] = await this.#renderers.render(swatchJob(swatch, side * ratio, side));
      drawn = await cutOut(picture.name, png!);
      if (drawn.width < side * ratio && drawn.height < side * ratio) break;
    }
    return drawn!;
  }
}

/** The part of a picture that has colour, as far to one side of the middle as to the other. */
async function cutOut(name: string, png: Uint8Array): Promise<Cut> {
  const raw = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width: side } = raw.info;
  const middle = side / 2;
  let [across, down] = [1, 1];
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      if (raw.data[4 * (y * side + x) + 3] === 0) continue;
      across = Math.max(across, middle - x, x + 1 - middle);
      down = Math.max(down, middle - y, y + 1 - middle);
    }
  const [width, height] = [2 * across, 2 * down];
  const pixels = Buffer.alloc(4 * width * height);
  for (let y = 0; y < height; y++) {
    const start = 4 * ((middle - down + y) * side + middle - across);
    raw.data.copy(pixels, 4 * y * width, start, start + 4 * width);
  }
  return { name, pixels, width, height };
}

/** Puts pictures in rows, the tallest first, a pixel apart. Throws `too_large`. */
async function joined(cuts: readonly Cut[], ratio: number): Promise<Pick<Sprite, 'index' | 'png'>> {
  const width = Math.max(1, sheetWidth, ...cuts.map((cut) => cut.width));
  const index: Record<string, object> = {};
  const layers: OverlayOptions[] = [];
  let [x, y, rowHeight] = [0, 0, 0];
  for (const { name, pixels, ...size } of cuts.toSorted((a, b) => b.height - a.height)) {
    if (x + size.width > width) [x, y, rowHeight] = [0, y + rowHeight + 1, 0];
    index[name] = { x, y, ...size, pixelRatio: ratio };
    layers.push({ input: pixels, raw: { ...size, channels: 4 }, left: x, top: y });
    x += size.width + 1;
    rowHeight = Math.max(rowHeight, size.height);
  }
  const height = Math.max(1, y + rowHeight);
  if (height > sheetSide)
    throw new ServiceError(
      'too_large',
      'The icons of the map are too large for one sheet: choose fewer layers',
    );
  const sheet = sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
  return {
    index: JSON.stringify(index),
    png: new Uint8Array(await sheet.composite(layers).png().toBuffer()),
  };
}
