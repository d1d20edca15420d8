/** The renderer process. It draws one job at a time; the server kills it when a job takes too long. */

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { leaveSignalsToParent } from '@cartulary/runtime';
import { MapRenderer } from './map-renderer.js';
import type { Mapnik } from './mapnik.js';
import type { FromRenderer, GivenJob, RenderJob, ToRenderer } from './messages.js';
import { SpritesImpossible } from './small-features/sprites-impossible.js';

const mapnik = createRequire(import.meta.url)('@mapnik/mapnik') as Mapnik;
mapnik.Logger.setSeverity(mapnik.Logger.NONE);
mapnik.register_default_fonts();
const ownFonts = mapnik.fonts();
/** Fonts of the given files, in their order: text falls back to the next font. */
const addedFonts = process.argv.slice(2).flatMap(addFont);
// No other plugins: styles and queries can reach no other kind of source.
for (const plugin of ['postgis+pgraster', 'geojson', 'gdal+ogr', 'raster'])
  mapnik.registerDatasource(join(mapnik.settings.paths.input_plugins, `${plugin}.input`));

const renderer = new MapRenderer(mapnik);

/** Registers a file and returns the names of its new fonts. A file that is no font is reported on stderr. */
function addFont(file: string): string[] {
  const before = new Set(mapnik.fonts());
  if (!mapnik.register_fonts(file)) process.stderr.write(`${file} is no font that can be read\n`);
  // Styles write font names between quotes.
  return mapnik.fonts().filter((name) => !before.has(name) && /^[^"'\\\p{C}]{1,100}$/u.test(name));
}

/** Time that a restart of the database may take. */
const reconnectTimeoutMs = 5_000;

/** Messages of the PostgreSQL library about lost and refused connections. */
const lostConnection =
  /connection to server|server closed the connection|terminating connection|connection not open|no connection|could not (?:connect|send|receive)|starting up|shutting down|recovery mode/i;

/** Message of the embedded database about a statement that must not be repeated. */
const endsDatabase = /has ended the database/;

/** Draws a job, and repeats it while the database restarts: idle connections of Mapnik's pool fail once, new ones until it runs. */
async function drawWithRetries(job: RenderJob): Promise<Uint8Array[]> {
  const end = Date.now() + reconnectTimeoutMs;
  for (;;) {
    try {
      return await renderer.draw(job);
    } catch (error) {
      renderer.forget(job);
      const { message } = error as Error;
      if (error instanceof SpritesImpossible) throw error;
      if (!lostConnection.test(message) || endsDatabase.test(message) || Date.now() > end) throw error;
      await sleep(100);
    }
  }
}

const answer = (message: FromRenderer): void => void process.send!(message);

async function carryOut({ id, job }: GivenJob): Promise<void> {
  try {
    const tiles = 'xml' in job ? await drawWithRetries(job) : [renderer.glyphs(job)];
    answer({ id, tiles, memory: process.memoryUsage.rss() });
  } catch (error) {
    const spritesImpossible = error instanceof SpritesImpossible ? error.layerId : undefined;
    answer({
      id,
      error: String((error as Error).message),
      memory: process.memoryUsage.rss(),
      spritesImpossible,
    });
  }
}

const waiting: GivenJob[] = [];
let isBusy = false;

/** Draws the jobs that wait, one after the other. */
async function carryOutAll(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    await carryOut(next);
    // The answer leaves, and what was sent meanwhile arrives.
    await setImmediate();
  }
  isBusy = false;
}

function withdraw(id: number): void {
  const at = waiting.findIndex((one) => one.id === id);
  if (at < 0) return;
  waiting.splice(at, 1);
  answer({ id, isWithdrawn: true });
}

process.on('message', (message: ToRenderer) => {
  if ('withdrawn' in message) return withdraw(message.withdrawn);
  waiting.push(message);
  void carryOutAll();
});
// SIGKILL, since process.exit would wait for a drawing that may never end.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
leaveSignalsToParent();
answer({ ready: true, fonts: [...ownFonts, ...addedFonts] });
