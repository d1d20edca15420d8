import { createHash } from 'node:crypto';
import type { Queryable } from '../db/pool.js';
import { ident, join, sql } from '../db/sql.js';
import { columnName, type Layer, layerTable } from '../layers/layers.js';
import { styleLayer } from '../layers/style.js';
import { type CompiledStyle, compileLayerStyle, mapXml } from '../styles/compile.js';
import type { RenderJob } from './messages.js';

/** Zoom levels at which a style is tried for the icon, the best known first. */
const zooms = [10, 12, 8, 14, 6, 16, 4, 18, 2];

/**
 * The job that draws a layer's icon: a sample of each kind of geometry that the layer has, with the values of one of its
 * objects, in the layer's own style without its texts, at a zoom level where the style draws.
 */
export async function iconJob(
  db: Queryable,
  layer: Layer,
  size: number,
  signal?: AbortSignal,
): Promise<RenderJob> {
  const compiled = compileLayerStyle(layer.css_style, styleLayer(layer.code, layer.columns));
  const zoom = zooms.find((candidate) => compiled.visibleAt(candidate)) ?? 10;
  const { dimension, properties } = await sample(db, layer, compiled, signal);
  // The resolution of the zoom level, metres of EPSG:3857 per pixel, makes Mapnik choose that level's rules.
  const side = (size * 2 * Math.PI * 6_378_137) / (256 * 2 ** zoom);
  const features = shapes(side, dimension).map((geometry) => ({ type: 'Feature', properties, geometry }));
  const xml = mapXml({
    bufferSize: 64,
    layers: [
      {
        name: 'icon',
        srs: 'epsg:3857',
        datasource: { type: 'geojson', inline: JSON.stringify({ type: 'FeatureCollection', features }) },
        compiled: withoutTexts(compiled),
      },
    ],
  });
  const xmlKey = createHash('sha256').update(xml).digest('base64url');
  return { xml, xmlKey, extent: [0, 0, side, side], columns: 1, rows: 1, size, scale: 1, format: 'png' };
}

/** One object that stands for the layer: its dimension (0 point, 1 line, 2 polygon) and the values that the style reads. */
async function sample(
  db: Queryable,
  layer: Layer,
  compiled: CompiledStyle,
  signal?: AbortSignal,
): Promise<{ dimension: number; properties: Record<string, unknown> }> {
  const read = layer.columns.filter(
    ({ code, type }) => compiled.columns.includes(code) && type !== 'geom' && type !== 'title',
  );
  const columns = read.map((column) => sql`, ${ident(columnName(column))} as ${ident(column.code)}`);
  const [row] = await db.query<Record<string, unknown>>(
    sql`select st_dimension(geom) as "the dimension"${join(columns, '')} from ${layerTable(layer.id)} where geom is not null order by svc_id limit 1`,
    signal,
  );
  const { 'the dimension': dimension = 2, ...properties } = row ?? {};
  return {
    dimension: Number(dimension),
    properties: Object.fromEntries(read.map(({ code }) => [code, properties[code] ?? null])),
  };
}

/** The sample's shape in a square of `side` metres: a point in the middle, a line across, an area with a margin. */
function shapes(side: number, dimension: number): object[] {
  const at = (fraction: number): number => fraction * side;
  if (dimension === 0) return [{ type: 'Point', coordinates: [at(0.5), at(0.5)] }];
  if (dimension === 1) {
    const path = [
      [0.1, 0.25],
      [0.4, 0.65],
      [0.6, 0.35],
      [0.9, 0.75],
    ];
    return [{ type: 'LineString', coordinates: path.map(([x, y]) => [at(x!), at(y!)]) }];
  }
  const [low, high] = [at(0.12), at(0.88)];
  return [
    {
      type: 'Polygon',
      coordinates: [
        [
          [low, low],
          [high, low],
          [high, high],
          [low, high],
          [low, low],
        ],
      ],
    },
  ];
}

const text = /<(?:Text|Shield)Symbolizer\b(?:[^>]*\/>|[\s\S]*?<\/(?:Text|Shield)Symbolizer>)/g;

/** The style under another name without what writes. */
function withoutTexts(compiled: CompiledStyle): CompiledStyle {
  const styles = compiled.styles.map(({ name, xml }) => ({ name, xml: xml.replace(text, '') }));
  return { ...compiled, styles };
}
