import type { Database } from '@cartulary/database';
import type { ChunkPlace } from '@cartulary/renderer';
import { type LabelChunkQuery, labelChunksSql } from '../plan/sql/label-chunk-sql.js';

/** Reads the labels of chunks by one statement, as UTF-8, in the order of their places. */
export async function readLabelChunks(
  db: Pick<Database, 'long'>,
  query: LabelChunkQuery,
  wanted: readonly ChunkPlace[],
): Promise<Uint8Array[]> {
  const rows = await db.long.raw(labelChunksSql(query, wanted), { isPrepared: true });
  const chunks = new Map(
    rows.map(([column, row, labels]) => [
      `${column!.readInt32BE()}/${row!.readInt32BE()}`,
      new Uint8Array(labels!),
    ]),
  );
  return wanted.map(({ column, row }) => chunks.get(`${column}/${row}`) ?? new Uint8Array());
}
