import type { Column, ColumnType } from '@cartulary/columns';
import { grantToQueryRole, type Queryable, type Transaction } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { checkBuiltText } from '@cartulary/select-guard';
import { sql } from '@cartulary/sql';
import { nowhere } from '../columns/column-packs.js';
import { type QueryText, queryText, type StoredQuery } from './query-text.js';

/** A query layer with the layers that it reads. */
export interface QueryLayer {
  id: number;
  mapId: number;
  projectId: number;
  visual_settings: unknown;
  visual_custom_settings: unknown;
  type: 'virtual' | 'material';
  code: string;
  style: string;
  stored: StoredQuery;
  run: QueryText;
  kindOf: (code: string) => ColumnType | undefined;
}

/** The text of a query as it runs now, over the current layers. Throws `query_invalid` when one was deleted. */
export async function readQueryLayer(tx: Transaction, layerId: number): Promise<QueryLayer> {
  const [row] = await tx.query<
    StoredQuery &
      Pick<QueryLayer, 'id' | 'type' | 'code' | 'style' | 'visual_settings' | 'visual_custom_settings'> & {
        map_id: number;
        project_id: number;
        main: string;
      }
  >(sql`
    select c.id, c.type, c.code, c.css_style as style, c.visual_settings, c.visual_custom_settings,
      c.map_id, c.project_id, q.parts, q.refs, p.languages[1] as main
    from cartulary.layer_query q join cartulary.container c on c.id = q.layer_id
    join cartulary.project p on p.id = c.project_id where q.layer_id = ${layerId}`);
  const { parts, refs, main, map_id: mapId, project_id: projectId, ...layer } = row!;
  const { weight, ...prepared } = await prepareQuery(tx, { parts, refs }, main);
  await tx.query(sql`update cartulary.layer_query set weight = ${weight} where layer_id = ${layerId}`);
  return { ...layer, ...prepared, mapId, projectId, stored: { parts, refs } };
}

/** A query as it runs now: its text over the tables of the present layers, which the role of queries may then read. */
export interface PreparedQuery {
  run: QueryText;
  kindOf: (code: string) => ColumnType | undefined;
  /** The number of terms in its expressions, with those of the virtual layers that it reads. */
  weight: number;
}

/** Throws `query_invalid` when a layer was deleted. `main`: the language in which localized values are read. */
export async function prepareQuery(
  tx: Transaction,
  { parts, refs }: StoredQuery,
  main: string,
): Promise<PreparedQuery> {
  const columns = await columnsOfLayers(
    tx,
    refs.map(({ source }) => source),
  );
  const missing = refs.find(({ source }) => !columns.has(source));
  if (missing)
    throw new ServiceError('query_invalid', `The layer ${missing.text} that the query reads was deleted`, {
      layer: missing.text,
    });
  const run = queryText({ parts, refs }, columns, main);
  // The parser checks the generated text once more: it must read nothing but the sources. It does not know slots of packs.
  const whole = [...columns].map(([id, own]) => [id, own.map((one) => ({ ...one, ...nowhere }))] as const);
  const judged = queryText({ parts, refs }, new Map(whole), main).text;
  const weight = await checkBuiltText(judged, await weightsOf(tx, [...columns.keys()]));
  for (const source of columns.keys()) await grantToQueryRole(tx, ['cartulary_data', `layer_${source}`]);
  const all = [...columns.values()].flat();
  const kindOf = (code: string) => all.find((column) => column.code === code)?.type;
  return { run, kindOf, weight };
}

/** The weights of tables by name: for virtual layers, the number of terms in their expressions. */
async function weightsOf(tx: Queryable, ids: readonly number[]): Promise<Map<string, number>> {
  const rows = await tx.query<{ id: number; weight: number }>(sql`
    select c.id, case c.type when 'virtual' then coalesce(q.weight, 1) else 1 end as weight
    from cartulary.container c left join cartulary.layer_query q on q.layer_id = c.id
    where c.id = any(${[...ids]}::integer[])`);
  return new Map(rows.map(({ id, weight }) => [`cartulary_data.layer_${id}`, weight]));
}

/** The columns of existing layers, by layer id. */
export async function columnsOfLayers(
  db: Queryable,
  ids: readonly number[],
): Promise<Map<number, readonly Column[]>> {
  const rows = await db.query<{ id: number; columns: Column[] }>(sql`
    select l.id, (select coalesce(jsonb_agg(to_jsonb(c) order by c.sort, c.id), '[]')
      from cartulary.layer_column c where c.layer_id = l.id) as columns
    from cartulary.container l where l.id = any(${[...ids]}::integer[])`);
  return new Map(rows.map(({ id, columns }) => [id, columns]));
}
