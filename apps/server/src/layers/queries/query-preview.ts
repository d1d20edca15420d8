/** The first rows of a query that is not stored. */
import { randomBytes } from 'node:crypto';
import { answeredValue } from '@cartulary/columns';
import type { Transaction } from '@cartulary/database';
import { ident, join, sql } from '@cartulary/sql';
import { type Caller, mainLanguage } from '../../access/caller.js';
import { withSavepoint } from '../with-savepoint.js';
import { becomeReader, describe } from './query-build.js';
import { resultShapeOf } from './query-columns.js';
import { queryFailure } from './query-failure.js';
import { prepareQuery } from './query-layer.js';
import { checkQuery, type QueryConfig, queryTimeoutOf } from './query-save.js';
import { checkedSql } from './query-text.js';

interface PreviewedQuery {
  caller: Caller;
  text: string;
  /** That of the layer that it is meant for. */
  type: 'virtual' | 'material';
  config: QueryConfig;
  /** Most rows. */
  rows: number;
}

/** The columns and the first rows of a result. */
export interface QueryPreview {
  columns: { code: string; type: string }[];
  rows: { id: number | null; geometry: string | null; fields: Record<string, unknown> }[];
}

/**
 * Runs a query as far as its first rows, with the rights of the caller. Nothing is changed: all of it is rolled back. Throws
 * `query_invalid` with the problem and its position.
 */
export async function previewQuery(tx: Transaction, previewed: PreviewedQuery): Promise<QueryPreview> {
  const { caller, text, type, config, rows } = previewed;
  const { query, refs } = await checkQuery(tx, text, previewed);
  const stored = { parts: query.parts, refs };
  return withSavepoint(tx, async () => {
    const { run, kindOf } = await prepareQuery(tx, stored, mainLanguage(caller));
    const name = `preview_${randomBytes(8).toString('hex')}`;
    const { id, geom, columns } = resultShapeOf(await describe(tx, name, { stored, run }), kindOf);
    const values = columns.map(
      ({ type, value }, i) => sql`${answeredValue(type, value)} as ${ident(nameOfValue(i))}`,
    );
    await becomeReader(tx, { timeoutMs: queryTimeoutOf({ type }, config) });
    const found = await tx
      .query<{ id: number | null; geometry: string | null } & Record<string, unknown>>(sql`
        select ${join([sql`${id} as id`, sql`st_geometrytype(${geom}) as geometry`, ...values])}
        from (\n${checkedSql(run)}\n) q limit ${rows}::bigint`)
      .catch((error) => Promise.reject(queryFailure(error, stored, run)));
    return {
      columns: columns.map(({ code, type }) => ({ code, type })),
      rows: found.map(({ id, geometry, ...row }) => ({
        id,
        geometry: geometry?.replace('ST_', '') ?? null,
        fields: Object.fromEntries(columns.map(({ code }, i) => [code, row[nameOfValue(i)]])),
      })),
    };
  });
}

/** Names that no column of a query has. */
const nameOfValue = (i: number): string => `value ${i}`;
