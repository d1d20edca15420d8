import { answeredValue } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { join, type Sql, sql } from '@cartulary/sql';
import type { ColumnPlan } from './plan.js';
import type { Staging } from './staging.js';
import { newValue } from './storing.js';

/** A feature as it would be stored. */
export interface FirstRow {
  feature: number;
  fields: Record<string, unknown>;
  geom: unknown;
}

/** Longest text, characters, and most points of a geometry. */
const textLimit = 500;
const pointLimit = 1_000;

/** The first staged features with the values that their columns would have. */
export async function firstRows(
  db: Queryable,
  staging: Staging,
  plans: readonly ColumnPlan[],
  limit: number,
): Promise<FirstRow[]> {
  const values = plans.map((plan) => sql`to_jsonb(${shownValue(plan)})`);
  const rows = await db.query<{ feature: number; values: unknown[]; geom: unknown }>(sql`
    select s.n as feature, to_jsonb(array[${join(values)}]::jsonb[]) as values,
      case when st_npoints(s.geom) <= ${pointLimit}::integer then st_asgeojson(s.geom)::json end as geom
    from ${staging} s order by s.n limit ${limit}::bigint`);
  return rows.map(({ feature, values, geom }) => ({
    feature,
    fields: Object.fromEntries(plans.map(({ column }, i) => [column.code, values[i] ?? null])),
    geom,
  }));
}

function shownValue(plan: ColumnPlan): Sql {
  const { type, localized_value } = plan.column;
  const value = newValue(plan);
  if (localized_value || type === 'json') return value;
  return type === 'string' || type === 'text'
    ? sql`left(${value}, ${textLimit}::integer)`
    : answeredValue(type, sql`(${value})`);
}
