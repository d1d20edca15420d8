import { LRUCache } from 'lru-cache';
import { blendLayer } from './blend-layer.js';
import { drawHeat } from './heat-renderer.js';
import { LabelPainter, noPlaces, type TakenPlaces } from './labels/label-picture.js';
import { labelsAround } from './labels/label-renderer.js';
import type { Mapnik, MapnikDatasource, MapnikImage, MapnikMap } from './mapnik.js';
import type { GlyphRange, HeatPass, LabelPass, Pass, RenderJob } from './messages.js';
import { type Sheet, SheetPool } from './sheet-pool.js';
import type { Sprites } from './small-features/cut-sprites.js';
import { drawSmallFeaturePass } from './small-features/small-feature-pass.js';
import { type SheetRequest, SpriteStore } from './small-features/sprite-store.js';
import { pngFormat } from './tile-png.js';

/** Draws jobs: a Mapnik map, the passes above it, and the PNGs of its tiles. */
export class MapRenderer {
  readonly #mapnik: Mapnik;
  /** A map takes 20 ms to load, and about as much memory again as its XML. */
  readonly #maps = new LRUCache<string, LoadedMap>({ maxSize: 8 * 1024 * 1024 });
  /** Sources of passes by table. A new source asks the database for its columns. */
  readonly #sources = new LRUCache<string, MapnikDatasource>({ max: 200 });
  readonly #sheets: SheetPool;
  readonly #labels: LabelPainter;
  readonly #sprites: SpriteStore;

  constructor(mapnik: Mapnik) {
    this.#mapnik = mapnik;
    this.#sheets = new SheetPool(mapnik);
    const fontFiles = mapnik.fontFiles();
    this.#labels = new LabelPainter((face) => fontFiles[face]);
    this.#sprites = new SpriteStore((sheet, scale) => this.#drawSpriteSheet(sheet, scale));
  }

  /** Draws a job: its tiles as PNG, row by row from the north-west. */
  async draw(asked: RenderJob): Promise<Uint8Array[]> {
    const { columns, rows, size: width, height = width, format } = asked;
    const whole = { width: Math.max(leastSide, columns * width), height: Math.max(leastSide, rows * height) };
    const job = { ...asked, extent: extentOf(asked, whole) };
    const loaded = this.#mapOf(job);
    const sheet = this.#sheets.take(whole.width, whole.height, loaded.map.background?.a === 255);
    await drawMap(sheet, job, loaded);
    await this.#drawPasses(sheet, job);
    const tiles = await Promise.all(
      Array.from({ length: columns * rows }, (_, i) => {
        const [x, y] = [(i % columns) * width, Math.floor(i / columns) * height];
        const box = { words: sheet.words, stride: sheet.width, x, y, width, height };
        return encode(sheet.image.view(x, y, width, height), pngFormat(format, box));
      }),
    );
    this.#sheets.giveBack(sheet);
    return tiles;
  }

  /** The encoded glyphs of a range. */
  readonly glyphs = (range: GlyphRange): Uint8Array => this.#labels.glyphs(range);

  /** Drops the map of a job and all sources, whose connections may be lost. */
  forget({ xmlKey }: Pick<RenderJob, 'xmlKey'>): void {
    this.#maps.delete(xmlKey);
    this.#sources.clear();
  }

  #mapOf({ xml, xmlKey, isOnce }: Pick<RenderJob, 'xml' | 'xmlKey' | 'isOnce'>): LoadedMap {
    const known = isOnce ? undefined : this.#maps.get(xmlKey);
    if (known) return known;
    const map = new this.#mapnik.Map(256, 256);
    map.fromStringSync(xml, { strict: true });
    const loaded = { map, uncovers: mayUncover(xml) };
    if (!isOnce) this.#maps.set(xmlKey, loaded, { size: xml.length + 20_000 });
    return loaded;
  }

  #sourceOf(datasource: HeatPass['datasource']): MapnikDatasource {
    const table = String(datasource.table);
    const known = this.#sources.get(table) ?? new this.#mapnik.Datasource(datasource);
    this.#sources.set(table, known);
    return known;
  }

  /** The rows of a source in an extent in degrees. */
  *#rowsOf(datasource: HeatPass['datasource'], extent: number[]): Generator<Record<string, unknown>> {
    const features = this.#sourceOf(datasource).featureset({ extent });
    for (let next = features?.next(); next; next = features!.next()) yield next.attributes();
  }

  /** Draws the passes of a job over its sheet, and layers that are laid over as a whole on sheets of their own. */
  async #drawPasses(whole: Sheet, job: RenderJob): Promise<void> {
    const taken = noPlaces();
    let sheet = whole;
    for (const pass of job.above ?? []) {
      if (pass.kind === 'begin-layer') sheet = this.#sheets.take(whole.width, whole.height, false);
      else if (pass.kind === 'end-layer') {
        blendLayer(whole, sheet, pass);
        this.#sheets.giveBack(sheet);
        sheet = whole;
      } else await this.#drawPass(sheet, job, pass, taken);
    }
  }

  /** Draws a pass over the sheet. */
  async #drawPass(sheet: Sheet, job: RenderJob, pass: DrawingPass, taken: TakenPlaces): Promise<void> {
    const { scale, extent } = job;
    const { image, width, height } = sheet;
    // Of a job that comes once, all maps do.
    if (pass.kind === 'map')
      return drawMap(sheet, job, this.#mapOf({ ...pass, isOnce: pass.isOnce || job.isOnce === true }));
    sheet.isBlank = false;
    if (pass.kind === 'small-features') return drawSmallFeaturePass(pass, sheet, scale, this.#sprites);
    if (pass.kind === 'labels') {
      const labels = labelsAround(job, pass, width, (datasource, box) => this.#rowsOf(datasource, box));
      const around = Math.max(pass.around.x, pass.around.y) * scale;
      const sprites = await this.#markerSprites(pass, scale);
      return this.#labels.paint(sheet, labels, pass.kinds, { scale, taken, around, sprites });
    }
    const read = (box: number[]) => this.#rowsOf(pass.datasource, box);
    const pixels = drawHeat({ extent, width, height }, pass, read);
    image.premultiplySync();
    await this.#composite(
      image,
      this.#mapnik.Image.fromBufferSync(width, height, pixels, { premultiplied: true }),
    );
    image.demultiplySync();
  }

  /** The sprites of the markers of a pass, by the indices of their kinds. */
  #markerSprites({ kinds }: LabelPass, scale: number): Promise<(Sprites | undefined)[]> {
    return Promise.all(
      kinds.map(({ claim }) => claim?.sprites && this.#sprites.pointSprites(claim.sprites, scale)),
    );
  }

  #composite(below: MapnikImage, above: MapnikImage): Promise<MapnikImage> {
    const { src_over } = this.#mapnik.compositeOp;
    return new Promise((resolve, reject) =>
      below.composite(above, { comp_op: src_over }, (error, image) =>
        error ? reject(error) : resolve(image),
      ),
    );
  }

  /** Draws a map that is used once on an image of its own. */
  #drawSpriteSheet({ width, height, xml, extent }: SheetRequest, scale: number): Promise<MapnikImage> {
    const map = new this.#mapnik.Map(width, height);
    map.fromStringSync(xml, { strict: true });
    map.extent = extent;
    return render(map, new this.#mapnik.Image(width, height), { scale });
  }
}

/** Pixels. Mapnik does not take smaller sides for a map: it draws in the size of the map before. A smaller picture is cut out of a larger one. */
const leastSide = 16;

/** The extent of a sheet whose north-western part is the picture of a job. */
function extentOf(
  { extent, columns, rows, size, height = size }: RenderJob,
  whole: { width: number; height: number },
): RenderJob['extent'] {
  const [west, south, east, north] = extent;
  const [wider, higher] = [whole.width / (columns * size), whole.height / (rows * height)];
  return [
    west,
    higher === 1 ? south : north - (north - south) * higher,
    wider === 1 ? east : west + (east - west) * wider,
    north,
  ];
}

interface LoadedMap {
  map: MapnikMap;
  /** Whether it may make pixels of an opaque picture translucent. */
  uncovers: boolean;
}

/** Operations of compositing after which an opaque pixel is still opaque, whatever is drawn. */
const covering = new Set(
  'src-over dst dst-over src-atop plus minus multiply divide screen overlay darken lighten color-dodge color-burn linear-dodge linear-burn hard-light soft-light difference exclusion contrast invert invert-rgb grain-merge hue saturation color value'.split(
    ' ',
  ),
);

/** Whether the XML of a map names another operation, an expression for one, or filters of what lies below. */
const mayUncover = (xml: string): boolean =>
  xml.includes(' direct-image-filters=') ||
  Array.from(xml.matchAll(/ comp-op="([^"]*)"/g), ([, operation]) => operation!).some(
    (operation) => !covering.has(operation),
  );

type DrawingPass = Exclude<Pass, { kind: 'begin-layer' | 'end-layer' }>;

interface RenderOptions {
  scale: number;
  /** 0: that of the extent. */
  scaleDenominator?: number | undefined;
  bufferSize?: number;
}

/**
 * Draws a map over an image. The buffer of the map decides which objects are read, that of the rendering where symbols keep
 * off each other: without it labels outside of the image would claim no room, and neighbouring images would place others.
 */
const render = (
  map: MapnikMap,
  image: MapnikImage,
  { scale, scaleDenominator = 0, bufferSize = 0 }: RenderOptions,
): Promise<MapnikImage> =>
  new Promise((resolve, reject) =>
    map.render(
      image,
      { scale, scale_denominator: scaleDenominator, buffer_size: bufferSize },
      (error, drawn) => (error ? reject(error) : resolve(drawn)),
    ),
  );

/** Draws a map in the extent of a job over its sheet. */
async function drawMap(
  sheet: Sheet,
  { bufferSize, extent, scale, scaleDenominator }: RenderJob,
  { map, uncovers }: LoadedMap,
): Promise<void> {
  const { image, width, height } = sheet;
  // Mapnik takes the colours that are there for premultiplied ones.
  if (!sheet.isCovered && !sheet.isBlank) image.premultiplySync();
  sheet.isBlank = false;
  map.resize(width, height);
  map.bufferSize = bufferSize;
  map.extent = extent;
  await render(map, image, { scale, scaleDenominator, bufferSize });
  if (uncovers) sheet.isCovered = false;
}

const encode = (image: MapnikImage, format: string): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    image.encode(format, (error, bytes) => (error ? reject(error) : resolve(bytes))),
  );
