import type { Queryable } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import { type Layer, layerTable } from '../layers/layers.js';
import { layerTraits } from '../layers/traits.js';
import { visualOf } from '../layers/visual/visual.js';
import { compileLayerStyle } from '../styles/compile.js';
import { type LegendClass, legendOf } from '../visualizations/visualization.js';
import { layerStyle } from './layer-style.js';
import type { Swatch } from './swatch.js';

interface LegendIconRequest {
  layer: Layer;
  /** The place of the entry in the legend, from 0. */
  entry: number;
  /** Icon name → file. */
  icons: ReadonlyMap<string, string>;
}

/** Zoom level at which legends are drawn: visualizations look alike at all, but hexagons have their border when they are large. */
const zoom = 20;

/** What an entry of a layer's legend looks like on the map. Throws 404 for a layer without a legend, and an entry that it does not have. */
export async function legendSwatch(
  db: Queryable,
  { layer, entry, icons }: LegendIconRequest,
  signal?: AbortSignal,
): Promise<Swatch> {
  const visual = visualOf(layer);
  if (!visual) throw new ServiceError('layer_not_found', `The layer '${layer.code}' is not a visualization`);
  const { classes, side } = legendOf(visual);
  const sample: LegendClass['sample'] = classes[entry]?.sample;
  if (!sample) throw new ServiceError('file_not_found', `The legend has no picture ${entry}`);
  const { compiled, drawing } = layerStyle(layer, icons);
  const own = { zoom, properties: sample.values, side };
  if (sample.css !== undefined) {
    const style = compileLayerStyle(sample.css, { code: 'layer', classes: [], columns: undefined });
    return { ...own, compiled: style, dimension: 2 };
  }
  const icon = drawing?.icon && sample.shapes ? { ...drawing.icon, shapes: sample.shapes } : undefined;
  const dimension = drawing?.place === 'point' ? 0 : await dimensionOf(db, layer, signal);
  return { ...own, compiled, dimension, ...(icon ? { icon } : {}) };
}

const dimensions = { Point: 0, LineString: 1, Polygon: 2 } as const;

/** That of the layer's objects; where they are of several kinds, of the first. */
async function dimensionOf(db: Queryable, { id }: Layer, signal?: AbortSignal): Promise<number> {
  const kind = (await layerTraits(db, [id], '4326', signal)).get(id)?.kind ?? 'Unknown';
  if (kind !== 'Unknown') return dimensions[kind];
  const [row] = await db.query<{ dimension: number }>(
    sql`select st_dimension(t.geom) as dimension from ${layerTable(id)} t where t.geom is not null order by t.svc_id limit 1`,
    signal,
  );
  return row?.dimension ?? 2;
}
