import { createHash } from 'node:crypto';
import type { Queryable } from '../db/pool.js';
import { empty, ident, join, sql } from '../db/sql.js';
import { holdsObjects, isExternal, isRaster, type Layer, layerTable } from '../layers/layers.js';
import type { FileStorage } from '../storage/storage.js';
import type { CompiledStyle } from '../styles/compile.js';
import { conditionSql, readColumns } from './layer-sql.js';
import { layerStyle } from './layer-style.js';
import { drawnXml, namingColumns } from './mapnik-xml.js';
import type { RenderJob } from './messages.js';
import { rasterIconJob } from './raster-icon.js';

export interface IconRequest {
  layer: Layer;
  storage: Pick<FileStorage, 'path'>;
  /** Pixels. */
  size: number;
  lng: string;
  main: string;
}

/**
 * The job that draws a layer's icon: a sample of the layer's kind of geometry with the values of one of its objects, in
 * the layer's own style without its texts, at a zoom level where the style draws that object.
 */
export async function iconJob(db: Queryable, request: IconRequest, signal?: AbortSignal): Promise<RenderJob> {
  if (isRaster(request.layer) || isExternal(request.layer)) return rasterIconJob(db, request);
  const { size, layer } = request;
  const compiled = layerStyle(layer);
  const { zoom, dimension, properties } = await sample(db, request, compiled, signal);
  // The resolution of the zoom level, metres of EPSG:3857 per pixel, makes Mapnik choose that level's rules.
  const side = (size * 2 * Math.PI * 6_378_137) / (256 * 2 ** zoom);
  const features = [{ type: 'Feature', properties, geometry: shape(side, dimension) }];
  const bufferSize = compiled.bufferSize;
  const xml = drawnXml({
    bufferSize,
    layers: [
      {
        name: 'icon',
        srs: 'epsg:3857',
        datasource: { type: 'geojson', inline: JSON.stringify({ type: 'FeatureCollection', features }) },
        compiled: namingColumns(withoutTexts(compiled), compiled.columns),
      },
    ],
  });
  const xmlKey = createHash('sha256').update(xml).digest('base64url');
  const extent: RenderJob['extent'] = [0, 0, side, side];
  return { xml, xmlKey, extent, columns: 1, rows: 1, size, scale: 1, bufferSize, format: 'png' };
}

interface Sample {
  zoom: number;
  /** 0 point, 1 line, 2 polygon. */
  dimension: number;
  /** The values that the style reads. */
  properties: Record<string, unknown>;
}

/** Zoom levels in the order in which they are tried: around 10, where most styles draw. */
const zooms = Array.from({ length: 25 }, (_, zoom) => zoom).sort(
  (a, b) => Math.abs(a - 10) - Math.abs(b - 10),
);

/** Searches for an object that is drawn, at most. */
const mostTries = 4;

/** One object that stands for the layer, and a zoom level at which the style draws it. */
async function sample(
  db: Queryable,
  { layer, lng, main }: IconRequest,
  compiled: CompiledStyle,
  signal?: AbortSignal,
): Promise<Sample> {
  const visible = zooms.filter((zoom) => compiled.visibleAt(zoom));
  const byFilter = new Map(
    visible.toReversed().map((zoom) => [JSON.stringify(compiled.filterAt(zoom)), zoom]),
  );
  const tried = holdsObjects(layer) ? [...byFilter.values()].toReversed().slice(0, mostTries) : [];
  for (const zoom of tried) {
    const values = readColumns({ columns: layer.columns, read: compiled.columnsAt(zoom), lng, main });
    const selected = [...values].map(([code, value]) => sql`, ${value} as ${ident(code)}`);
    const filter = compiled.filterAt(zoom);
    values.set('svc_id', sql`t.svc_id`);
    const condition = typeof filter === 'string' ? empty : sql` and ${conditionSql(filter, values)}`;
    const [row] = await db.query<Record<string, unknown>>(
      sql`select st_dimension(t.geom) as "the dimension", t.svc_id${join(selected, '')}
        from ${layerTable(layer.id)} t where t.geom is not null${condition} order by t.svc_id limit 1`,
      signal,
    );
    if (!row) continue;
    const { 'the dimension': dimension, ...properties } = row;
    return { zoom, dimension: Number(dimension), properties };
  }
  const properties = Object.fromEntries(compiled.columns.map((code) => [code, null]));
  return { zoom: visible[0] ?? 10, dimension: 2, properties };
}

/** The sample's shape in a square of `side` metres: a point in the middle, a line across, an area with a margin. */
function shape(side: number, dimension: number): object {
  const at = (fraction: number): number => fraction * side;
  if (dimension === 0) return { type: 'Point', coordinates: [at(0.5), at(0.5)] };
  if (dimension === 1) {
    const path = [
      [0.1, 0.25],
      [0.4, 0.65],
      [0.6, 0.35],
      [0.9, 0.75],
    ];
    return { type: 'LineString', coordinates: path.map(([x, y]) => [at(x!), at(y!)]) };
  }
  const [low, high] = [at(0.12), at(0.88)];
  const ring = [
    [low, low],
    [high, low],
    [high, high],
    [low, high],
    [low, low],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

const text = /<(?:Text|Shield)Symbolizer\b(?:[^>]*\/>|[\s\S]*?<\/(?:Text|Shield)Symbolizer>)/g;

/** The style under another name without what writes. */
function withoutTexts(compiled: CompiledStyle): CompiledStyle {
  const styles = compiled.styles.map(({ name, xml }) => ({ name, xml: xml.replace(text, '') }));
  return { ...compiled, styles };
}
