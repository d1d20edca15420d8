import { join } from 'node:path';
import { pino } from 'pino';
import type { Caller } from './access/caller.js';
import { print } from './access/command-line.js';
import { findProject } from './access/projects.js';
import { type Config, parseConfig } from './config.js';
import type { Database } from './db/pool.js';
import { ServiceError } from './errors.js';
import { createExternalPictures } from './external/pictures.js';
import type { Box } from './geo/bbox.js';
import { createIconFiles } from './icons/icons.js';
import { createIndexer } from './layers/indexer.js';
import { installationStorage } from './storage/disk.js';
import { knownFonts, useFonts } from './styles/compile.js';
import { openTileStore } from './tiles/cache/open.js';
import { createTileDrawer } from './tiles/draw.js';
import { withFailingQueries } from './tiles/failing-queries.js';
import { countTiles, type Filling, type FillProgress, fillTiles } from './tiles/fill.js';
import { createPlanner } from './tiles/plan.js';
import { createRendererPool } from './tiles/pool.js';
import { createSpeckChunks } from './tiles/specks/speck-chunks.js';
import { createSpeckLayers } from './tiles/specks/speck-layers.js';

export interface FillOptions {
  extent: Box;
  zooms: Filling['zooms'];
  layers?: number[];
  retina?: boolean;
  language?: string;
  /** As many tiles at most. */
  most: number;
}

/** Draws the tiles of a map as the public sees it, and keeps them on the disk. Throws a sentence for the operator. */
export async function fill(
  db: Database,
  at: { project: string; map: string },
  options: FillOptions,
): Promise<void> {
  const config = parseConfig(process.env);
  if (!config.tileCacheDisk) throw new Error('CARTULARY_TILE_CACHE_DISK is 0: no tiles are kept on the disk');
  const caller = await publicCaller(db, at.project);
  const { extent, zooms, layers, retina, language } = options;
  const filling: Filling = {
    map: at.map,
    extent,
    zooms,
    layers,
    scale: retina ? 2 : 1,
    lng: language ?? caller.project.languages[0]!,
  };
  const total = countTiles(filling);
  if (total > options.most)
    throw new Error(
      `These are ${total} tiles: take a smaller extent or fewer zoom levels, or confirm with --yes`,
    );
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Error('Stopped: what was drawn is kept'));
  process.once('SIGINT', stop);
  try {
    const { there, drawn } = await draw(db, { config, caller, filling, signal: stopping.signal });
    print(`${total} tiles: ${there} were there, ${drawn} are drawn`);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'forbidden')
      throw new Error(
        `The map '${at.map}' is not published: only what the public may view is drawn beforehand`,
      );
    throw error;
  } finally {
    process.off('SIGINT', stop);
  }
}

interface DrawOptions {
  config: Config;
  caller: Caller;
  filling: Filling;
  signal: AbortSignal;
}

/** Draws with renderers of its own, as the server does. */
async function draw(db: Database, { config, caller, filling, signal }: DrawOptions): Promise<FillProgress> {
  const log = pino({ level: 'error' }, pino.destination(2));
  const storage = await installationStorage(db, config.dataFolder);
  const renderers = withFailingQueries(createRendererPool({ config, log }), db);
  const store = await openTileStore({ db, config, log });
  const indexer = createIndexer(db, (text) => log.warn(text));
  try {
    useFonts((await renderers.fonts) ?? knownFonts());
    const parts = {
      caller,
      plan: createPlanner({
        db,
        storage,
        icons: createIconFiles(db, storage, join(config.dataFolder, 'icons')),
        pictures: createExternalPictures(config, log),
        specks: createSpeckLayers({ db, indexer, config }),
      }),
      drawer: createTileDrawer({
        renderers,
        store,
        config,
        specks: createSpeckChunks({ db, store, log }),
      }),
      settled: () => store.settled(),
      atOnce: config.renderers + 1,
    };
    return await fillTiles(parts, filling, { tell: createTeller(), signal });
  } finally {
    await indexer.close();
    await renderers.close();
    await store.close();
  }
}

async function publicCaller(db: Database, code: string): Promise<Caller> {
  const { id, languages } = await findProject(db, code);
  const project = { id, code, languages };
  return { project, account: null, groupIds: [], isPublic: true, isInstaller: false, session: null };
}

/** Says on standard error how far it is: over and over in the last line of a terminal, elsewhere now and then. */
function createTeller(): (progress: FillProgress) => void {
  const { isTTY } = process.stderr;
  const period = isTTY ? 500 : 10_000;
  const start = Date.now();
  let told = isTTY ? 0 : start;
  return ({ total, there, drawn }) => {
    const now = Date.now();
    const done = there + drawn;
    if (now - told < period && done < total) return;
    told = now;
    const rate = done / Math.max((now - start) / 1000, 0.001);
    const left = Math.ceil((total - done) / rate);
    const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    const line = `${done}/${total} tiles, ${Math.round(rate)} tiles/s, ${time} left`;
    process.stderr.write(isTTY ? `\r\x1b[K${line}${done < total ? '' : '\n'}` : `${line}\n`);
  };
}
