import type { CartularyClient, ColumnDetails, LayerOfMap } from '@cartulary/client';
import type { Extent } from '../../../../common/types.js';

/** A column that a table is sorted by. */
export interface TableSort {
  code: string;
  descending: boolean;
}

/** Where the rows of a table come from: a layer, the order, and the condition. */
export interface RowSource {
  client: CartularyClient;
  path: LayerOfMap;
  lng: string;
  columns: readonly ColumnDetails[];
  sort: TableSort | null;
  /** CQL2-JSON; null: all objects. */
  filter: object | null;
}

/** A row: an object without its geometry. */
export interface TableRow {
  id: number;
  fields: Readonly<Record<string, unknown>>;
  /** Texts of values whose column has a format. */
  formatted: Readonly<Record<string, unknown>>;
  /** null: the object has no geometry. */
  bbox: Extent | null;
}

interface Slice {
  offset: number;
  limit: number;
  signal?: AbortSignal | undefined;
}

const filterPath = '/api/2.8/{project}/{map}/layers/{layer}/filter/';
const groupsPath = '/api/2.8/{project}/{map}/layers/{layer}/statistics/groups/';

const sortText = ({ sort }: RowSource): string | undefined =>
  sort ? `${sort.code},${sort.descending ? 'd' : 'a'}` : undefined;

/** Objects of the table's list. */
async function list(
  { client, path, lng }: RowSource,
  body: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<{ id: number; fields: Record<string, unknown>; bbox?: unknown; geom?: unknown }[]> {
  const given = Object.fromEntries(Object.entries({ ...body, lng }).filter(([, value]) => value != null));
  return client.post(filterPath, { params: { path }, body: given, isRead: true, signal });
}

/** Reads a slice of the rows. */
export async function readRows(source: RowSource, { offset, limit, signal }: Slice): Promise<TableRow[]> {
  const slice = { sort: sortText(source), filter: source.filter, offset, limit };
  const formatted = source.columns.flatMap(({ code, format }) => (format ? [code] : []));
  const [rows, shown] = await Promise.all([
    list(source, { ...slice, fields: '*', returnBbox: '1' }, signal),
    formatted.length ? list(source, { ...slice, fields: formatted, f: 'fjson' }, signal) : [],
  ]);
  const texts = new Map(shown.map(({ id, fields }) => [id, fields]));
  return rows.map(({ id, fields, bbox }) => ({
    id,
    fields,
    formatted: texts.get(id) ?? {},
    bbox: (bbox as Extent | null | undefined) ?? null,
  }));
}

/** The ids of a slice of the rows. */
export const readIds = async (source: RowSource, { offset, limit, signal }: Slice): Promise<number[]> =>
  (await list(source, { sort: sortText(source), filter: source.filter, offset, limit }, signal)).map(
    ({ id }) => id,
  );

/** The row of an object, wherever it is in the order; null: it does not exist, or the filter leaves it out. */
export async function readRow(source: RowSource, id: number): Promise<TableRow | null> {
  const filter = both(source.filter, isObject(id));
  const [row] = await readRows({ ...source, filter }, { offset: 0, limit: 1 });
  return row ?? null;
}

/** The geometries of objects, simplified for a zoom level. */
export async function readGeometries(
  source: RowSource,
  ids: readonly number[],
  geomZoom: number | undefined,
  signal?: AbortSignal,
): Promise<Map<number, GeoJSON.Geometry | null>> {
  const filter = { op: 'in', args: [{ property: 'svc_id' }, ids] };
  const found = await list(source, { filter, returnGeom: '1', geomZoom, limit: ids.length }, signal);
  return new Map(found.map(({ id, geom }) => [id, (geom as GeoJSON.Geometry | null) ?? null]));
}

/** Counts the objects that the filter of the table, and a further one, let through. */
export async function countRows(
  { client, path, lng, filter }: RowSource,
  further: object | null = null,
  signal?: AbortSignal,
): Promise<number> {
  const all = both(filter, further);
  if (!all) {
    const params = { path, query: { precise: 'true' } } as const;
    return client.get('/api/2.8/{project}/{map}/layers/{layer}/count/', { params, signal });
  }
  const body = { by: [], filter: all, percentiles: [], limit: 1 };
  const params = { path, query: { lng } };
  const { groups } = await client.post(groupsPath, { params, body, isRead: true, signal });
  return groups[0]?.count ?? 0;
}

/** The place of a row in the order: the number of rows before it. Empty values come last. */
export async function rankOf(source: RowSource, { id, fields }: TableRow): Promise<number> {
  const { sort } = source;
  const earlier = { op: '<', args: [{ property: 'svc_id' }, id] };
  if (!sort) return countRows(source, earlier);
  const property = { property: sort.code };
  if (sort.code === 'svc_id')
    return countRows(source, { op: sort.descending ? '>' : '<', args: [property, id] });
  const value = fields[sort.code] ?? null;
  const isEmpty = { op: 'isNull', args: [property] };
  const equal = value === null ? isEmpty : { op: '=', args: [property, value] };
  const before = value === null ? { op: 'not', args: [isEmpty] } : beforeValue(sort, property, value);
  return countRows(source, {
    op: 'or',
    args: [...(before ? [before] : []), { op: 'and', args: [equal, earlier] }],
  });
}

/** The condition of values before a value; null: there are none. */
function beforeValue({ descending }: TableSort, property: object, value: unknown): object | null {
  if (typeof value !== 'boolean') return { op: descending ? '>' : '<', args: [property, value] };
  return value === descending ? null : { op: '=', args: [property, descending] };
}

const isObject = (id: number): object => ({ op: '=', args: [{ property: 'svc_id' }, id] });

/** Both conditions; null: there is none. */
export function both(one: object | null, other: object | null): object | null {
  if (one && other) return { op: 'and', args: [one, other] };
  return one ?? other;
}
