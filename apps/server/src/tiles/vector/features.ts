import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Asking, Database, LongReads, Queryable } from '../../db/pool.js';
import { ident, join, type Sql, sql } from '../../db/sql.js';
import { fromMercator } from '../../geo/bbox.js';
import { type Extent, tileExtent } from '../../geo/tile.js';
import { layerTable } from '../../layers/layers.js';
import { readColumns } from '../layer-sql.js';
import type { SourceLayer } from '../sources.js';
import { type GroupLimits, inGroups } from './groups.js';
import { encodeLayer, type TileFeature, type TileValue, tileUnits } from './mvt.js';
import { shapesOf } from './shapes.js';

export interface FeaturesRequest {
  z: number;
  x: number;
  /** From the north. */
  y: number;
  layer: Pick<SourceLayer, 'id' | 'code' | 'columns'>;
  /** Codes of the columns whose values come with the features. */
  fields: readonly string[];
  lng: string;
  main: string;
  /** Most features; of more the largest are taken, of points a sample that is the same each time. */
  limit: number;
}

/** Units around the tile in which features are kept too, so that symbols and outlines are whole at its edges. */
const margin = 256;
/** How far a vertex may lie from its place, units: a quarter of a pixel of a tile of 256. */
const tolerance = 4;
/** From this zoom level on shapes are as they are stored. */
const exactFrom = 16;

/** A layer of a vector tile as bytes, which may stand beside those of others, and how many features it has. */
export interface MadeLayer {
  bytes: Uint8Array;
  features: number;
}

export type MakeLayer = (request: FeaturesRequest) => Promise<MadeLayer>;

/** Makes layers of tiles: in the database where it can, for the embedded one has no ST_AsMVT. */
export const createLayerMaker = (db: Database, limits: GroupLimits): MakeLayer =>
  db.engine === 'postgres' ? inDatabase(db.long, limits) : (request) => here(db.long, request);

/** Objects of a tile from which on planning is a small part of its time, and a plan for it alone may be twice as fast. */
const many = 5_000;

interface TileStatement {
  /** Layer and zoom level. */
  level: string;
  part: Sql;
}

/**
 * Planning takes as long as to make a tile of few features, so for those one plan is kept, by the index over shapes; of those that wait
 * up to four are made by one statement (decision 34). At the zoom levels where a tile of the layer was
 * found to have many, each gets its own.
 */
function inDatabase(db: LongReads, limits: GroupLimits): MakeLayer {
  const heavy = new LRUCache<string, true>({ max: 10_000 });

  async function make(tiles: readonly TileStatement[], how: Asking): Promise<MadeLayer[]> {
    const parts = tiles.map(({ part }, i) => sql`select t.*, ${i}::integer as i from (${part}) t`);
    const rows = await db.raw(sql`${join(parts, ' union all ')} order by i`, how);
    return rows.map(([bytes, features, found], i) => {
      if (found!.readInt32BE() > many) heavy.set(tiles[i]!.level, true);
      return { bytes: bytes!, features: features!.readInt32BE() };
    });
  }

  const light = inGroups<TileStatement, MadeLayer>({
    most: 4,
    ...limits,
    kindOf: ({ part }) => part.text.join('?'),
    answer: (tiles) => make(tiles, { isPrepared: true }),
  });

  return async (request) => {
    const tile = { level: `${request.layer.id}/${request.z}`, part: layerTileSql(request) };
    if (!heavy.has(tile.level)) return light(tile);
    const [made] = await make([tile], {});
    return made!;
  };
}

async function here(db: Queryable, request: FeaturesRequest): Promise<MadeLayer> {
  const features = await readFeatures(db, request);
  const { layer, fields } = request;
  return {
    bytes: encodeLayer({ name: layer.code, keys: ['svc_id', ...fields], features }),
    features: features.length,
  };
}

async function readFeatures(db: Queryable, request: FeaturesRequest): Promise<TileFeature[]> {
  const rows = await db.query<Record<string, unknown>>(
    sql`select t.*, st_asbinary(t.shape, 'NDR') as shape from (${shapesSql(request)}) t where not st_isempty(t.shape) order by t.id`,
  );
  const features: TileFeature[] = [];
  for (const [i, row] of rows.entries()) {
    // Others have their turn too.
    if (i % 2_000 === 1_999) await setImmediate();
    const id = Number(row.id);
    const values = request.fields.map((_, n) => row[`v${n}`] as TileValue);
    for (const shape of shapesOf(row.shape as Buffer)) features.push({ id, shape, values: [id, ...values] });
  }
  return features;
}

/** The query of a layer as bytes of a vector tile, of how many features, out of how many shapes that lie there, seen or not. A collection gives a feature for each kind of shape in it. Pure. */
export function layerTileSql(request: FeaturesRequest): Sql {
  const values = request.fields.map((code, n) => sql`, t.${ident(`v${n}`)} as ${ident(code)}`);
  const isSeen = sql`not st_isempty("the feature"."the shape")`;
  // The numbers of a tile go down the screen, where the direction that the format wants is the opposite one.
  return sql`
    select st_asmvt("the feature", ${request.layer.code}, ${tileUnits}::int, 'the shape', 'the id') filter (where ${isSeen}) as bytes,
      (count(*) filter (where ${isSeen}))::integer as features, count(*)::integer as found
    from (
      select t.id as "the id", t.id as svc_id, st_forcepolygonccw(k.shape) as "the shape"${join(values, '')}
      from (${shapesSql(request)}) t
      cross join lateral unnest(case when geometrytype(t.shape) <> 'GEOMETRYCOLLECTION' then array[t.shape]
        else array[st_collectionextract(t.shape, 1), st_collectionextract(t.shape, 2), st_collectionextract(t.shape, 3)] end) k(shape)
      order by t.id) "the feature"`;
}

/** The query of the features: `id`, `shape` in units of the tile, and values `v0`, `v1`… Pure. */
function shapesSql({ z, x, y, layer, fields, lng, main, limit }: FeaturesRequest): Sql {
  const extent = tileExtent(z, x, y);
  const values = readColumns({ columns: layer.columns, read: fields, lng, main });
  const selected = fields.map((code, n) => sql`, ${values.get(code) ?? sql`null`} as ${ident(`v${n}`)}`);
  const box = boxSql(extent);
  return sql`
    select t.svc_id as id, ${inUnits(shapeSql(box, extent, z), extent)} as shape${join(selected, '')}
    from ${layerTable(layer.id)} t where t.geom && ${box}
    order by greatest(st_xmax(t.geom) - st_xmin(t.geom), st_ymax(t.geom) - st_ymin(t.geom)) desc, hashint8(t.svc_id), t.svc_id
    limit ${limit}`;
}

const unit = ([west, , east]: Extent): number => (east - west) / tileUnits;

/** The tile with its margin, in degrees. */
function boxSql(extent: Extent): Sql {
  const by = margin * unit(extent);
  const [west, south, east, north] = extent;
  const [w, s] = fromMercator(west - by, south - by);
  const [e, n] = fromMercator(east + by, north + by);
  return sql`st_makeenvelope(${w}::double precision, ${s}::double precision, ${e}::double precision, ${n}::double precision, 4326)`;
}

/** The part of a shape that lies in the tile, in EPSG:3857, without vertices that nobody sees. */
function shapeSql(box: Sql, extent: Extent, z: number): Sql {
  const cut = sql`st_transform(case when st_dimension(t.geom) = 0 or t.geom @ ${box} then st_force2d(t.geom)
    else st_clipbybox2d(st_force2d(t.geom), ${box}) end, 3857)`;
  if (z >= exactFrom) return cut;
  return sql`case when st_npoints(t.geom) < 5 then ${cut}
    else st_simplify(${cut}, ${tolerance * unit(extent)}::double precision, true) end`;
}

/** A shape of EPSG:3857 in whole units of the tile from its north-west corner. */
function inUnits(shape: Sql, extent: Extent): Sql {
  const scale = 1 / unit(extent);
  const [west, , , north] = extent;
  return sql`st_snaptogrid(st_affine(${shape}, ${scale}::double precision, 0, 0, ${-scale}::double precision,
    ${-west * scale}::double precision, ${north * scale}::double precision), 1)`;
}
