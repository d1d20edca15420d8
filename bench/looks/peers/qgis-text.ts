import type { Zooms } from '../look.js';

/** Elements of QGIS projects: symbols, renderers and labels. All sizes are pixels. */

const rgba = (hex: string, opacity = 1): string =>
  `${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(',')},${Math.round(255 * opacity)}`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const props = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([key, value]) => `<prop k="${key}" v="${escaped(String(value))}"/>`)
    .join('');

/** A layer of a symbol. `pass`: its place among the passes of the renderer. */
const symbolLayer = (kind: string, values: Readonly<Record<string, string | number>>, pass = 0): string =>
  `<layer class="${kind}" enabled="1" pass="${pass}" locked="0">${props(values)}</layer>`;

export interface Stroke {
  color: string;
  width: number;
  opacity?: number;
  dash?: readonly number[];
  cap?: 'flat' | 'round';
  pass?: number;
}

const strokeLayer = ({ color, width, opacity, dash, cap = 'flat', pass }: Stroke): string =>
  symbolLayer(
    'SimpleLine',
    {
      line_color: rgba(color, opacity),
      line_width: width,
      line_width_unit: 'Pixel',
      line_style: 'solid',
      joinstyle: cap === 'round' ? 'round' : 'miter',
      capstyle: cap,
      ...(dash ? { use_custom_dash: 1, customdash: dash.join(';'), customdash_unit: 'Pixel' } : {}),
    },
    pass,
  );

export interface Fill {
  fill?: string;
  opacity?: number;
  stroke?: Stroke;
  /** A PNG that fills the area, and its width. */
  pattern?: { file: string; width: number };
}

/** A symbol for areas. */
export const areaSymbol = ({ fill, opacity, stroke, pattern }: Fill): QgisSymbol => ({
  type: 'fill',
  layers: [
    ...(fill
      ? [symbolLayer('SimpleFill', { color: rgba(fill, opacity), style: 'solid', outline_style: 'no' })]
      : []),
    ...(pattern
      ? [
          symbolLayer('RasterFill', {
            imageFile: pattern.file,
            width: pattern.width,
            width_unit: 'Pixel',
            coordinate_mode: 1,
            alpha: 1,
          }),
        ]
      : []),
    ...(stroke ? [strokeLayer(stroke)] : []),
  ],
});

/** A symbol for lines: the strokes lie one upon the other. */
export const lineSymbol = (...strokes: Stroke[]): QgisSymbol => ({
  type: 'line',
  layers: strokes.map(strokeLayer),
});

/** A round marker. */
export const circleSymbol = (
  size: number,
  fill: string,
  line?: { color: string; width: number },
  opacity = 1,
): QgisSymbol => ({
  type: 'marker',
  opacity,
  layers: [
    symbolLayer('SimpleMarker', {
      name: 'circle',
      color: rgba(fill),
      size,
      size_unit: 'Pixel',
      ...(line
        ? {
            outline_color: rgba(line.color),
            outline_style: 'solid',
            outline_width: line.width,
            outline_width_unit: 'Pixel',
          }
        : { outline_style: 'no' }),
    }),
  ],
});

/** An SVG file as a marker. */
export const svgSymbol = (file: string, size: number): QgisSymbol => ({
  type: 'marker',
  layers: [symbolLayer('SvgMarker', { name: file, size, size_unit: 'Pixel' })],
});

export interface QgisSymbol {
  type: 'fill' | 'line' | 'marker';
  opacity?: number;
  layers: readonly string[];
}

const symbolText = ({ type, layers, opacity = 1 }: QgisSymbol, name: number): string =>
  `<symbol type="${type}" name="${name}" alpha="${opacity}" clip_to_extent="1" force_rhr="0">${layers.join('')}</symbol>`;

/** One symbol for all objects. */
export const single = (symbol: QgisSymbol): string =>
  `<renderer-v2 type="singleSymbol" symbollevels="0" enableorderby="0" forceraster="0"><symbols>${symbolText(symbol, 0)}</symbols></renderer-v2>`;

/** A symbol for each value of a column: 1, 2, 3 … */
export const categories = (column: string, symbols: readonly QgisSymbol[]): string =>
  `<renderer-v2 type="categorizedSymbol" attr="${column}" symbollevels="0" enableorderby="0" forceraster="0">
  <categories>${symbols.map((_, i) => `<category symbol="${i}" value="${i + 1}" type="double" label="${i + 1}" render="true"/>`).join('')}</categories>
  <symbols>${symbols.map(symbolText).join('')}</symbols>
</renderer-v2>`;

/** A symbol for each range of a column. */
export const ranges = (column: string, limits: readonly number[], symbols: readonly QgisSymbol[]): string =>
  `<renderer-v2 type="graduatedSymbol" attr="${column}" graduatedMethod="GraduatedColor" symbollevels="0" enableorderby="0" forceraster="0">
  <ranges>${symbols.map((_, i) => `<range symbol="${i}" lower="${limits[i]}" upper="${limits[i + 1]}" label="${i}" render="true"/>`).join('')}</ranges>
  <symbols>${symbols.map(symbolText).join('')}</symbols>
</renderer-v2>`;

/** Scale of a zoom level at QGIS Server's 96 dots per inch. */
const scaleOf = (zoom: number): number => 591_658_711 / 2 ** zoom;

/** Limits between the scales of zoom levels. */
const between = ([from, to]: Zooms): { largest: number; smallest: number } => ({
  largest: Math.round(scaleOf(from) * Math.SQRT2),
  smallest: Math.round(scaleOf(to) / Math.SQRT2),
});

export interface QgisRule {
  filter?: string;
  zooms?: Zooms;
  symbol: QgisSymbol;
}

/** A symbol for each condition and zoom level. `levels`: layers of symbols are drawn by their passes. */
export function rules(list: readonly QgisRule[], levels = false): string {
  const attributes = ({ filter, zooms }: QgisRule): string => {
    const scales = zooms && between(zooms);
    return [
      ...(filter ? [`filter="${escaped(filter)}"`] : []),
      ...(scales ? [`scalemaxdenom="${scales.largest}" scalemindenom="${scales.smallest}"`] : []),
    ].join(' ');
  };
  return `<renderer-v2 type="RuleRenderer" symbollevels="${levels ? 1 : 0}" enableorderby="0" forceraster="0">
  <rules key="root">${list.map((rule, i) => `<rule key="rule${i}" symbol="${i}" ${attributes(rule)}/>`).join('')}</rules>
  <symbols>${list.map(({ symbol }, i) => symbolText(symbol, i)).join('')}</symbols>
</renderer-v2>`;
}

/** The density of points in colours. */
export const density = (radius: number, from: string, to: string): string =>
  `<renderer-v2 type="heatmapRenderer" radius="${radius}" radius_unit="2" radius_map_unit_scale="3x:0,0,0,0,0,0" max_value="0" quality="1" weight_expression="" forceraster="0" symbollevels="0" enableorderby="0">
  <colorramp type="gradient" name="[source]">${props({ color1: rgba(from, 0), color2: rgba(to), discrete: 0, rampType: 'gradient', stops: '' })}</colorramp>
</renderer-v2>`;

export interface QgisLabels {
  column: string;
  size: number;
  color: string;
  halo: string;
  /** Where labels lie. */
  where: 'over' | 'above' | 'around' | 'along' | 'inside';
  zooms?: Zooms;
  filter?: string;
}

const placements = {
  over: 'placement="1" quadOffset="4"',
  above: 'placement="1" quadOffset="1" yOffset="-4" offsetUnits="Pixel"',
  around: 'placement="6" predefinedPositionOrder="R,L,T,B" dist="4" distUnits="Pixel"',
  along: 'placement="3" placementFlags="9"',
  inside: 'placement="1" quadOffset="4" centroidWhole="0" centroidInside="1"',
} as const;

const settings = ({ column, size, color, halo, where, zooms }: QgisLabels): string => {
  const scales = zooms && between(zooms);
  return `<settings calloutType="simple">
  <text-style fieldName="${column}" isExpression="0" fontFamily="Noto Sans" namedStyle="Regular" fontSize="${size}" fontSizeUnit="Pixel" textColor="${rgba(color)}" textOpacity="1" fontWeight="50">
    <text-buffer bufferDraw="1" bufferSize="1" bufferSizeUnits="Pixel" bufferColor="${rgba(halo)}" bufferOpacity="1"/>
  </text-style>
  <placement ${placements[where]} polygonPlacementFlags="2"/>
  <rendering scaleVisibility="${scales ? 1 : 0}" scaleMin="${scales?.smallest ?? 0}" scaleMax="${scales?.largest ?? 0}" drawLabels="1" displayAll="0" obstacle="0" fontLimitPixelSize="0"/>
</settings>`;
};

/** Labels of all objects, or by conditions. */
export const labels = (...list: QgisLabels[]): string =>
  list.length === 1 && !list[0]!.filter
    ? `<labeling type="simple">${settings(list[0]!)}</labeling>`
    : `<labeling type="rule-based"><rules key="root">${list
        .map((one, i) => {
          const scales = one.zooms && between(one.zooms);
          const limits = scales ? `scalemaxdenom="${scales.largest}" scalemindenom="${scales.smallest}"` : '';
          return `<rule key="label${i}" ${one.filter ? `filter="${escaped(one.filter)}"` : ''} ${limits}>${settings(one)}</rule>`;
        })
        .join('')}</rules></labeling>`;
