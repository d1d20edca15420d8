import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Block, flipRow } from '@cartulary/geo/internal/tile.js';
import type { RenderJob } from '@cartulary/renderer/internal/messages.js';
import type { WantedTile } from '../../../src/tiles/cache/kept-tiles.js';
import { type KeptTile, tagOf } from '../../../src/tiles/cache/memory-cache.js';
import { createPlanner, type PlanParts } from '../../../src/tiles/plan/plan.js';
import { TileBatcher } from '../../../src/tiles/render/tile-batcher.js';
import { FeatureChunks } from '../../../src/tiles/small-features/chunks.js';
import { newDatabaseHost } from '../../support/here.js';
import { startServer, type TestServer } from '../../support/server.js';
import { demoCaller } from '../support.js';

/** z, x and y from the north. */
export type Place = readonly [z: number, x: number, y: number];

/** All tiles of the zoom levels 0 to `most`. */
export const allTiles = (most: number): Place[] =>
  Array.from({ length: most + 1 }, (_, z) =>
    Array.from({ length: 4 ** z }, (_, i): Place => [z, i % 2 ** z, Math.floor(i / 2 ** z)]),
  ).flat();

/** Requests a tile. Throws unless the answer is 200. */
export async function served(
  { request }: TestServer,
  map: string,
  [z, x, y]: Place,
  query = '',
): Promise<{ bytes: Buffer; etag: string }> {
  const answer = await request('GET', `//tms/demo/${map}/?z=${z}&x=${x}&y=${flipRow(y, z)}&${query}`);
  if (answer.status !== 200) throw new Error(`${map} ${z}/${x}/${y}: ${answer.status} ${answer.text}`);
  return { bytes: answer.bytes, etag: answer.headers.get('etag')! };
}

/** Draws a tile from the data. */
export type DrawFresh = (map: string, place: Place, scale?: number) => Promise<Buffer>;

/** Draws the tiles of a server's present data; each call starts with an empty cache. Without `parts` Mapnik draws all objects, whole. */
export async function freshDrawer(
  server: TestServer,
  parts: Pick<PlanParts, 'smallFeatures' | 'shapePyramids'> = {},
): Promise<() => DrawFresh> {
  const { db, storage, readContent, renderers } = server.server.services;
  const caller = await demoCaller(db, { isInstaller: false });
  const plan = createPlanner({ db, storage, readContent, fastLabels: true, ...parts });
  const log = { warn: (...what: unknown[]) => console.error(...what) };
  const look = { base: true, layers: undefined, palette: undefined, lng: 'en', main: 'en' };
  return () => {
    const drawn = new Map<string, KeptTile>();
    const keep = ({ key }: WantedTile, bytes: Uint8Array, block: Block): KeptTile => {
      const tile = { bytes: new Uint8Array(bytes), tag: tagOf(bytes), versions: [], drawn: block };
      drawn.set(key, tile);
      return tile;
    };
    const caches = { keeps: true, tiles: { find: async ({ key }: WantedTile) => drawn.get(key), keep } };
    const batcher = new TileBatcher({
      renderers,
      caches,
      config: { tilesTogether: 1 },
      smallFeatures: new FeatureChunks({ db, caches, log }),
    });
    return async (map, [z, x, y], scale = 1) => {
      const request = { z, x, y, scale, ...look };
      const { bytes } = await batcher.draw(
        request,
        await plan(caller, map, request),
        new AbortController().signal,
      );
      return Buffer.from(bytes);
    };
  };
}

/** Records the jobs of a server's renderers from now on. */
export function watchDrawings(server: TestServer): RenderJob[] {
  const { renderers } = server.server.services;
  const jobs: RenderJob[] = [];
  const { render } = renderers;
  renderers.render = (job, signal, grow) => {
    const drawn = (one: RenderJob): RenderJob => {
      jobs.push(one);
      return one;
    };
    return grow ? render(job, signal, () => drawn(grow())) : render(drawn(job), signal);
  };
  return jobs;
}

/** A data folder and a database that outlive a server. `isOwn`: an embedded database starts and stops with each server. */
export async function lastingPlace(isOwn = false): Promise<{
  settings: Record<string, string>;
  start(own?: Record<string, string>): Promise<TestServer>;
  remove(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-tiles-'));
  const host = await newDatabaseHost(isOwn);
  const settings = { CARTULARY_DATA: folder, ...(host.url ? { DATABASE_URL: host.url } : {}) };
  return {
    settings,
    start: (own = {}) => startServer({ ...settings, ...own }, host),
    async remove() {
      await host.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
