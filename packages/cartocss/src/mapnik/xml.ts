import type { CompiledStyle } from '../compiled-style.js';
import { writeNumber } from '../expressions/expression.js';
import { elementName } from '../properties.js';
import type { Blending } from '../rules/blending.js';
import type { RuleStyle, StyleRule, Symbolizer } from '../rules/rules.js';
import { writeConditions } from '../rules/write-conditions.js';
import { maxStyleZoom, scaleLimits } from '../rules/zoom.js';
import type { Stop } from '../values/convert.js';
import type { FontSet } from './font-set.js';
import { markerParts } from './marker-opacity.js';

/** Escapes text and attribute values. No other function escapes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\n\r\t]/g, (c) => entities.get(c) as string);
}

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
  // XML parsers replace unescaped line breaks and tabs in attributes by spaces.
  ['\n', '&#10;'],
  ['\r', '&#13;'],
  ['\t', '&#9;'],
]);

type Attributes = Iterable<readonly [name: string, value: string | number | boolean]>;

function element(name: string, attributes: Attributes, content = ''): string {
  let open = `<${name}`;
  for (const [key, value] of attributes) open += ` ${key}="${escapeXml(String(value))}"`;
  return content === '' ? `${open}/>` : `${open}>${content}</${name}>`;
}

/** The context of a style. */
export interface StyleParts {
  /** Registers the fonts of a label and returns their set. */
  fontSetOf(faces: readonly string[]): FontSet;
  /** Default colours of a raster of values, for a style without stops. */
  stops: readonly Stop[] | undefined;
}

/** `<Style>` with its rules. */
export function writeStyle(style: RuleStyle, name: string, parts: StyleParts): string {
  const attributes: [string, string][] = [
    ['name', name],
    ['filter-mode', style.mode],
  ];
  for (const { property, attribute } of style.settings.values()) {
    const initial =
      (property.name === 'comp-op' && attribute.text === 'src-over') ||
      (property.name === 'opacity' && attribute.number === 1);
    if (attribute.form === 'text' && !initial) attributes.push([property.attribute, attribute.text]);
  }
  return element('Style', attributes, style.rules.map((rule) => writeRule(rule, parts)).join(''));
}

function writeRule(rule: StyleRule, style: StyleParts): string {
  const { max, min } = scaleLimits(rule.first, rule.last);
  const filter = writeConditions(rule.conditions, rule.refused);
  const parts = [
    max === undefined ? '' : element('MaxScaleDenominator', [], writeNumber(max)),
    min === undefined ? '' : element('MinScaleDenominator', [], writeNumber(min)),
    filter === '' ? '' : element('Filter', [], escapeXml(filter)),
    ...rule.symbolizers.map((symbolizer) => writeSymbolizer(symbolizer, style)),
  ];
  const content = parts.join('');
  return content === '' ? '' : element('Rule', [], content);
}

function writeSymbolizer(symbolizer: Symbolizer, { fontSetOf, stops }: StyleParts): string {
  const attributes: [string, string][] = [];
  let content = symbolizer.name === 'raster' && stops ? writeStops(stops) : '';
  const labelled = symbolizer.name === 'text' || symbolizer.name === 'shield';
  if (labelled) attributes.push(['fontset-name', fontSetOf(facesOf(symbolizer)).name]);
  for (const { property, attribute } of symbolizer.settings.values()) {
    if (attribute.form === 'label') content = escapeXml(attribute.text);
    else if (attribute.form === 'stops') content = writeStops(attribute.stops ?? []);
    else if (
      attribute.form === 'text' &&
      property.attribute !== '' &&
      isWanted(symbolizer, property.attribute)
    ) {
      attributes.push([property.attribute, attribute.text]);
    }
  }
  const name = elementName(symbolizer.name);
  if (symbolizer.name !== 'markers') return element(name, attributes, content);
  return markerParts(new Map(attributes))
    .map((part) => element(name, part))
    .join('');
}

const facesOf = (symbolizer: Symbolizer): readonly string[] =>
  symbolizer.settings.get(`${symbolizer.name}-face-name`)?.attribute.faces ?? [];

/**
 * Whether an attribute is useful. Mapnik reads `placements` only for the type `simple`. The time of the fast halo grows with
 * the square of its radius (one second per label at radius 20), so wide halos use the full rasterizer.
 */
function isWanted(symbolizer: Symbolizer, attribute: string): boolean {
  const setting = (name: string) => symbolizer.settings.get(`${symbolizer.name}-${name}`)?.attribute;
  if (attribute === 'placements') return setting('placement-type')?.text === 'simple';
  if (attribute !== 'halo-rasterizer') return true;
  const radius = setting('halo-radius');
  return radius === undefined || (radius.number ?? Number.POSITIVE_INFINITY) <= 5;
}

const writeStops = (stops: readonly Stop[]): string =>
  stops.map((stop) => element('stop', Object.entries(stop))).join('');

/** One layer of a map. */
export interface MapLayer {
  readonly name: string;
  /** Projection of the data, such as `epsg:4326`. */
  readonly srs: string;
  /** The parameters of Mapnik's input plugin. */
  readonly datasource: Readonly<Record<string, string | number | boolean>>;
  readonly compiled: CompiledStyle;
  /** Opacity of the whole layer, 0 to 1. */
  readonly opacity?: number;
  /** How the whole layer is laid over what is below it. */
  readonly blending?: Blending;
  readonly minZoom?: number;
  readonly maxZoom?: number;
}

export interface MapDescription {
  /** Bottom to top. */
  readonly layers: readonly MapLayer[];
  readonly backgroundColor?: string;
  /** Width of the margin around the image that is also drawn. */
  readonly bufferSizePx: number;
}

/** Writes a map for Mapnik 4.2 in EPSG:3857. Layers share equal compiled styles. */
export function mapXml(map: MapDescription): string {
  const attributes: [string, string | number][] = [
    ['srs', 'epsg:3857'],
    ['buffer-size', map.bufferSizePx],
  ];
  if (map.backgroundColor !== undefined) attributes.push(['background-color', map.backgroundColor]);
  const fontSets = new Map<string, string>();
  const styles = new Map<string, string>();
  for (const { compiled } of map.layers) {
    for (const set of compiled.fontSets) fontSets.set(set.name, writeFontSet(set));
    for (const style of compiled.styles) styles.set(style.name, style.xml);
  }
  const content = [...fontSets.values(), ...styles.values(), ...map.layers.map(writeLayer)].join('\n');
  return `<?xml version="1.0" encoding="utf-8"?>\n${element('Map', attributes, content)}`;
}

const writeFontSet = (set: FontSet): string =>
  element(
    'FontSet',
    [['name', set.name]],
    set.faces.map((face) => element('Font', [['face-name', face]])).join(''),
  );

function writeLayer(layer: MapLayer): string {
  const level = (zoom: number): number => Math.min(maxStyleZoom, Math.max(0, Math.round(zoom)));
  const { max } = scaleLimits(level(layer.minZoom ?? 0), maxStyleZoom);
  const { min } = scaleLimits(0, level(layer.maxZoom ?? maxStyleZoom));
  const attributes: [string, string | number][] = [
    ['name', layer.name],
    ['srs', layer.srs],
  ];
  if (max !== undefined) attributes.push(['maximum-scale-denominator', max]);
  if (min !== undefined) attributes.push(['minimum-scale-denominator', min]);
  if (layer.opacity !== undefined && layer.opacity < 1) attributes.push(['opacity', layer.opacity]);
  if (layer.blending && layer.blending !== 'src-over') attributes.push(['comp-op', layer.blending]);
  const names = layer.compiled.styles.map((style) => element('StyleName', [], escapeXml(style.name)));
  const parameters = Object.entries(layer.datasource).map(([name, value]) =>
    element('Parameter', [['name', name]], escapeXml(String(value))),
  );
  return element('Layer', attributes, `${names.join('')}${element('Datasource', [], parameters.join(''))}`);
}
