import { type Column, isScalar } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { Refusal } from '@cartulary/formats';
import { join, type Sql, sql } from '@cartulary/sql';
import { layerTable, stored } from '../../layers/layers.js';
import type { ColumnPlan } from './plan.js';
import type { Staging } from './staging.js';
import { newValue, type Storing, sliceRows } from './storing.js';

/*
 * Merging by a key: a feature changes the object with the same values in the columns of the key. The staged rows get the ids
 * of their objects, and are stored like those of a file that names ids. In these statements `s` is the staging table, `t` the
 * layer's table.
 */

const refuseKey = (code: string, why: string): never => {
  throw badRequest(`key: ${why}`, { parameters: ['key'], columns: [code] });
};

/** Checks that the columns of a key exist and can be compared. Throws 400. */
export function checkKey(key: readonly string[], columns: readonly Column[]): void {
  for (const code of key) {
    const column = columns.find((one) => one.code === code && code !== 'svc_id');
    if (!column) refuseKey(code, `the layer has no column '${code}'`);
    else if (!isScalar(column) || column.type === 'bool' || column.localized_value)
      refuseKey(code, `the column '${code}' must have numbers, texts or datetimes without languages`);
  }
}

/** The plans of the columns of the key. Throws 400 where the file has no values for one. */
const keyPlans = (key: readonly string[], plans: Storing['plans']): ColumnPlan<Column>[] =>
  key.map(
    (code) =>
      plans.find(({ column }) => column.code === code) ??
      refuseKey(code, `the file has no property for the column '${code}'`),
  );

/**
 * Gives each staged row the id of the object with its key; ids of the file do not count. Rows without a value in one of the
 * columns become new objects. Returns the rows that cannot be stored: of an earlier row's key, and with several objects.
 */
export async function matchByKey(
  tx: Queryable,
  { layerId, staging, plans }: Storing,
  { key, last }: { key: readonly string[]; last: number },
): Promise<Refusal[]> {
  const chosen = keyPlans(key, plans);
  const values = chosen.map(newValue);
  const shown = sql`left(concat_ws(', ', ${join(values)}), 100)`;
  await tx.query(sql`update ${staging} set id = null where id is not null`);
  const refusals = await keyTwins(tx, staging, { values, shown, key });
  const isEqual = chosen.map(({ column }, i) => sql`${stored(column, sql`t`)} = ${values[i]!}`);
  for (let from = 1; from <= last; from += sliceRows) {
    const several = await tx.query<{ n: number; value: string; objects: number }>(sql`
      with matches as (
        select s.n, min(t.svc_id) as id, count(*) as objects, min(${shown}) as value
        from ${staging} s join ${layerTable(layerId)} t on ${join(isEqual, ' and ')}
        where s.n >= ${from} and s.n < ${from + sliceRows} group by s.n
      ), matched as (
        update ${staging} s set id = m.id from matches m where s.n = m.n and m.objects = 1
      )
      select n, value, objects from matches where objects > 1 order by n`);
    for (const { n, value, objects } of several)
      refusals.push(refusal(n, noteOf('keyOfSeveral', { count: objects, key: key.join(', '), value })));
  }
  return refusals.sort((a, b) => a.feature - b.feature);
}

const refusal = (n: number, why: string): Refusal => ({
  feature: n,
  code: 'import_failed',
  message: noteOf('ofFeature', { feature: n, reason: why }),
});

/** Rows whose key an earlier row has. */
async function keyTwins(
  tx: Queryable,
  staging: Staging,
  { values, shown, key }: { values: readonly Sql[]; shown: Sql; key: readonly string[] },
): Promise<Refusal[]> {
  const twins = await tx.query<{ n: number; first: number; value: string }>(sql`
    select n, first, value from (
      select s.n, min(s.n) over (partition by ${join(values)}) as first, ${shown} as value
      from ${staging} s where ${join(
        values.map((value) => sql`${value} is not null`),
        ' and ',
      )}) keyed where n > first order by n`);
  return twins.map(({ n, first, value }) =>
    refusal(n, noteOf('keyTwice', { key: key.join(', '), value, first })),
  );
}

/** Removes refused rows from the staging table. */
export const removeRefused = (
  tx: Queryable,
  staging: Staging,
  refusals: readonly Refusal[],
): Promise<unknown> =>
  tx.query(sql`delete from ${staging} where n = any(${refusals.map(({ feature }) => feature)}::bigint[])`);

/** Throws the first of the refusals. */
export function refuseFirst([first]: readonly Refusal[]): void {
  if (first) throw new ServiceError(first.code, first.message, { feature: first.feature });
}
