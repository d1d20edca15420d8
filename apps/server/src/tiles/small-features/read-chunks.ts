import { setImmediate } from 'node:timers/promises';
import type { Database } from '@cartulary/database';
import {
  type ChunkPlace,
  encodeChunk,
  kindShift,
  maxKinds,
  type SmallFeatureKind,
  slicesFor,
  withKind,
} from '@cartulary/renderer';
import {
  type SmallFeatureQuery,
  type SmallFeatureRow,
  smallFeatureRow,
  smallFeaturesSql,
} from '../plan/sql/small-feature-sql.js';

/** Shared instance: creating an Error captures a stack trace each time. */
export const tooManyKinds = new Error('there are too many kinds of small features');

/** Reads chunks by one statement: encoded, in the order of their places. Throws `tooManyKinds`. */
export async function readChunks(
  db: Pick<Database, 'long'>,
  source: SmallFeatureQuery,
  wanted: readonly ChunkPlace[],
): Promise<Uint8Array[]> {
  const rows = (await db.long.raw(smallFeaturesSql(source, wanted), { isPrepared: true })).map(
    smallFeatureRow,
  );
  const byPlace = new Map<string, SmallFeatureRow[]>();
  for (const row of rows) {
    const key = `${row.column}/${row.row}`;
    const list = byPlace.get(key);
    if (list) list.push(row);
    else byPlace.set(key, [row]);
  }
  const chunks: Uint8Array[] = [];
  for (const { column, row } of wanted) {
    chunks.push(makeChunk(byPlace.get(`${column}/${row}`) ?? []));
    // Other requests run between two chunks.
    await setImmediate();
  }
  return chunks;
}

/** Bytes of a feature in a row: id (8), number (4). */
const featureBytes = 12;

/** Features as columns of numbers, in the order of the rows. */
interface FeatureColumns {
  ids: Float64Array;
  numbers: Uint32Array;
  /** How often each is drawn. */
  counts: Uint8Array;
}

/** Encodes the rows of one chunk. Throws `tooManyKinds`. */
function makeChunk(rows: readonly SmallFeatureRow[]): Uint8Array {
  if (rows.length > maxKinds) throw tooManyKinds;
  const kinds = rows.map(
    ({ dimension, properties, look }): SmallFeatureKind => ({
      dimension,
      properties: JSON.parse(properties),
      look,
    }),
  );
  const { ids, numbers, counts } = featureColumns(rows);
  // Sorting by id takes the database several times as long.
  const order = new Uint32Array(ids.length).map((_, i) => i).sort((a, b) => ids[a]! - ids[b]!);
  const features = new Uint32Array(counts.reduce((sum, count) => sum + count, 0));
  const slices = new Map<number, number>();
  const sliceOf = slicesFor(ids[order.at(-1)!]! - ids[order[0]!]!);
  let at = 0;
  for (const i of order) {
    const slice = sliceOf(ids[i]!);
    slices.set(slice, (slices.get(slice) ?? 0) + counts[i]!);
    features.fill(numbers[i]!, at, at + counts[i]!);
    at += counts[i]!;
  }
  return encodeChunk({ kinds, slices: Uint32Array.from([...slices].flat()), features });
}

function featureColumns(rows: readonly SmallFeatureRow[]): FeatureColumns {
  const count = rows.reduce((sum, { features }) => sum + features.length / featureBytes, 0);
  const ids = new Float64Array(count);
  const numbers = new Uint32Array(count);
  const counts = new Uint8Array(count);
  let i = 0;
  for (const [kind, { features }] of rows.entries()) {
    for (let at = 0; at < features.length; at += featureBytes) {
      const number = features.readUInt32BE(at + 8);
      ids[i] = features.readInt32BE(at) * 2 ** 32 + features.readUInt32BE(at + 4);
      numbers[i] = withKind(number, kind);
      counts[i] = 1 + (number >>> kindShift);
      i += 1;
    }
  }
  return { ids, numbers, counts };
}
