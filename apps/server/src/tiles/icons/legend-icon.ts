import { compileLayerStyle } from '@cartulary/cartocss';
import type { Queryable } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import { type LegendClass, legendOf } from '@cartulary/visualizations';
import { type Layer, layerTable } from '../../layers/layers.js';
import { layerTraits } from '../../layers/styles/traits.js';
import { visualOf } from '../../layers/visual/visual.js';
import { layerStyle } from '../plan/layer-style.js';
import type { Swatch } from './swatch.js';

interface LegendIconRequest {
  layer: Layer;
  /** Index of the entry in the legend, from 0. */
  entry: number;
  /** Icon name → file. */
  icons: ReadonlyMap<string, string>;
}

/** Zoom level of legends. Visualizations look alike at all levels, but hexagons have borders only when they are large. */
const zoom = 20;

/** The look of a legend entry on the map. Throws 404 for a layer without a legend, and for an unknown entry. */
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

/** Dimension of the layer's objects; of mixed kinds, that of the first object. */
async function dimensionOf(db: Queryable, { id }: Layer, signal?: AbortSignal): Promise<number> {
  const kind = (await layerTraits(db, [id], '4326', signal)).get(id)?.kind ?? 'Unknown';
  if (kind !== 'Unknown') return dimensions[kind];
  const [row] = await db.query<{ dimension: number }>(
    sql`select st_dimension(t.geom) as dimension from ${layerTable(id)} t where t.geom is not null order by t.svc_id limit 1`,
    signal,
  );
  return row?.dimension ?? 2;
}
