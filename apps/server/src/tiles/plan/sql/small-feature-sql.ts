import { empty, ident, join, type Sql, sql } from '../../db/sql.js';
import { layerTable } from '../../layers/layers.js';
import { levelOf } from '../../layers/speck-index.js';
import type { Distinction, FeatureFilter } from '../../styles/compile.js';
import { conditionSql } from '../layer-sql.js';
import {
  type ChunkGrid,
  type ChunkPlace,
  chunkBox,
  chunkSide,
  kindShift,
  largestSide,
  places,
} from './chunk.js';

/** What is read of a layer's specks. */
export interface SpeckReading extends ChunkGrid {
  layerId: number;
  filter: FeatureFilter;
  distinctions: readonly Distinction[];
  /** What the style reads, by the codes of columns, over the table's alias `t`. */
  values: ReadonlyMap<string, Sql>;
}

/** A row of `specksSql`: those of a chunk that are of a kind. */
export interface SpeckRow {
  column: number;
  row: number;
  dimension: number;
  /** JSON of what the style reads of one of them. */
  properties: string;
  /** 12 bytes for each, in no order: the id, and the number of its place and shape with how many more of them there are (from bit 25). */
  specks: Buffer;
}

/** Of those that are alike and in one place so many are drawn: of the next ones nothing is seen, unless they are nearly transparent. */
const mostAlike = 8;

/** In the order of the columns of `specksSql`. */
export const speckRow = ([
  column,
  row,
  dimension,
  properties,
  specks,
]: readonly (Buffer | null)[]): SpeckRow => ({
  column: column!.readInt32BE(),
  row: row!.readInt32BE(),
  dimension: dimension!.readInt32BE(),
  properties: properties!.toString(),
  specks: specks!,
});

/**
 * The specks of chunks by their kinds: the middle of the box lies in the chunk, to a quarter of a pixel; its width and height in quarters
 * of a pixel, for polygons those of a box of the same area; for lines whether it rises to the east.
 */
export function specksSql(reading: SpeckReading, chunks: readonly ChunkPlace[]): Sql {
  const { layerId, distinctions, values } = reading;
  const keys = distinctions.map((one, i) => ({ value: keySql(one, values), name: ident(`k${i}`) }));
  const kind = sql`col, "row", dimension${join(
    keys.map(({ name }) => sql`, ${name}`),
    '',
  )}`;
  const shown = [...values].map(([code, value]) => sql`${code}::text, ${value}`);
  return sql`
    select g.col, g.row, g.dimension,
      (select json_build_object(${join(shown)})::text from ${layerTable(layerId)} t where t.svc_id = g.sample), g.specks
    from (
      select ${kind}, min(id) as sample,
        string_agg(int8send(id) || int4send(place | (again << ${kindShift})), ''::bytea) as specks
      from (
        select ${kind}, x | (y << 9) | (shape << 18) as place, max(svc_id) as id,
          (least(${mostAlike}, count(*)) - 1)::integer as again
        from (${foundSql(reading, chunks, keys)}) found
        group by ${kind}, place
      ) one
      group by ${kind}
    ) g`;
}

/** What tells the kinds of specks apart, and how it is called. */
interface Key {
  value: Sql;
  name: Sql;
}

const keySql = (one: Distinction, values: ReadonlyMap<string, Sql>): Sql =>
  one.kind === 'truth' ? conditionSql(one.of, values) : values.get(one.column)!;

/** A row for each speck of the chunks. */
function foundSql(
  { layerId, level, depth, filter, values }: SpeckReading,
  chunks: readonly ChunkPlace[],
  keys: readonly Key[],
): Sql {
  const condition = filter === 'all' || filter === 'none' ? empty : sql` and ${conditionSql(filter, values)}`;
  const cells = places * chunkSide({ depth });
  const named = keys.map(({ value, name }) => sql`, ${value} as ${name}`);
  return sql`
    select c.col, c."row", t.svc_id, b.dimension, p.x, p.y, ${shapeSql} as shape${join(named, '')}
    from ${chunksSql(chunks)}
    join ${layerTable(layerId)} t on t.geom && st_makeenvelope(c.west, c.south, c.east, c.north, 4326)
    cross join lateral (
      select st_dimension(t.geom) as dimension, geometrytype(t.geom) as type, st_xmin(t.geom) as west, st_xmax(t.geom) as east,
        st_ymin(t.geom) as south, st_ymax(t.geom) as north offset 0) b
    cross join lateral (${placeSql((256 * 2 ** level * places) / 360, cells)} offset 0) s
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

/** The latitude of the middle of a box; what lies beyond the world of EPSG:3857 lies at its edge. */
const middle = sql`greatest(-85.06, least(85.06, (b.south + b.north) / 2))`;

function chunksSql(chunks: readonly ChunkPlace[]): Sql {
  const boxes = chunks.map(chunkBox);
  const side = (i: number): Sql => sql`${boxes.map((box) => box[i]!)}::double precision[]`;
  return sql`unnest(${chunks.map(({ column }) => column)}::integer[], ${chunks.map(({ row }) => row)}::integer[],
    ${join([0, 1, 2, 3].map(side))}) as c(col, "row", west, south, east, north)`;
}

/** Where the middle of a box lies in its chunk, of `cells` in a row, and its size, in quarters of a pixel: `scale` of them are a degree of longitude. */
const placeSql = (scale: number, cells: number): Sql => sql`
  select floor(((b.west + b.east) / 2 + 180) * ${scale})::bigint - c.col::bigint * ${cells} as x,
    floor((180 - degrees(asinh(tan(radians(${middle}))))) * ${scale})::bigint - c."row"::bigint * ${cells} as y,
    (b.east - b.west) * ${scale} as width,
    (b.north - b.south) / cos(radians(${middle})) * ${scale} as height`;

/** A side in quarters of a pixel. */
const quarters = (side: Sql): Sql => sql`least(${largestSide}, round(${side}))::integer`;
const polygonSide = (side: Sql): Sql => sql`greatest(1, ${quarters(sql`${side} * sqrt(f.part)`)})`;
const first = sql`st_geometryn(t.geom, 1)`;

/** Quarters of a pixel: width (3 bits), height (3), whether a line rises (1). */
const shapeSql = sql`case b.dimension
  when 0 then 0
  when 1 then ${quarters(sql`s.width`)} | (${quarters(sql`s.height`)} << 3) | (case when
    (st_x(st_endpoint(${first})) - st_x(st_startpoint(${first}))) * (st_y(st_endpoint(${first})) - st_y(st_startpoint(${first}))) > 0
    then 64 else 0 end)
  else (
    select ${polygonSide(sql`s.width`)} | (${polygonSide(sql`s.height`)} << 3)
    from (select coalesce(least(1, st_area(t.geom) / nullif((b.east - b.west) * (b.north - b.south), 0)), 1) as part) f)
  end`;
