/** A renderer process: the only file that loads Mapnik. It draws one job at a time and is ended from outside when that takes too long. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { leaveSignalsToParent } from '../signals.js';
import { drawHeat } from './heat-renderer.js';
import { createLabelPainter, noPlaces, type TakenPlaces } from './labels/label-picture.js';
import { labelsAround } from './labels/label-renderer.js';
import type { Mapnik, MapnikDatasource, MapnikImage, MapnikMap } from './mapnik.js';
import {
  type FromRenderer,
  type HeatPass,
  type Pass,
  quickPng,
  type RenderJob,
  type ToRenderer,
} from './messages.js';
import { encodePng } from './png/encode.js';
import type { Part, Picture } from './png/filter.js';
import { drawChunks } from './specks/speck-renderer.js';

const mapnik = createRequire(import.meta.url)('@mapnik/mapnik') as Mapnik;
mapnik.Logger.setSeverity(mapnik.Logger.NONE);
mapnik.register_default_fonts();
const ownFonts = mapnik.fonts();
/** Those of the files that we are given, in the order in which they help out. */
const addedFonts = process.argv.slice(2).flatMap(addFont);
// Only these: no style and no query can reach another source.
for (const plugin of ['postgis+pgraster', 'geojson', 'gdal+ogr', 'raster'])
  mapnik.registerDatasource(join(mapnik.settings.paths.input_plugins, `${plugin}.input`));

/** Maps are dear to load (20 ms) and cheap to keep, about as much again as their XML. */
const maps = new LRUCache<string, MapnikMap>({ maxSize: 8 * 1024 * 1024 });

function mapOf({ xml, xmlKey, isOnce }: Pick<RenderJob, 'xml' | 'xmlKey' | 'isOnce'>): MapnikMap {
  const known = isOnce ? undefined : maps.get(xmlKey);
  if (known) return known;
  const map = new mapnik.Map(256, 256);
  map.fromStringSync(xml, { strict: true });
  if (!isOnce) maps.set(xmlKey, map, { size: xml.length + 20_000 });
  return map;
}

/** Sources of what we draw ourselves, by their tables; to make one asks the database for its columns. */
const sources = new LRUCache<string, MapnikDatasource>({ max: 200 });

function sourceOf(datasource: HeatPass['datasource']): MapnikDatasource {
  const table = String(datasource.table);
  const known = sources.get(table) ?? new mapnik.Datasource(datasource);
  sources.set(table, known);
  return known;
}

/** The rows of a source in an extent of its own. */
function* rowsOf(datasource: HeatPass['datasource'], extent: number[]): Generator<Record<string, unknown>> {
  const features = sourceOf(datasource).featureset({ extent });
  for (let next = features?.next(); next; next = features!.next()) yield next.attributes();
}

const fontFiles = mapnik.fontFiles();
const labels = createLabelPainter((face) => fontFiles[face]);

/** The names of a file's fonts that are new; none of a file that is no font, which is said in the log. */
function addFont(file: string): string[] {
  const before = new Set(mapnik.fonts());
  if (!mapnik.register_fonts(file)) process.stderr.write(`${file} is no font that can be read\n`);
  // A style writes the name between quotes.
  return mapnik.fonts().filter((name) => !before.has(name) && /^[^"'\\\p{C}]{1,100}$/u.test(name));
}

/** An image and its pixels, of which we have asked once: each time V8 takes them for new memory, and soon collects garbage for it. */
interface Sheet extends Picture {
  image: MapnikImage;
  /** RGBA: the bytes of its words. */
  pixels: Uint8Array;
  height: number;
}

/**
 * Sheets that were drawn and sent, by width and height, their bytes together: the next of the size takes one. To have 5 MiB for 5 × 4 tiles from the
 * system takes a tenth of the time of a job, and what is not used any more is there until the garbage is collected.
 */
const sheets = new LRUCache<string, Sheet>({
  maxSize: 16 * 1024 * 1024,
  sizeCalculation: ({ pixels }) => pixels.length,
});

/** A sheet for one drawing alone; `isCovered`: it need not be empty. */
function takeSheet(width: number, height: number, isCovered: boolean): Sheet {
  const size = `${width} ${height}`;
  const used = sheets.get(size);
  sheets.delete(size);
  if (!isCovered) used?.image.clearSync();
  return used ?? newSheet(width, height);
}

function newSheet(width: number, height: number): Sheet {
  const image = new mapnik.Image(width, height);
  const pixels = image.buffer();
  const words = new Int32Array(pixels.buffer, pixels.byteOffset, width * height);
  return { image, pixels, words, width, height };
}

/** After all is done with it, not after an error. */
const giveBack = (sheet: Sheet): void => void sheets.set(`${sheet.width} ${sheet.height}`, sheet);

/** Draws a map over what is on an image. */
const render = (map: MapnikMap, image: MapnikImage, scale: number): Promise<MapnikImage> =>
  new Promise((resolve, reject) =>
    map.render(image, { scale }, (error, drawn) => (error ? reject(error) : resolve(drawn))),
  );

const encode = (image: MapnikImage, format: string): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    image.encode(format, (error, bytes) => (error ? reject(error) : resolve(bytes))),
  );

/** Tiles of one colour, by colour, size and format: a quarter of a map is sea. */
const solids = new LRUCache<string, Buffer>({ max: 100 });

/** The colour of a part that has but one, as a word. Mapnik's own test asks for the width of the picture at each pixel: 5 % of a renderer's time. */
function solidColor({ words, width: stride }: Picture, { x, y, width, height }: Part): number | undefined {
  const first = words[y * stride + x]!;
  for (let row = y; row < y + height; row++) {
    const end = row * stride + x + width;
    for (let i = end - width; i < end; i++) if (words[i] !== first) return undefined;
  }
  return first;
}

async function encodePart(sheet: Sheet, part: Part, format: string): Promise<Buffer> {
  const color = solidColor(sheet, part);
  const solid = color === undefined ? undefined : `${color}/${part.width}/${part.height}/${format}`;
  const known = solid && solids.get(solid);
  if (known) return known;
  const ours = format === quickPng ? encodePng(sheet, part) : undefined;
  const { x, y, width, height } = part;
  const bytes = ours ?? (await encode(sheet.image.view(x, y, width, height), format));
  if (solid) solids.set(solid, bytes);
  return bytes;
}

const composite = (below: MapnikImage, above: MapnikImage): Promise<MapnikImage> =>
  new Promise((resolve, reject) =>
    below.composite(above, { comp_op: mapnik.compositeOp.src_over }, (error, image) =>
      error ? reject(error) : resolve(image),
    ),
  );

/** A picture of its own, of a map that is drawn once. */
function drawStamps(
  { width, height }: { width: number; height: number },
  xml: string,
  extent: number[],
  scale: number,
): Promise<MapnikImage> {
  const map = new mapnik.Map(width, height);
  map.fromStringSync(xml, { strict: true });
  map.extent = extent;
  return render(map, new mapnik.Image(width, height), scale);
}

/** Draws a map of the place of a job over what is on its sheet. */
async function drawMap(
  { image, width, height }: Sheet,
  { bufferSize, extent, scale }: RenderJob,
  map: MapnikMap,
): Promise<void> {
  map.resize(width, height);
  map.bufferSize = bufferSize;
  map.extent = extent;
  await render(map, image, scale);
}

/** Draws a pass over what is there. */
async function drawAbove(sheet: Sheet, job: RenderJob, pass: Pass, taken: TakenPlaces): Promise<void> {
  const { scale, extent } = job;
  const { image, width, height } = sheet;
  if (pass.kind === 'map') return drawMap(sheet, job, mapOf(pass));
  if (pass.kind === 'specks')
    return drawChunks(pass, sheet, (size, xml, of) => drawStamps(size, xml, of, scale));
  const read = (box: number[]) => rowsOf(pass.datasource, box);
  if (pass.kind === 'labels')
    return labels.paint(sheet, labelsAround(job, pass, width, read), pass.looks, { scale, taken });
  const pixels = drawHeat({ extent, width, height }, pass, read);
  image.premultiplySync();
  await composite(image, mapnik.Image.fromBufferSync(width, height, pixels, { premultiplied: true }));
  image.demultiplySync();
}

async function draw(job: RenderJob): Promise<Uint8Array[]> {
  const { columns, rows, size: width, height = width, format } = job;
  const map = mapOf(job);
  const sheet = takeSheet(columns * width, rows * height, map.background?.a === 255);
  await drawMap(sheet, job, map);
  const taken = noPlaces();
  for (const pass of job.above ?? []) await drawAbove(sheet, job, pass, taken);
  const parts = Array.from({ length: columns * rows }, (_, i): Part => {
    const [x, y] = [(i % columns) * width, Math.floor(i / columns) * height];
    return { x, y, width, height };
  });
  const tiles = await Promise.all(parts.map((part) => encodePart(sheet, part, format)));
  giveBack(sheet);
  return tiles;
}

/** How long a database may take to start again, ms. */
const patience = 5_000;

/** The wording of the PostgreSQL library for a connection that is lost or cannot be made. */
const lostConnection =
  /connection to server|server closed the connection|terminating connection|connection not open|no connection|could not (?:connect|send|receive)|starting up|shutting down|recovery mode/i;

/** What the embedded database says of a statement that must not be repeated. */
const endsDatabase = /has ended the database/;

/** After a restart of the database the connection that rests in Mapnik's pool fails once, and new ones until it runs again. */
async function drawPatiently(job: RenderJob): Promise<Uint8Array[]> {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await draw(job);
    } catch (error) {
      maps.delete(job.xmlKey);
      sources.clear();
      const { message } = error as Error;
      if (!lostConnection.test(message) || endsDatabase.test(message) || Date.now() > end) throw error;
      await sleep(100);
    }
  }
}

const answer = (message: FromRenderer): void => void process.send!(message);

process.on('message', async ({ id, job }: ToRenderer) => {
  try {
    const tiles = await drawPatiently(job);
    answer({ id, tiles, memory: process.memoryUsage.rss() });
  } catch (error) {
    answer({ id, error: String((error as Error).message), memory: process.memoryUsage.rss() });
  }
});
// Not process.exit, which would wait for a drawing that may never end.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
leaveSignalsToParent();
answer({ ready: true, fonts: [...ownFonts, ...addedFonts] });
