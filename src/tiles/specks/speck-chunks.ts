import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../db/pool.js';
import { statement } from '../../db/sql.js';
import type { Log } from '../../http/service.js';
import type { LayerVersion } from '../cache/change-log.js';
import type { WantedTile } from '../cache/kept-tiles.js';
import type { TileStore } from '../cache/open.js';
import type { Pass, RenderJob, SpeckPass } from '../messages.js';
import {
  type ChunkPlace,
  chunkBox,
  chunkExtent,
  chunksIn,
  encodeChunk,
  kindShift,
  mostKinds,
  pixelAt,
  type SpeckKind,
  sliceOf,
  withKind,
} from './chunk.js';
import { type SpeckReading, type SpeckRow, speckRow, specksSql } from './speck-sql.js';

/** Where the specks of a pass are read. */
export interface SpeckSource extends SpeckReading {
  /** Of all that its chunks depend on but their places and the data. */
  key: string;
}

/** A source with its key. */
export const speckSource = (reading: SpeckReading): SpeckSource => ({
  ...reading,
  key: createHash('sha256')
    .update(JSON.stringify([form, statement(specksSql(reading, []))]))
    .digest('base64url'),
});

/** Raised when the same statement gives chunks of another form. */
const form = 2;

export interface SpeckChunks {
  /**
   * The passes above a map with the specks that are seen in a job's extent, no older than the versions of the plan. undefined where they cannot be
   * drawn as specks: too many kinds of them, or what is kept has no room.
   */
  fill(
    above: readonly Pass[],
    sources: readonly SpeckSource[],
    at: { extent: RenderJob['extent']; versions: readonly LayerVersion[] },
  ): Promise<Pass[] | undefined>;
}

export interface SpeckChunksParts {
  db: Pick<Database, 'long'>;
  store: Pick<TileStore, 'keeps' | 'tiles'>;
  log: Pick<Log, 'warn'>;
}

/** Chunks that are read by one statement: few, so that each of a layer of millions ends in time. */
const together = 4;
/** Such statements of a drawing that run at once, so that others find a connection. */
const atOnce = 2;
/** How long a source is not tried again that has too many kinds, or could not be read, ms. */
const pauses = { tooMany: 600_000, failed: 30_000 };

const tooMany = new Error('there are too many kinds of specks');

/** Chunks that stay until a write touches them, as tiles do, in the same cache; those that are lacking are read and kept. */
export function createSpeckChunks({ db, store, log }: SpeckChunksParts): SpeckChunks {
  const failed = new LRUCache<string, true>({ max: 1_000, ttl: pauses.failed });
  /** Those that are being read, by key and version. */
  const reading = new Map<string, Promise<Uint8Array>>();

  async function chunksOf(
    source: SpeckSource,
    wanted: readonly ChunkPlace[],
    version: number,
  ): Promise<Uint8Array[]> {
    const asked = wanted.map((place) => ({ place, tile: wantedChunk(source, place, version) }));
    const found = await Promise.all(
      asked.map(async (one) => ({ ...one, kept: await store.tiles.find(one.tile) })),
    );
    const idOf = ({ tile }: { tile: WantedTile }): string => `${tile.key}/${version}`;
    const lacking = found.filter((one) => !one.kept && !reading.has(idOf(one)));
    const lanes: Promise<unknown>[] = Array.from({ length: atOnce }, () => Promise.resolve());
    for (let i = 0; i < lacking.length; i += together) {
      const batch = lacking.slice(i, i + together);
      const places = batch.map(({ place }) => place);
      const lane = (i / together) % atOnce;
      const made = lanes[lane]!.then(() => readChunks(db, source, places));
      lanes[lane] = made;
      for (const [k, one] of batch.entries()) {
        const chunk = made.then((chunks) => {
          store.tiles.keep(one.tile, chunks[k]!, { x: 0, y: 0, columns: 0, rows: 0 });
          return chunks[k]!;
        });
        const forget = (): void => void reading.delete(idOf(one));
        reading.set(idOf(one), chunk);
        chunk.then(forget, forget);
      }
    }
    return Promise.all(found.map((one) => one.kept?.bytes ?? reading.get(idOf(one))!));
  }

  return {
    async fill(above, sources, { extent, versions }) {
      if (!store.keeps || sources.some(({ key }) => failed.has(key))) return undefined;
      const fillPass = async (pass: SpeckPass): Promise<SpeckPass> => {
        const source = sources.find(({ layerId }) => layerId === pass.layerId)!;
        const { version } = versions.find(({ id }) => id === pass.layerId)!;
        const wanted = chunksIn(source, extent, pass.reach);
        try {
          const chunks = await chunksOf(source, wanted, version);
          return { ...pass, chunks: chunks.map((bytes, i) => ({ bytes, ...cornerOf(wanted[i]!, extent) })) };
        } catch (error) {
          failed.set(source.key, true, { ttl: error === tooMany ? pauses.tooMany : pauses.failed });
          if (error !== tooMany) log.warn({ err: error }, 'specks could not be read');
          throw tooMany;
        }
      };
      try {
        return await Promise.all(above.map((pass) => (pass.kind === 'specks' ? fillPass(pass) : pass)));
      } catch (error) {
        if (error !== tooMany) throw error;
        return undefined;
      }
    },
  };
}

/** Pixels of a picture from its north-western corner to that of a chunk. */
function cornerOf(place: ChunkPlace, [west, , , north]: RenderJob['extent']): { x: number; y: number } {
  const pixel = pixelAt(place.level);
  const [left, , , top] = chunkExtent(place);
  return { x: Math.round((left - west) / pixel), y: Math.round((north - top) / pixel) };
}

function wantedChunk({ key, layerId }: SpeckSource, place: ChunkPlace, version: number): WantedTile {
  const { level, column, row } = place;
  return {
    key: `specks/${key}/${level}/${column}/${row}`,
    sources: [{ id: layerId, version }],
    extentOf: () => chunkBox(place),
  };
}

/** Reads chunks: bytes in the order of their places. Throws `tooMany`. */
async function readChunks(
  db: Pick<Database, 'long'>,
  source: SpeckReading,
  wanted: readonly ChunkPlace[],
): Promise<Uint8Array[]> {
  const rows = (await db.long.raw(specksSql(source, wanted), {})).map(speckRow);
  const byPlace = new Map<string, SpeckRow[]>();
  for (const row of rows) {
    const key = `${row.column}/${row.row}`;
    const list = byPlace.get(key);
    if (list) list.push(row);
    else byPlace.set(key, [row]);
  }
  const chunks: Uint8Array[] = [];
  for (const { column, row } of wanted) {
    chunks.push(makeChunk(byPlace.get(`${column}/${row}`) ?? []));
    // Others may have waited meanwhile.
    await setImmediate();
  }
  return chunks;
}

/** Bytes of a speck as the database gives it. */
const rowLength = 12;

/** A chunk of the rows of one place. Throws `tooMany`. */
function makeChunk(rows: readonly SpeckRow[]): Uint8Array {
  if (rows.length > mostKinds) throw tooMany;
  const kinds = rows.map(
    ({ dimension, properties }): SpeckKind => ({ dimension, properties: JSON.parse(properties) }),
  );
  const count = rows.reduce((sum, { specks }) => sum + specks.length / rowLength, 0);
  const ids = new Float64Array(count);
  const numbers = new Uint32Array(count);
  const times = new Uint8Array(count);
  let read = 0;
  for (const [kind, { specks }] of rows.entries()) {
    for (let at = 0; at < specks.length; at += rowLength) {
      const number = specks.readUInt32BE(at + 8);
      ids[read] = specks.readInt32BE(at) * 2 ** 32 + specks.readUInt32BE(at + 4);
      numbers[read] = withKind(number, kind);
      times[read] = 1 + (number >>> kindShift);
      read += 1;
    }
  }
  // The database takes several times as long for it.
  const order = new Uint32Array(count).map((_, i) => i).sort((a, b) => ids[a]! - ids[b]!);
  const specks = new Uint32Array(times.reduce((sum, one) => sum + one, 0));
  const slices = new Map<number, number>();
  let at = 0;
  for (const i of order) {
    const slice = sliceOf(ids[i]!);
    slices.set(slice, (slices.get(slice) ?? 0) + times[i]!);
    specks.fill(numbers[i]!, at, at + times[i]!);
    at += times[i]!;
  }
  return encodeChunk({ kinds, slices: Uint32Array.from([...slices].flat()), specks });
}
