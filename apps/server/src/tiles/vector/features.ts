import { setImmediate } from 'node:timers/promises';
import type { Database, LongReads, Queryable, ReadOptions } from '@cartulary/database';
import { type Extent, fromMercator, tileExtent } from '@cartulary/geo';
import { ident, join, type Sql, sql } from '@cartulary/sql';
import { LRUCache } from 'lru-cache';
import type { Filter } from '../../objects/query/filter.js';
import { boundedSimplify } from '../../objects/store.js';
import type { SourceLayer } from '../plan/map-content.js';
import { clippedTo } from '../plan/sql/clip-sql.js';
import { styleColumns } from '../plan/sql/layer-source.js';
import { objectsTable } from '../plan/tile-filter.js';
import { Batcher, type BatchLimits } from './batcher.js';
import { encodeLayer, type TileFeature, type TileValue, tileUnits } from './mvt.js';
import { shapesOf } from './shapes.js';

export interface FeaturesRequest extends VectorPlace {
  layer: Pick<SourceLayer, 'id' | 'code' | 'columns'>;
  /** Codes of the columns that features carry. */
  fields: readonly string[];
  /** Absent: all objects. */
  only?: Filter | undefined;
  lng: string;
  main: string;
  /** Limit of the features: the largest are taken, and of points a reproducible sample. */
  limit: number;
}

/** The place of a vector tile. */
export interface VectorPlace {
  z: number;
  x: number;
  /** Row, from the north. */
  y: number;
  /** Whether the tile is one of WorldCRS84Quad: in degrees, two tiles at level 0. */
  isInDegrees?: boolean;
}

/** Its extent, in degrees or in EPSG:3857. */
function extentOf({ z, x, y, isInDegrees }: VectorPlace): Extent {
  if (!isInDegrees) return tileExtent(z, x, y);
  const side = 180 / 2 ** z;
  return [x * side - 180, 90 - (y + 1) * side, (x + 1) * side - 180, 90 - y * side];
}

/** Units around the tile whose features it contains, so that symbols and outlines are complete at its edges. */
const margin = 256;
/** Maximum displacement of a vertex, in units: a quarter of a pixel of a 256-pixel tile. */
const tolerance = 4;
/** Lowest zoom level at which shapes are not simplified. */
const exactFrom = 16;

/** An encoded layer of a vector tile (encoded layers may be concatenated), and its number of features. */
export interface MadeLayer {
  bytes: Uint8Array;
  features: number;
  /** Objects taken, and objects in the tile. */
  kept: number;
  of: number;
}

export type MakeLayer = (request: FeaturesRequest) => Promise<MadeLayer>;

export interface LayerMakerOptions extends BatchLimits {
  /** Whether PostgreSQL encodes tiles (a fast path, docs/fast-paths.md). */
  isEncodedByDatabase: boolean;
  /** Whether one prepared statement makes several small tiles (a fast path). */
  isBatched: boolean;
}

/** Makes layers of tiles with ST_AsMVT. The embedded database lacks it, so the service encodes its tiles. */
export function createLayerMaker(db: Database, options: LayerMakerOptions): MakeLayer {
  if (db.engine !== 'postgres' || !options.isEncodedByDatabase)
    return (request) => encodeHere(db.long, request);
  const maker = new DatabaseLayerMaker(db.long, options);
  return (request) => maker.make(request);
}

/** Features of a large tile: planning takes a small part of its time, and a plan of its own may be twice as fast. */
const largeTileFeatures = 5_000;
/** Tiles of one statement. */
const maxTilesPerStatement = 4;

interface TileStatement {
  /** Layer and zoom level. */
  level: string;
  part: Sql;
}

/**
 * Makes layers in the database. Planning takes as long as making a small tile, so small tiles share a prepared plan, and
 * up to four waiting ones share a statement (docs/decisions/0016-vector-tiles.md). At levels where a layer had a large tile, each tile
 * has a statement and a plan of its own.
 */
class DatabaseLayerMaker {
  readonly #db: LongReads;
  readonly #isBatched: boolean;
  readonly #batcher: Batcher<TileStatement, MadeLayer>;
  /** Levels with large tiles. */
  readonly #large = new LRUCache<string, true>({ max: 10_000 });

  constructor(db: LongReads, { isBatched, ...limits }: LayerMakerOptions) {
    this.#db = db;
    this.#isBatched = isBatched;
    this.#batcher = new Batcher({
      maxBatchSize: maxTilesPerStatement,
      ...limits,
      kindOf: ({ part }) => part.text.join('?'),
      answer: (tiles) => this.#run(tiles, { isPrepared: true }),
    });
  }

  async make(request: FeaturesRequest): Promise<MadeLayer> {
    const tile = {
      level: `${request.layer.id}/${request.z}/${request.isInDegrees ?? false}`,
      part: layerTileSql(request),
    };
    // A prepared plan of a filter would seldom be used again.
    if (this.#isBatched && !request.only && !this.#large.has(tile.level)) return this.#batcher.ask(tile);
    const [made] = await this.#run([tile], {});
    return made!;
  }

  async #run(tiles: readonly TileStatement[], how: ReadOptions): Promise<MadeLayer[]> {
    const parts = tiles.map(({ part }, i) => sql`select t.*, ${i}::integer as i from (${part}) t`);
    const rows = await this.#db.raw(sql`${join(parts, ' union all ')} order by i`, how);
    return rows.map(([bytes, features, found, all], i) => {
      const kept = found!.readInt32BE();
      if (kept > largeTileFeatures) this.#large.set(tiles[i]!.level, true);
      return { bytes: bytes!, features: features!.readInt32BE(), kept, of: all!.readInt32BE() };
    });
  }
}

/** Reads features and encodes them in this process. */
async function encodeHere(db: Queryable, request: FeaturesRequest): Promise<MadeLayer> {
  const { features, found } = await readFeatures(db, request);
  const { layer, fields } = request;
  return {
    bytes: encodeLayer({ name: layer.code, keys: ['svc_id', ...fields], features }),
    features: features.length,
    kept: found,
    of: found < request.limit ? found : await countThere(db, request),
  };
}

async function countThere(db: Queryable, request: FeaturesRequest): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`select (${thereSql(request)}) as count`);
  return row!.count;
}

async function readFeatures(
  db: Queryable,
  request: FeaturesRequest,
): Promise<{ features: TileFeature[]; found: number }> {
  const rows = await db.query<Record<string, unknown>>(
    sql`select t.*, st_asbinary(t.shape, 'NDR') as shape from (select t.*, count(*) over () as found from (${shapesSql(request)}) t) t
      where not st_isempty(t.shape) order by t.id`,
  );
  const features: TileFeature[] = [];
  for (const [i, row] of rows.entries()) {
    // Other requests run in between.
    if (i % 2_000 === 1_999) await setImmediate();
    const id = Number(row.id);
    const values = request.fields.map((_, n) => row[`v${n}`] as TileValue);
    for (const shape of shapesOf(row.shape as Buffer)) features.push({ id, shape, values: [id, ...values] });
  }
  return { features, found: Number(rows[0]?.found ?? 0) };
}

/**
 * SQL that gives a layer as one row: bytes of the vector tile, number of features, objects taken (visible or not),
 * objects in the tile. A collection gives a feature for each kind of shape in it. Pure.
 */
export function layerTileSql(request: FeaturesRequest): Sql {
  const values = request.fields.map((code, n) => sql`, t.${ident(`v${n}`)} as ${ident(code)}`);
  const isSeen = sql`not st_isempty("the feature"."the shape")`;
  // Tile coordinates grow downwards, so the ring direction of the format is reversed here.
  return sql`
    select st_asmvt("the feature", ${request.layer.code}, ${tileUnits}::int, 'the shape', 'the id') filter (where ${isSeen}) as bytes,
      (count(*) filter (where ${isSeen}))::integer as features, count(distinct "the feature"."the id")::integer as found,
      (case when count(distinct "the feature"."the id") < ${request.limit}::bigint then count(distinct "the feature"."the id")
        else (${thereSql(request)}) end)::integer as there
    from (
      select t.id as "the id", t.id as svc_id, st_forcepolygonccw(k.shape) as "the shape"${join(values, '')}
      from (${shapesSql(request)}) t
      cross join lateral unnest(case when geometrytype(t.shape) <> 'GEOMETRYCOLLECTION' then array[t.shape]
        else array[st_collectionextract(t.shape, 1), st_collectionextract(t.shape, 2), st_collectionextract(t.shape, 3)] end) k(shape)
      order by t.id) "the feature"`;
}

/** SQL for the number of objects in a tile. */
const thereSql = (request: FeaturesRequest): Sql =>
  sql`select count(*) from ${tableOf(request)} t where t.geom && ${boxSql(request)}`;

const tableOf = ({ layer: { id, columns }, only, lng, main }: FeaturesRequest): Sql =>
  objectsTable({ id, columns, only, lng, main });

/** SQL for the features: `id`, `shape` in units of the tile, and values `v0`, `v1` … Pure. */
function shapesSql(request: FeaturesRequest): Sql {
  const { layer, fields, lng, main, limit } = request;
  const extent = extentOf(request);
  const values = styleColumns({ columns: layer.columns, read: fields, lng, main });
  const selected = fields.map((code, n) => sql`, ${values.get(code) ?? sql`null`} as ${ident(`v${n}`)}`);
  const box = boxSql(request);
  return sql`
    select t.svc_id as id, ${inUnits(shapeSql(box, request), extent)} as shape${join(selected, '')}
    from ${tableOf(request)} t where t.geom && ${box}
    order by greatest(st_xmax(t.geom) - st_xmin(t.geom), st_ymax(t.geom) - st_ymin(t.geom)) desc, hashint8(t.svc_id), t.svc_id
    limit ${limit}`;
}

const unit = ([west, , east]: Extent): number => (east - west) / tileUnits;

/** The tile with its margin, degrees. */
function boxSql(place: VectorPlace): Sql {
  const extent = extentOf(place);
  const by = margin * unit(extent);
  const [west, south, east, north] = extent;
  const degrees = (x: number, y: number): [number, number] =>
    place.isInDegrees ? [x, y] : fromMercator(x, y);
  const [w, s] = degrees(west - by, south - by);
  const [e, n] = degrees(east + by, north + by);
  return sql`st_makeenvelope(${w}::double precision, ${s}::double precision, ${e}::double precision, ${n}::double precision, 4326)`;
}

/** The part of a shape in the tile, in the system of the tile, simplified below visible size. */
function shapeSql(box: Sql, place: VectorPlace): Sql {
  const part = sql`case when st_dimension(t.geom) = 0 or t.geom @ ${box} then st_force2d(t.geom)
    else ${clippedTo(sql`st_force2d(t.geom)`, box)} end`;
  const cut = place.isInDegrees ? part : sql`st_transform(${part}, 3857)`;
  if (place.z >= exactFrom) return cut;
  return sql`case when st_npoints(t.geom) < 5 then ${cut}
    else ${boundedSimplify(sql`t.geom`, cut, sql`${tolerance * unit(extentOf(place))}::double precision`)} end`;
}

/** A shape in integer units from the tile's north-western corner. */
function inUnits(shape: Sql, extent: Extent): Sql {
  const scale = 1 / unit(extent);
  const [west, , , north] = extent;
  return sql`st_snaptogrid(st_affine(${shape}, ${scale}::double precision, 0, 0, ${-scale}::double precision,
    ${-west * scale}::double precision, ${north * scale}::double precision), 1)`;
}
