import type { Database } from '@cartulary/database';
import {
  type ChunkPlace,
  chunkBox,
  chunkExtent,
  chunksIn,
  type Pass,
  pixelAt,
  type RenderJob,
  type SmallFeaturePass,
} from '@cartulary/renderer';
import type { Log } from '@cartulary/runtime';
import { LRUCache } from 'lru-cache';
import type { LayerVersion } from '../cache/change-log.js';
import type { WantedTile } from '../cache/kept-tiles.js';
import type { TileStore } from '../cache/open.js';
import { readChunks, tooManyKinds } from './read-chunks.js';
import type { SmallFeatureSource } from './source.js';

export interface SmallFeatureChunksParts {
  db: Pick<Database, 'long'>;
  store: Pick<TileStore, 'keeps' | 'tiles'>;
  log: Pick<Log, 'warn'>;
}

/** Chunks per statement: few, so that a statement over millions of objects ends in time. */
const chunksPerStatement = 4;
/** Concurrent statements of one picture; the other connections stay free. */
const statementsAtOnce = 2;
/** Pause before a source is tried again. */
const impossiblePauseMs = 600_000;
const failedPauseMs = 30_000;

const noBlock = { x: 0, y: 0, columns: 0, rows: 0 };

/** A picture to be drawn with sprites: its extent, its width in pixels, and the versions of the layers. */
interface PictureAt {
  extent: RenderJob['extent'];
  width: number;
  versions: readonly LayerVersion[];
}

/** Chunks in the tile cache, valid until a write touches them; missing chunks are read and kept. */
export class SmallFeatureChunks {
  readonly #parts: SmallFeatureChunksParts;
  /** Sources that are not tried at present, by key. */
  readonly #failed = new LRUCache<string, true>({ max: 1_000, ttl: failedPauseMs });
  /** Chunks that are being read, by key and version. */
  readonly #reading = new Map<string, Promise<Uint8Array>>();

  constructor(parts: SmallFeatureChunksParts) {
    this.#parts = parts;
  }

  /**
   * The passes with the chunks of a job's picture, no older than the versions of the plan. undefined when sprites are
   * impossible: a chunk has too many kinds, a read failed, or the cache keeps nothing.
   */
  async fill(
    above: readonly Pass[],
    sources: readonly SmallFeatureSource[],
    at: PictureAt,
  ): Promise<Pass[] | undefined> {
    if (!this.#parts.store.keeps || sources.some(({ key }) => this.#failed.has(key))) return undefined;
    const filled = await Promise.all(
      above.map((pass) => (pass.kind === 'small-features' ? this.#fillPass(pass, sources, at) : pass)),
    );
    return filled.every((pass) => pass !== undefined) ? filled : undefined;
  }

  /** Draws a layer on the general path from now on, since its symbols do not fit into sprites. */
  refuse(sources: readonly SmallFeatureSource[], refused: number): void {
    for (const { key, layerId } of sources)
      if (layerId === refused) this.#failed.set(key, true, { ttl: impossiblePauseMs });
  }

  async #fillPass(
    pass: SmallFeaturePass,
    sources: readonly SmallFeatureSource[],
    { extent, width, versions }: PictureAt,
  ): Promise<SmallFeaturePass | undefined> {
    const source = sources.find(({ layerId }) => layerId === pass.layerId)!;
    const { version } = versions.find(({ id }) => id === pass.layerId)!;
    const pixel = (extent[2] - extent[0]) / width;
    const ratio = pixelAt(source.level) / pixel;
    const wanted = chunksIn(source, extent, pass.reach / ratio);
    try {
      const chunks = await this.#chunksOf(source, wanted, version);
      const placed = chunks.map((bytes, i) => ({ bytes, ...cornerOf(wanted[i]!, extent, pixel) }));
      return { ...pass, ratio, chunks: placed };
    } catch (error) {
      const isTooMany = error === tooManyKinds;
      this.#failed.set(source.key, true, { ttl: isTooMany ? impossiblePauseMs : failedPauseMs });
      if (!isTooMany) this.#parts.log.warn({ err: error }, 'small features could not be read');
      return undefined;
    }
  }

  /** The chunks in the order of their places. */
  async #chunksOf(
    source: SmallFeatureSource,
    wanted: readonly ChunkPlace[],
    version: number,
  ): Promise<Uint8Array[]> {
    const { tiles } = this.#parts.store;
    const found = await Promise.all(
      wanted.map(async (place): Promise<WantedChunk> => {
        const tile = wantedChunk(source, place, version);
        return { place, tile, id: `${tile.key}/${version}`, kept: (await tiles.find(tile))?.bytes };
      }),
    );
    this.#read(
      source,
      found.filter(({ kept, id }) => !kept && !this.#reading.has(id)),
    );
    return Promise.all(found.map(({ kept, id }) => kept ?? this.#reading.get(id)!));
  }

  /** Starts to read missing chunks. */
  #read(source: SmallFeatureSource, missing: readonly WantedChunk[]): void {
    const lanes: Promise<unknown>[] = Array.from({ length: statementsAtOnce }, () => Promise.resolve());
    for (let i = 0; i < missing.length; i += chunksPerStatement) {
      const batch = missing.slice(i, i + chunksPerStatement);
      const places = batch.map(({ place }) => place);
      const lane = (i / chunksPerStatement) % statementsAtOnce;
      const read = lanes[lane]!.then(() => readChunks(this.#parts.db, source, places));
      lanes[lane] = read;
      for (const [k, { id, tile }] of batch.entries()) {
        const chunk = read.then((chunks) => {
          this.#parts.store.tiles.keep(tile, chunks[k]!, noBlock);
          return chunks[k]!;
        });
        const forget = (): void => void this.#reading.delete(id);
        this.#reading.set(id, chunk);
        chunk.then(forget, forget);
      }
    }
  }
}

interface WantedChunk {
  place: ChunkPlace;
  tile: WantedTile;
  /** Key and version. */
  id: string;
  kept: Uint8Array | undefined;
}

/** Offset from the north-western corner of a picture to that of a chunk, in pixels of the picture. */
function cornerOf(
  place: ChunkPlace,
  [west, , , north]: RenderJob['extent'],
  pixel: number,
): { x: number; y: number } {
  const [left, , , top] = chunkExtent(place);
  return { x: (left - west) / pixel, y: (north - top) / pixel };
}

function wantedChunk({ key, layerId }: SmallFeatureSource, place: ChunkPlace, version: number): WantedTile {
  const { level, column, row } = place;
  return {
    key: `small-features/${key}/${level}/${column}/${row}`,
    sources: [{ id: layerId, version }],
    extentOf: () => chunkBox(place),
  };
}
