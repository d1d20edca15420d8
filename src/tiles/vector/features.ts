import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../../db/pool.js';
import { ident, join, type Sql, sql } from '../../db/sql.js';
import { fromMercator } from '../../geo/bbox.js';
import { type Extent, tileExtent } from '../../geo/tile.js';
import { layerTable } from '../../layers/layers.js';
import { readColumns } from '../layer-sql.js';
import type { SourceLayer } from '../sources.js';
import { type TileFeature, type TileValue, tileUnits } from './mvt.js';
import { shapesOf } from './shapes.js';

export interface FeaturesRequest {
  z: number;
  x: number;
  /** From the north. */
  y: number;
  layer: Pick<SourceLayer, 'id' | 'columns'>;
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

/** The features of a layer in a tile. */
export async function readFeatures(
  db: Queryable,
  request: FeaturesRequest,
  signal?: AbortSignal,
): Promise<TileFeature[]> {
  const rows = await db.query<Record<string, unknown>>(featuresSql(request), signal);
  const features: TileFeature[] = [];
  for (const [i, row] of rows.entries()) {
    // Others have their turn too.
    if (i % 2_000 === 1_999) await setImmediate();
    const id = Number(row['the id']);
    const values = request.fields.map((code) => row[`value ${code}`] as TileValue);
    for (const shape of shapesOf(row['the shape'] as Buffer))
      features.push({ id, shape, values: [id, ...values] });
  }
  return features;
}

/** The query of the features: their ids, shapes in units of the tile as WKB, and values. Pure. */
export function featuresSql({ z, x, y, layer, fields, lng, main, limit }: FeaturesRequest): Sql {
  const extent = tileExtent(z, x, y);
  const values = readColumns({ columns: layer.columns, read: fields, lng, main });
  const selected = fields.map((code) => sql`, ${values.get(code) ?? sql`null`} as ${ident(`value ${code}`)}`);
  const box = boxSql(extent);
  return sql`
    select t."the id", st_asbinary(t.shape, 'NDR') as "the shape"${join(
      fields.map((code) => sql`, t.${ident(`value ${code}`)}`),
      '',
    )}
    from (
      select t.svc_id as "the id", ${inUnits(shapeSql(box, extent, z), extent)} as shape${join(selected, '')}
      from ${layerTable(layer.id)} t where t.geom && ${box}
      order by greatest(st_xmax(t.geom) - st_xmin(t.geom), st_ymax(t.geom) - st_ymin(t.geom)) desc, hashint8(t.svc_id), t.svc_id
      limit ${limit}) t
    where not st_isempty(t.shape)
    order by 1`;
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
