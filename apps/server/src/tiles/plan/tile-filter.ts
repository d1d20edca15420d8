import { attributeName, type Column } from '@cartulary/columns';
import { badRequest } from '@cartulary/errors';
import { empty, ident, join, type Sql, sql } from '@cartulary/sql';
import { Type } from 'typebox';
import { holdsObjects, layerTable } from '../../layers/layers.js';
import { type Filter, parseFilter } from '../../objects/query/filter.js';
import { parseCql2Text } from '../../objects/query/text/cql2-text.js';
import type { SourceLayer } from './map-content.js';
import { type OutsideChunks, outsideChunksSql } from './sql/larger-sql.js';
import { onPlane, type Plane, regionOf } from './sql/plane.js';

/** The query parameter `filter` of tiles. */
export const TileFilterParameter = Type.Optional(
  Type.String({
    maxLength: 20_000,
    description:
      'CQL2, as text or JSON: only objects that meet it are drawn. It counts for each layer that has all of its columns; other layers are drawn whole',
    examples: ['population > 1000000'],
  }),
);

/** Filters by layer id. */
export type LayerFilters = ReadonlyMap<number, Filter>;

const noFilters: LayerFilters = new Map();

/**
 * The filter of a request for each layer that has its columns. Throws 400 for a filter that is wrong, and for one that no
 * layer has the columns of.
 */
export function filtersFor(text: string | undefined, sources: readonly SourceLayer[]): LayerFilters {
  if (text === undefined) return noFilters;
  const names = namesIn(text);
  const meant = sources.filter(
    (source) =>
      holdsObjects(source) && names.every((name) => source.columns.some(({ code }) => code === name)),
  );
  if (!meant.length && names.length && sources.length)
    throw badRequest(
      `filter: no drawn layer has the columns ${names.map((name) => `'${name}'`).join(', ')} together`,
      {
        parameters: ['filter'],
        columns: names,
      },
    );
  return new Map(meant.map(({ id, columns }) => [id, parseFilter(text, columns as readonly Column[])]));
}

/** Columns of an error message, and of a filter that is worth to be read. */
const maxNames = 100;

/** The columns that a filter names. Throws 400 for a text that is no filter. */
function namesIn(text: string): string[] {
  const names = new Set<string>();
  const waiting: unknown[] = [/^\s*\{/.test(text) ? jsonOf(text) : parseCql2Text(text).json];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (typeof part !== 'object' || part === null) continue;
    const { property } = part as { property?: unknown };
    if (typeof property === 'string') names.add(property);
    for (const one of Object.values(part)) if (one !== undefined) waiting.push(one);
    if (names.size > maxNames)
      throw badRequest(`filter: more than ${maxNames} columns`, { parameters: ['filter'] });
  }
  return [...names];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('filter: is not valid JSON', { parameters: ['filter'] });
  }
}

/** What decides which objects of a layer are read. */
export interface ObjectSource {
  id: number;
  /** Absent: all objects. */
  only?: Filter | undefined;
  lng?: string | undefined;
  main: string;
  /** Absent: positions stay as they are. */
  plane?: Plane | undefined;
  /** On a plane: the objects alone that chunks do not have. */
  outside?: OutsideChunks | undefined;
  columns: readonly Pick<Column, 'id' | 'code' | 'type' | 'pack'>[];
}

/** The table of a layer, or of its objects that meet a filter or lie in a plane, for a `from`. */
export function objectsTable(source: ObjectSource): Sql {
  const { id, only, lng, main, plane, columns, outside } = source;
  const wanted = only && sql`(${only({ alias: sql`t`, lng, main, robust: true })})`;
  if (plane) {
    const others = outside ? sql` and ${outsideChunksSql(outside)}` : empty;
    // A title heads other columns and has no values.
    const valued = columns.filter(({ type }) => type !== 'title');
    const attributes = new Set(valued.map((column) => attributeName({ slot: null, ...column })));
    attributes.delete('svc_id');
    attributes.delete('geom');
    const read = [...attributes].map((name) => sql`, t.${ident(name)}`);
    // `offset 0`: a position is moved once, whatever reads it.
    return sql`(select t.svc_id, ${onPlane(sql`t.geom`, plane)} as geom${join(read, '')}
      from ${layerTable(id)} t where t.geom && ${regionOf(plane)}${wanted ? sql` and ${wanted}` : empty}${others} offset 0)`;
  }
  return wanted ? sql`(select t.* from ${layerTable(id)} t where ${wanted})` : layerTable(id);
}
