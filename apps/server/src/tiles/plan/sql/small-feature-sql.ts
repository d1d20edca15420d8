import type { Distinction, FeatureFilter } from '@cartulary/cartocss';
import {
  type ChunkGrid,
  type ChunkPlace,
  chunkBox,
  chunkSide,
  closedLine,
  kindShift,
  maxSideQuarters,
  placesPerPixel,
} from '@cartulary/renderer';
import { empty, ident, join, type Sql, sql } from '@cartulary/sql';
import { levelOf } from '../../../layers/indexes/small-feature-index.js';
import { layerTable } from '../../../layers/layers.js';
import { conditionSql } from './condition-sql.js';

/** The query of a layer's small features. */
export interface SmallFeatureQuery extends ChunkGrid {
  layerId: number;
  filter: FeatureFilter;
  distinctions: readonly Distinction[];
  /** SQL of the values that the style reads, by column code, over the table alias `t`. */
  values: ReadonlyMap<string, Sql>;
}

/** A row of `smallFeaturesSql`: the features of one kind in a chunk. */
export interface SmallFeatureRow {
  column: number;
  row: number;
  dimension: number;
  /** Values that the style reads, of one of the features, as JSON. */
  properties: string;
  /** The values that distinguish the kind, as JSON. */
  look: string;
  /** Features in no order, 12 bytes each: object id (8), number of place and shape (4), whose bits from 25 count further equal features. */
  features: Buffer;
}

/** Limit of equal features in one place: further ones are invisible, unless they are nearly transparent. */
const maxEqual = 8;

/** Decodes the columns of `smallFeaturesSql`. */
export const smallFeatureRow = ([
  column,
  row,
  dimension,
  properties,
  look,
  features,
]: readonly (Buffer | null)[]): SmallFeatureRow => ({
  column: column!.readInt32BE(),
  row: row!.readInt32BE(),
  dimension: dimension!.readInt32BE(),
  properties: properties!.toString(),
  look: look!.toString(),
  features: features!,
});

/**
 * The small features of chunks by kind. A feature belongs to the chunk that contains the middle of its box, and is
 * placed to a quarter of a pixel. Its size is in quarters of a pixel; a polygon gets a box of its area, and an open line the
 * information whether it rises to the east.
 */
export function smallFeaturesSql(reading: SmallFeatureQuery, chunks: readonly ChunkPlace[]): Sql {
  const { layerId, distinctions, values } = reading;
  const keys = distinctions.map((one, i) => ({ value: keySql(one, values), name: ident(`k${i}`) }));
  const kind = sql`col, "row", dimension${join(
    keys.map(({ name }) => sql`, ${name}`),
    '',
  )}`;
  const shown = [...values].map(([code, value]) => sql`${code}::text, ${value}`);
  return sql`
    select g.col, g.row, g.dimension,
      (select json_build_object(${join(shown)})::text from ${layerTable(layerId)} t where t.svc_id = g.sample),
      json_build_array(${join(keys.map((_, i) => ident('g', `k${i}`)))})::text, g.features
    from (
      select ${kind}, min(id) as sample,
        string_agg(int8send(id) || int4send(place | (again << ${kindShift})), ''::bytea) as features
      from (
        select ${kind}, x | (y << 9) | (shape << 18) as place, max(svc_id) as id,
          (least(${maxEqual}, count(*)) - 1)::integer as again
        from (${foundSql(reading, chunks, keys)}) found
        group by ${kind}, place
      ) one
      group by ${kind}
    ) g`;
}

/** A value that distinguishes kinds, and its column name. */
interface Key {
  value: Sql;
  name: Sql;
}

const keySql = (one: Distinction, values: ReadonlyMap<string, Sql>): Sql =>
  one.kind === 'truth' ? conditionSql(one.of, values) : values.get(one.column)!;

/** A row for each small feature in the chunks. */
function foundSql(
  { layerId, level, depth, filter, values }: SmallFeatureQuery,
  chunks: readonly ChunkPlace[],
  keys: readonly Key[],
): Sql {
  const condition = filter === 'all' || filter === 'none' ? empty : sql` and ${conditionSql(filter, values)}`;
  const cells = placesPerPixel * chunkSide({ depth });
  const named = keys.map(({ value, name }) => sql`, ${value} as ${name}`);
  return sql`
    select c.col, c."row", t.svc_id, b.dimension, p.x, p.y, ${shapeSql} as shape${join(named, '')}
    from ${chunksSql(chunks)}
    join ${layerTable(layerId)} t on t.geom && st_makeenvelope(c.west, c.south, c.east, c.north, 4326)
    cross join lateral (
      select ${dimensionSql} as dimension, geometrytype(t.geom) as type, st_xmin(t.geom) as west, st_xmax(t.geom) as east,
        st_ymin(t.geom) as south, st_ymax(t.geom) as north offset 0) b
    cross join lateral (${placeSql((256 * 2 ** level * placesPerPixel) / 360, cells)} offset 0) s
    cross join lateral (
      select s.x::integer as x, s.y::integer as y
      where s.x between 0 and ${cells - 1} and s.y between 0 and ${cells - 1} offset 0) p
    where ${levelOf(size)} >= ${level}${condition}`;
}

const size = {
  type: sql`b.type`,
  west: sql`b.west`,
  south: sql`b.south`,
  east: sql`b.east`,
  north: sql`b.north`,
};

/** The `dimension` of a kind. */
const dimensionSql = sql`case st_dimension(t.geom)
  when 1 then (case when st_isclosed(t.geom) then ${closedLine} else 1 end)
  else st_dimension(t.geom) end`;

/** Latitude of the middle of a box, limited to the world of EPSG:3857. */
const middle = sql`greatest(-85.06, least(85.06, (b.south + b.north) / 2))`;

/** The places of chunks and their boxes in degrees, as `c`. */
export function chunksSql(chunks: readonly ChunkPlace[]): Sql {
  const boxes = chunks.map(chunkBox);
  const side = (i: number): Sql => sql`${boxes.map((box) => box[i]!)}::double precision[]`;
  return sql`unnest(${chunks.map(({ column }) => column)}::integer[], ${chunks.map(({ row }) => row)}::integer[],
    ${join([0, 1, 2, 3].map(side))}) as c(col, "row", west, south, east, north)`;
}

/**
 * Position of a box's middle within its chunk (`cells` per row), and its size, in quarters of a pixel; `scale`: quarters
 * of a pixel per degree of longitude.
 */
const placeSql = (scale: number, cells: number): Sql => sql`
  select floor(((b.west + b.east) / 2 + 180) * ${scale})::bigint - c.col::bigint * ${cells} as x,
    floor((180 - degrees(asinh(tan(radians(${middle}))))) * ${scale})::bigint - c."row"::bigint * ${cells} as y,
    (b.east - b.west) * ${scale} as width,
    (b.north - b.south) / cos(radians(${middle})) * ${scale} as height`;

/** A side in quarters of a pixel, limited to `maxSideQuarters`. */
const quarters = (side: Sql): Sql => sql`least(${maxSideQuarters}, round(${side}))::integer`;
const polygonSide = (side: Sql): Sql => sql`greatest(1, ${quarters(sql`${side} * sqrt(f.part)`)})`;
const first = sql`st_geometryn(t.geom, 1)`;

/** Shape number: width (3 bits) and height (3 bits) in quarters of a pixel, and whether an open line rises (1 bit). */
const shapeSql = sql`case b.dimension
  when 0 then 0
  when ${closedLine} then greatest(1, ${quarters(sql`s.width`)}) | (greatest(1, ${quarters(sql`s.height`)}) << 3)
  when 1 then ${quarters(sql`s.width`)} | (${quarters(sql`s.height`)} << 3) | (case when
    (st_x(st_endpoint(${first})) - st_x(st_startpoint(${first}))) * (st_y(st_endpoint(${first})) - st_y(st_startpoint(${first}))) > 0
    then 64 else 0 end)
  else (
    select ${polygonSide(sql`s.width`)} | (${polygonSide(sql`s.height`)} << 3)
    from (select coalesce(least(1, st_area(t.geom) / nullif((b.east - b.west) * (b.north - b.south), 0)), 1) as part) f)
  end`;
