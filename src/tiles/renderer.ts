/** A renderer process: the only file that loads Mapnik. It draws one job at a time and is ended from outside when that takes too long. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { drawHeat } from './heat-renderer.js';
import type { Mapnik, MapnikImage, MapnikMap } from './mapnik.js';
import type { FromRenderer, Pass, RenderJob, ToRenderer } from './messages.js';
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

/** The names of a file's fonts that are new; none of a file that is no font, which is said in the log. */
function addFont(file: string): string[] {
  const before = new Set(mapnik.fonts());
  if (!mapnik.register_fonts(file)) process.stderr.write(`${file} is no font that can be read\n`);
  // A style writes the name between quotes.
  return mapnik.fonts().filter((name) => !before.has(name) && /^[^"'\\\p{C}]{1,100}$/u.test(name));
}

/**
 * Images that were drawn and sent, by width and height, their bytes together: the next of the size takes one. To have 5 MiB for 5 × 4 tiles from the
 * system takes a tenth of the time of a job, and what is not used any more is there until the garbage is collected.
 */
const images = new LRUCache<string, MapnikImage>({ maxSize: 16 * 1024 * 1024 });

/** An empty image, for one drawing alone. */
function takeImage(width: number, height: number): MapnikImage {
  const size = `${width} ${height}`;
  const used = images.get(size);
  images.delete(size);
  used?.clearSync();
  return used ?? new mapnik.Image(width, height);
}

/** After all is done with it, not after an error. */
const giveBack = (image: MapnikImage, width: number, height: number): void =>
  void images.set(`${width} ${height}`, image, { size: 4 * width * height });

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

async function encodeTile(tile: MapnikImage, { size, height = size, format }: RenderJob): Promise<Buffer> {
  const solid = tile.isSolidSync() ? `${tile.getPixel(0, 0)}/${size}/${height}/${format}` : undefined;
  const known = solid && solids.get(solid);
  if (known) return known;
  const bytes = await encode(tile, format);
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
function drawSheet(
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

/** Draws a pass over what is there. */
async function drawAbove(image: MapnikImage, job: RenderJob, pass: Pass): Promise<MapnikImage> {
  const { columns, rows, size, scale, height = size } = job;
  const [width, tall] = [columns * size, rows * height];
  if (pass.kind === 'map') {
    const map = mapOf(pass);
    map.resize(width, tall);
    map.bufferSize = job.bufferSize;
    map.extent = job.extent;
    return render(map, image, scale);
  }
  if (pass.kind === 'specks') {
    await drawChunks(pass, { image, width, height: tall }, (sheet, xml, extent) =>
      drawSheet(sheet, xml, extent, scale),
    );
    return image;
  }
  const source = new mapnik.Datasource(pass.datasource);
  const pixels = drawHeat({ extent: job.extent, width, height: tall }, pass, function* (extent) {
    const features = source.featureset({ extent });
    for (let next = features?.next(); next; next = features!.next()) yield next.attributes();
  });
  image.premultiplySync();
  const drawn = await composite(
    image,
    mapnik.Image.fromBufferSync(width, tall, pixels, { premultiplied: true }),
  );
  drawn.demultiplySync();
  return drawn;
}

async function draw(job: RenderJob): Promise<Uint8Array[]> {
  const { columns, rows, size, scale, height = size } = job;
  const [width, tall] = [columns * size, rows * height];
  const map = mapOf(job);
  map.resize(width, tall);
  map.bufferSize = job.bufferSize;
  map.extent = job.extent;
  const own = takeImage(width, tall);
  let image = await render(map, own, scale);
  for (const pass of job.above ?? []) image = await drawAbove(image, job, pass);
  const places = Array.from(
    { length: columns * rows },
    (_, i) => [i % columns, Math.floor(i / columns)] as const,
  );
  const tiles = await Promise.all(
    places.map(([x, y]) => encodeTile(image.view(x * size, y * height, size, height), job)),
  );
  giveBack(own, width, tall);
  return tiles;
}

/** How long a database may take to start again, ms. */
const patience = 5_000;

/** The wording of the PostgreSQL library for a connection that is lost or cannot be made. */
const lostConnection =
  /connection to server|server closed the connection|terminating connection|connection not open|no connection|could not (?:connect|send|receive)|starting up|shutting down|recovery mode/i;

/** After a restart of the database the connection that rests in Mapnik's pool fails once, and new ones until it runs again. */
async function drawPatiently(job: RenderJob): Promise<Uint8Array[]> {
  const end = Date.now() + patience;
  for (;;) {
    try {
      return await draw(job);
    } catch (error) {
      maps.delete(job.xmlKey);
      if (!lostConnection.test((error as Error).message) || Date.now() > end) throw error;
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
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
answer({ ready: true, fonts: [...ownFonts, ...addedFonts] });
