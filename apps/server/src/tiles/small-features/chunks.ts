import type { Database } from '@cartulary/database';
import {
  type ChunkPlace,
  chunkBox,
  type LabelPass,
  type Pass,
  type SmallFeaturePass,
} from '@cartulary/renderer';
import type { Log } from '@cartulary/runtime';
import { LRUCache } from 'lru-cache';
import type { LayerVersion } from '../cache/change-log.js';
import type { WantedTile } from '../cache/kept-tiles.js';
import type { TileCaches } from '../cache/tile-caches.js';
import type { LabelChunkSource } from './label-source.js';
import { type ChunksInPicture, chunksInPicture, type PictureExtent } from './picture-place.js';
import { readChunks, tooManyKinds } from './read-chunks.js';
import { readLabelChunks } from './read-label-chunks.js';
import type { SmallFeatureSource } from './source.js';

export interface FeatureChunksParts {
  db: Pick<Database, 'long'>;
  caches: Pick<TileCaches, 'keeps' | 'tiles'>;
  log: Pick<Log, 'warn'>;
}

/**
 * Chunks per statement: as many as take this time, so that a statement over millions of objects ends in time. To parse and plan a statement
 * takes as long as to read one or two chunks of a small layer.
 */
const statementMs = 300;
const [fewestChunks, mostChunks] = [4, 48] as const;
/** Before the first measurement: at low zoom levels a chunk may contain millions of objects. */
const firstChunks = (level: number): number => (level < 6 ? fewestChunks : 16);
/** Concurrent statements of one picture; the other connections stay free. */
const statementsAtOnce = 2;
/** Pause before a source is tried again. */
const impossiblePauseMs = 600_000;
const failedPauseMs = 30_000;

const noBlock = { x: 0, y: 0, columns: 0, rows: 0 };

/** A picture to be drawn with sprites, and the versions of the layers. */
interface PictureAt extends PictureExtent {
  versions: readonly LayerVersion[];
}

type ChunkSource = SmallFeatureSource | LabelChunkSource;

/** Chunks of small features and of labels in the tile cache, valid until a write touches them; missing chunks are read and kept. */
export class FeatureChunks {
  readonly #parts: FeatureChunksParts;
  /** Sources that are not tried at present, by key. */
  readonly #failed = new LRUCache<string, true>({ max: 1_000, ttl: failedPauseMs });
  /** Styles whose symbols do not fit into sprites, by `styleKey`. */
  readonly #refused = new LRUCache<string, true>({ max: 1_000, ttl: impossiblePauseMs });
  /** Chunks per statement by key and level of sources. */
  readonly #counts = new LRUCache<string, number>({ max: 10_000 });
  /** Chunks that are being read, by key and version. */
  readonly #reading = new Map<string, Promise<Uint8Array>>();

  constructor(parts: FeatureChunksParts) {
    this.#parts = parts;
  }

  /**
   * The passes with the chunks of a job's picture, no older than the versions of the plan. undefined when sprites are
   * impossible: a chunk has too many kinds, a read failed, or the cache keeps nothing.
   */
  async fill(
    above: readonly Pass[],
    sources: readonly ChunkSource[],
    at: PictureAt,
  ): Promise<Pass[] | undefined> {
    if (!this.#parts.caches.keeps || sources.some(({ key }) => this.#failed.has(key))) return undefined;
    if (above.some((pass) => pass.kind === 'small-features' && this.#refused.has(styleKey(pass))))
      return undefined;
    const filled = await Promise.all(
      above.map((pass) => {
        if (pass.kind === 'small-features') return this.#fillPass(pass, sources, at);
        return pass.kind === 'labels' ? this.#fillLabels(pass, sources, at) : pass;
      }),
    );
    return filled.every((pass) => pass !== undefined) ? filled : undefined;
  }

  /** Draws a layer in the styles of passes on the general path from now on, since its symbols do not fit into sprites. */
  refuse(above: readonly Pass[], layerId: number): void {
    for (const pass of above)
      if (pass.kind === 'small-features' && pass.layerId === layerId) this.#refused.set(styleKey(pass), true);
  }

  async #fillPass(
    pass: SmallFeaturePass,
    sources: readonly ChunkSource[],
    at: PictureAt,
  ): Promise<SmallFeaturePass | undefined> {
    const source = sources.find((one) => 'distinctions' in one && one.layerId === pass.layerId)!;
    const read = await this.#readAround(source, pass.reach, at);
    if (!read) return undefined;
    const { ratio, rows, wanted, chunks, cornerOf } = read;
    const placed = chunks.map((bytes, i) => ({ bytes, ...cornerOf(wanted[i]!) }));
    return { ...pass, ratio, chunks: placed, ...(rows ? { rows } : {}) };
  }

  async #fillLabels(
    pass: LabelPass,
    sources: readonly ChunkSource[],
    at: PictureAt,
  ): Promise<LabelPass | undefined> {
    const { rows } = pass;
    if ('datasource' in rows) return pass;
    const source = sources.find(({ key }) => key === rows.chunksOf) as LabelChunkSource;
    const read = await this.#readAround(source, source.reachPx, at);
    return read && { ...pass, rows: { ...rows, chunks: read.chunks.filter((bytes) => bytes.length) } };
  }

  /** The chunks around a picture, and where they lie in it; undefined: they could not be read. */
  async #readAround(
    source: ChunkSource,
    reachPx: number,
    at: PictureAt,
  ): Promise<(ChunksInPicture & { chunks: Uint8Array[] }) | undefined> {
    const { version } = at.versions.find(({ id }) => id === source.layerId)!;
    const placed = chunksInPicture(source, reachPx, at);
    try {
      return { ...placed, chunks: await this.#chunksOf(source, placed.wanted, version) };
    } catch (error) {
      const isTooMany = error === tooManyKinds;
      this.#failed.set(source.key, true, { ttl: isTooMany ? impossiblePauseMs : failedPauseMs });
      if (!isTooMany) this.#parts.log.warn({ err: error }, 'small features or labels could not be read');
      return undefined;
    }
  }

  /** The chunks in the order of their places. */
  async #chunksOf(
    source: ChunkSource,
    wanted: readonly ChunkPlace[],
    version: number,
  ): Promise<Uint8Array[]> {
    const { tiles } = this.#parts.caches;
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
  #read(source: ChunkSource, missing: readonly WantedChunk[]): void {
    const lanes: Promise<unknown>[] = Array.from({ length: statementsAtOnce }, () => Promise.resolve());
    const most = this.#counts.get(countKey(source)) ?? firstChunks(source.level);
    const count = Math.ceil(missing.length / Math.ceil(missing.length / most));
    for (let i = 0; i < missing.length; i += count) {
      const batch = missing.slice(i, i + count);
      const places = batch.map(({ place }) => place);
      const lane = (i / count) % statementsAtOnce;
      const read = lanes[lane]!.then(() => this.#readBatch(source, places));
      lanes[lane] = read;
      for (const [k, { id, tile }] of batch.entries()) {
        const chunk = read.then((chunks) => {
          this.#parts.caches.tiles.keep(tile, chunks[k]!, noBlock);
          return chunks[k]!;
        });
        const forget = (): void => void this.#reading.delete(id);
        this.#reading.set(id, chunk);
        chunk.then(forget, forget);
      }
    }
  }

  /** Reads chunks by one statement, and notes how many suit the next one. */
  async #readBatch(source: ChunkSource, places: readonly ChunkPlace[]): Promise<Uint8Array[]> {
    const { db } = this.#parts;
    const start = performance.now();
    const chunks = await ('distinctions' in source
      ? readChunks(db, source, places)
      : readLabelChunks(db, source, places));
    const perChunk = (performance.now() - start) / places.length;
    const count = Math.floor(statementMs / perChunk);
    this.#counts.set(countKey(source), Math.min(mostChunks, Math.max(fewestChunks, count)));
    return chunks;
  }
}

const countKey = ({ key, level }: ChunkSource): string => `${key}/${level}`;

/** Names a layer in a style at a scale: at another one, its symbols may fit. */
const styleKey = ({ layerId, xmlKey, pixel }: SmallFeaturePass): string => `${layerId} ${xmlKey} ${pixel}`;

interface WantedChunk {
  place: ChunkPlace;
  tile: WantedTile;
  /** Key and version. */
  id: string;
  kept: Uint8Array | undefined;
}

function wantedChunk({ key, layerId }: ChunkSource, place: ChunkPlace, version: number): WantedTile {
  const { level, column, row } = place;
  return {
    key: `small-features/${key}/${level}/${column}/${row}`,
    sources: [{ id: layerId, version }],
    extentOf: () => chunkBox(place),
  };
}
