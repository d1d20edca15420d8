import { join } from 'node:path';
import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { Box } from '@cartulary/geo';
import { pino } from 'pino';
import type { Caller } from '../../access/caller.js';
import { publicCaller } from '../../access/public-caller.js';
import { type Config, parseConfig } from '../../config.js';
import { ExternalPictures } from '../../external/pictures.js';
import { IconFiles } from '../../icons/icons.js';
import { createIndexer } from '../../layers/indexes/indexer.js';
import { installationStorage } from '../../storage/disk.js';
import { openTileCaches } from '../../tiles/cache/tile-caches.js';
import { createContentReader } from '../../tiles/plan/map-content.js';
import { withFailingQueries } from '../../tiles/render/failing-queries.js';
import { countTiles, type FillProgress, fillTiles, type TileFill } from '../../tiles/render/fill.js';
import { createRendererPool } from '../../tiles/render/pool.js';
import { useRendererFonts } from '../../tiles/render/renderer-fonts.js';
import { TileBatcher } from '../../tiles/render/tile-batcher.js';
import { createTilePlanner } from '../../tiles/serve-tile.js';
import { ShapePyramids } from '../../tiles/shape-pieces/shape-pyramids.js';
import { FeatureChunks } from '../../tiles/small-features/chunks.js';
import { print } from '../command-line.js';

export interface TileFillOptions {
  extent: Box;
  zooms: TileFill['zooms'];
  layers?: number[];
  retina?: boolean;
  language?: string;
  /** Most tiles. */
  most: number;
}

/** Draws the public tiles of a map and stores them on disk. Throws an Error for the operator. */
export async function fillMapTiles(
  db: Database,
  at: { project: string; map: string },
  options: TileFillOptions,
): Promise<void> {
  const config = parseConfig(process.env);
  if (!config.tileCacheDiskMiB)
    throw new Error('CARTULARY_TILE_CACHE_DISK is 0: no tiles are kept on the disk');
  const caller = await publicCaller(db, at.project, await db.snapshot());
  const { extent, zooms, layers, retina, language } = options;
  const filling: TileFill = {
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
  filling: TileFill;
  signal: AbortSignal;
}

/** Renders with its own renderer processes, as the server does. */
async function draw(db: Database, { config, caller, filling, signal }: DrawOptions): Promise<FillProgress> {
  const log = pino({ level: 'error' }, pino.destination(2));
  const storage = await installationStorage(db, config.dataFolder);
  const renderers = withFailingQueries(createRendererPool({ config, log }), db);
  const caches = await openTileCaches({ db, config, log });
  const indexer = createIndexer(db, (text) => log.warn(text));
  const shapePyramids = new ShapePyramids({ db, config, warn: (text) => log.warn(text) });
  try {
    await useRendererFonts(renderers);
    const parts = {
      caller,
      plan: createTilePlanner({
        db,
        storage,
        config,
        indexer,
        shapePyramids,
        readContent: createContentReader(
          db,
          new IconFiles(db, storage, join(config.dataFolder, 'icons')),
          config,
        ),
        externalPictures: new ExternalPictures(config, log),
      }),
      batcher: new TileBatcher({
        renderers,
        caches,
        config,
        smallFeatures: new FeatureChunks({ db, caches, log }),
      }),
      settled: () => caches.settled(),
      atOnce: config.renderers + 1,
    };
    return await fillTiles(parts, filling, { tell: createTeller(), signal });
  } finally {
    await shapePyramids.close();
    await indexer.close();
    await renderers.close();
    await caches.close();
  }
}

/** Prints the progress on standard error: in the last line of a terminal, elsewhere at intervals. */
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
