/** A renderer process: the only file that loads Mapnik. It draws one job at a time and is ended from outside when that takes too long. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { FromRenderer, RenderJob, ToRenderer } from './messages.js';

interface MapnikImage {
  encode(format: string, done: (error: Error | null, bytes: Buffer) => void): void;
  view(x: number, y: number, width: number, height: number): MapnikImage;
}
interface MapnikMap {
  extent: number[];
  resize(width: number, height: number): void;
  fromStringSync(xml: string, options: { strict: boolean }): void;
  render(
    image: MapnikImage,
    options: { scale: number },
    done: (error: Error | null, image: MapnikImage) => void,
  ): void;
}
interface Mapnik {
  Map: new (width: number, height: number) => MapnikMap;
  Image: new (width: number, height: number) => MapnikImage;
  Logger: { setSeverity(level: number): void; NONE: number };
  settings: { paths: { input_plugins: string } };
  register_default_fonts(): void;
  registerDatasource(path: string): void;
}

const mapnik = createRequire(import.meta.url)('@mapnik/mapnik') as Mapnik;
mapnik.Logger.setSeverity(mapnik.Logger.NONE);
mapnik.register_default_fonts();
// Only these two: no style and no query can reach another source.
for (const plugin of ['postgis+pgraster', 'geojson'])
  mapnik.registerDatasource(join(mapnik.settings.paths.input_plugins, `${plugin}.input`));

/** Maps are dear to load (20 ms) and cheap to keep (20 kB). */
const maps = new LRUCache<string, MapnikMap>({ max: 200 });

function mapOf({ xml, xmlKey }: RenderJob): MapnikMap {
  const known = maps.get(xmlKey);
  if (known) return known;
  const map = new mapnik.Map(256, 256);
  map.fromStringSync(xml, { strict: true });
  maps.set(xmlKey, map);
  return map;
}

const encode = (image: MapnikImage, format: string): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    image.encode(format, (error, bytes) => (error ? reject(error) : resolve(bytes))),
  );

async function draw(job: RenderJob): Promise<Uint8Array[]> {
  const { columns, rows, size, scale, format } = job;
  const map = mapOf(job);
  map.resize(columns * size, rows * size);
  map.extent = job.extent;
  const image = await new Promise<MapnikImage>((resolve, reject) =>
    map.render(new mapnik.Image(columns * size, rows * size), { scale }, (error, drawn) =>
      error ? reject(error) : resolve(drawn),
    ),
  );
  if (columns === 1 && rows === 1) return [await encode(image, format)];
  const places = Array.from(
    { length: columns * rows },
    (_, i) => [i % columns, Math.floor(i / columns)] as const,
  );
  return Promise.all(places.map(([x, y]) => encode(image.view(x * size, y * size, size, size), format)));
}

/** After a restart of the database each dead connection of Mapnik's pool fails once: so a job is tried again before it fails. */
async function drawAgain(job: RenderJob): Promise<Uint8Array[]> {
  try {
    return await draw(job);
  } catch {
    maps.delete(job.xmlKey);
    return draw(job);
  }
}

const answer = (message: FromRenderer): void => void process.send!(message);
const memory = (): number => process.memoryUsage.rss();

process.on('message', async ({ id, job }: ToRenderer) => {
  try {
    answer({ id, tiles: await drawAgain(job), memory: memory() });
  } catch (error) {
    answer({ id, error: String((error as Error).message), memory: memory() });
  }
});
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {});
answer({ ready: true });
