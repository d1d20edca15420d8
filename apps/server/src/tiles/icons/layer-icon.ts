import type { CompiledStyle } from '@cartulary/cartocss';
import type { Queryable } from '@cartulary/database';
import { empty, ident, join, sql } from '@cartulary/sql';
import type { VisualDrawing } from '@cartulary/visualizations';
import { holdsObjects, isExternal, isRaster, layerTable } from '../../layers/layers.js';
import { type LayerStyle, layerStyle } from '../plan/layer-style.js';
import { conditionSql } from '../plan/sql/condition-sql.js';
import { styleColumns } from '../plan/sql/layer-source.js';
import type { RendererPool } from '../render/pool.js';
import type { IconRequest } from './icon-request.js';
import { rasterIconJob } from './raster-icon.js';
import { type DrawSwatch, type Swatch, swatchKey } from './swatch.js';

/** A layer's icon: a key that identifies its picture, and the function that draws it. */
export interface LayerIcon {
  key: string;
  draw(signal: AbortSignal): Promise<Uint8Array>;
}

/**
 * The icon of a layer: a sample geometry with the values of one of its objects, in the layer's style without texts, at a
 * zoom level where the style draws this object. Throws `style_invalid`.
 */
export async function layerIcon(
  { db, renderers, drawSwatch }: IconParts,
  request: IconRequest,
  signal?: AbortSignal,
): Promise<LayerIcon> {
  const { layer, size, icons } = request;
  if (isRaster(layer) || isExternal(layer)) {
    const job = await rasterIconJob(db, request);
    const draw = async (gone: AbortSignal): Promise<Uint8Array> => (await renderers.render(job, gone))[0]!;
    return { key: job.xmlKey, draw };
  }
  const swatch = await sample(db, request, layerStyle(layer, icons), signal);
  return { key: swatchKey(swatch), draw: (gone) => drawSwatch(swatch, size, gone) };
}

export interface IconParts {
  db: Queryable;
  renderers: Pick<RendererPool, 'render'>;
  drawSwatch: DrawSwatch;
}

/** Zoom levels in the order of trial: around 10, where most styles draw. */
const zooms = Array.from({ length: 25 }, (_, zoom) => zoom).sort(
  (a, b) => Math.abs(a - 10) - Math.abs(b - 10),
);

/** Limit of the searches for a visible object. */
const mostTries = 4;

/** An object that represents the layer, and a zoom level at which the style draws it. */
async function sample(
  db: Queryable,
  { layer, lng, main }: IconRequest,
  { compiled, drawing }: LayerStyle,
  signal?: AbortSignal,
): Promise<Swatch> {
  const visible = zooms.filter((zoom) => compiled.visibleAt(zoom));
  if (drawing?.icon) return drawnIcon(compiled, drawing, Math.max(0, ...visible));
  const byFilter = new Map(
    visible.toReversed().map((zoom) => [JSON.stringify(compiled.filterAt(zoom)), zoom]),
  );
  const tried = holdsObjects(layer) ? [...byFilter.values()].toReversed().slice(0, mostTries) : [];
  for (const zoom of tried) {
    const values = styleColumns({
      columns: layer.columns,
      read: compiled.columnsAt(zoom),
      lng,
      main,
      drawing,
    });
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
    Object.assign(properties, drawing?.sample);
    const ownDimension = drawing?.place === 'point' ? 0 : Number(dimension);
    return { compiled, zoom, dimension: ownDimension, properties };
  }
  return unseen({ compiled, drawing }, visible[0] ?? 10);
}

/** The icon shapes of a visualization, independent of its objects. */
function drawnIcon(compiled: CompiledStyle, { icon, sample }: VisualDrawing, zoom: number): Swatch {
  const none = compiled.columns.map((code) => [code, null]);
  return { compiled, zoom, dimension: 0, properties: { ...Object.fromEntries(none), ...sample }, icon };
}

const kinds = [/<(?:Polygon|PolygonPattern|Building)Symbolizer/, /<Line(?:Pattern)?Symbolizer/];

/**
 * The sample for a style that draws no object of the layer: a geometry that suits the style, drawn by the last rule,
 * which matches everything that no other rule takes.
 */
function unseen({ compiled, drawing }: LayerStyle, zoom: number): Swatch {
  const xml = compiled.styles.map((style) => style.xml).join('');
  const [isArea, isLine] = kinds.map((kind) => kind.test(xml));
  const properties = Object.fromEntries(compiled.columns.map((code) => [code, null]));
  Object.assign(properties, drawing?.sample);
  if (drawing) return { compiled, zoom, dimension: drawing.place === 'point' ? 0 : 2, properties };
  const styles = compiled.styles.map(({ name, xml: own }) => ({ name, xml: lastRuleOpen(own, zoom) }));
  return { compiled: { ...compiled, styles }, zoom, dimension: isArea ? 2 : isLine ? 1 : 0, properties };
}

/** Scale denominator of a zoom level of 256-pixel tiles (OGC 17-083r4, GoogleMapsCompatible). */
const scaleAt = (zoom: number): number => 559_082_264.029 / 2 ** zoom;

/** Removes the filter of the last rule that draws at a zoom level, unless it tests the kind of geometry. */
function lastRuleOpen(xml: string, zoom: number): string {
  const rules = [...xml.matchAll(/<Rule>[\s\S]*?<\/Rule>/g)].filter(([rule]) => {
    const limit = (name: string): number | undefined => {
      const [, value] = new RegExp(`<${name}ScaleDenominator>([^<]*)<`).exec(rule) ?? [];
      return value === undefined ? undefined : Number(value);
    };
    return scaleAt(zoom) >= (limit('Min') ?? 0) && scaleAt(zoom) < (limit('Max') ?? Number.POSITIVE_INFINITY);
  });
  const last = rules.at(-1);
  if (!last || last[0].includes('geometry_type')) return xml;
  const open = last[0].replace(/<Filter>[\s\S]*?<\/Filter>/, '');
  return xml.slice(0, last.index) + open + xml.slice(last.index + last[0].length);
}
