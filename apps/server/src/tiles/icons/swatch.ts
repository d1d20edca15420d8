import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import type { CompiledStyle } from '../styles/compile.js';
import type { VisualDrawing } from '../visualizations/visualization.js';
import { drawnXml, namingColumns } from './mapnik-xml.js';
import type { RenderJob } from './messages.js';
import type { RendererPool } from './pool.js';

/** One feature in a style: what an icon of a layer or a line of a legend shows. */
export interface Swatch {
  compiled: CompiledStyle;
  /** The zoom level whose rules draw. */
  zoom: number;
  /** 0 point, 1 line, 2 area. */
  dimension: number;
  /** The feature's values by column. */
  properties: Readonly<Record<string, unknown>>;
  /** Of a chart or cells: the shapes that stand for them, instead of the feature's own. */
  icon?: VisualDrawing['icon'];
  /** How many pixels of the style it is wide; absent: as many as its symbol needs. */
  side?: number;
}

/** Pixels of the style that fit into a swatch, at least and at most, unless its symbol or its line is larger. */
const box = { least: 16, most: 36 };
/** Pixels of the style that are left around the symbol of a point. */
const margin = 1;
/** The largest symbol that is shown whole, pixels of the style. */
const largest = 512;

/**
 * The job that draws a swatch of `size` × `size` pixels. `side` is how many pixels of the style fit into it: the picture
 * is as much larger than the style says as the size is larger than the side, so an icon of 512 pixels is that of 36, in
 * full sharpness. Texts are left out, unless there is nothing else; shields are shown without theirs.
 */
export function swatchJob(
  { compiled, zoom, dimension, properties, icon }: Swatch,
  size: number,
  side: number,
): RenderJob {
  // The resolution of the zoom level, metres of EPSG:3857 per pixel, makes Mapnik choose that level's rules.
  const metres = (side * 2 * Math.PI * 6_378_137) / (256 * 2 ** zoom);
  const isBuilding = compiled.styles.some((style) => style.xml.includes('<BuildingSymbolizer'));
  const features = icon
    ? iconFeatures(icon, { properties, side: metres })
    : [{ type: 'Feature', properties, geometry: shape(metres, dimension, isBuilding) }];
  const bufferSize = dimension === 0 ? compiled.aroundAt(zoom).x : 0;
  const xml = drawnXml({
    bufferSize,
    layers: [
      {
        name: 'swatch',
        srs: 'epsg:3857',
        datasource: {
          type: 'geojson',
          inline: JSON.stringify({ type: 'FeatureCollection', features }),
        },
        compiled: namingColumns(withoutTexts(compiled), compiled.columns),
      },
    ],
  });
  return {
    xml,
    xmlKey: createHash('sha256').update(xml).digest('base64url'),
    extent: [0, 0, metres, metres],
    columns: 1,
    rows: 1,
    size,
    scale: size / side,
    bufferSize,
    format: 'png',
  };
}

/** What tells swatches apart: they look alike at all sizes. */
export const swatchKey = (swatch: Swatch): string => swatchJob(swatch, 1, box.most).xmlKey;

export type DrawSwatch = (swatch: Swatch, size: number, signal: AbortSignal) => Promise<Uint8Array>;

/** Draws swatches; how large a point's symbol is, which may depend on its values, is measured on a first picture. */
export function createSwatchDrawer(renderers: Pick<RendererPool, 'render'>): DrawSwatch {
  const sides = new LRUCache<string, number>({ max: 5_000 });

  async function sideOf(swatch: Swatch, size: number, signal: AbortSignal): Promise<number> {
    if (swatch.side !== undefined) return swatch.side;
    const usual = Math.max(box.least, Math.min(size, box.most));
    if (swatch.dimension > 0 || swatch.icon)
      return Math.max(usual, 5 * most(swatch, 'line-width'), 3 * most(swatch, 'building-height'));
    const key = swatchKey(swatch);
    const known = sides.get(key) ?? (await symbolSide(swatch, signal));
    sides.set(key, known);
    return Math.max(usual, known);
  }

  /** What the symbol of a point needs, pixels of the style. */
  async function symbolSide(swatch: Swatch, signal: AbortSignal): Promise<number> {
    const [picture] = await renderers.render(swatchJob(swatch, largest, largest), signal);
    return Math.min(largest, 2 * (await reach(picture!)) + 2 * margin);
  }

  return async (swatch, size, signal) => {
    const job = swatchJob(swatch, size, await sideOf(swatch, size, signal));
    const [picture] = await renderers.render(job, signal);
    return picture!;
  };
}

/** How far from its middle a picture has colour, pixels. */
async function reach(picture: Uint8Array): Promise<number> {
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .extractChannel('alpha')
    .raw()
    .toBuffer({ resolveWithObject: true });
  let most = 0;
  const middle = info.width / 2;
  for (let y = 0; y < info.height; y++) {
    for (let x = 0; x < info.width; x++) {
      if (data[y * info.width + x]! < 8) continue;
      most = Math.max(most, middle - x, x + 1 - middle, middle - y, y + 1 - middle);
    }
  }
  return most;
}

/** The largest of a property's values that are numbers, among the rules that draw; pixels of the style. */
function most({ compiled, zoom }: Swatch, property: string): number {
  const values = compiled.rules
    .flatMap(({ rules }) => rules)
    .filter(({ first, last }) => zoom >= first && zoom <= last)
    .flatMap(({ symbolizers }) =>
      symbolizers.map(({ settings }) => settings.get(property)?.attribute.number ?? 0),
    );
  return Math.min(64, Math.max(0, ...values));
}

/** The feature's shape in a square of `side` metres: a point in the middle, a line across, an area with a margin, above which a building has room. */
function shape(side: number, dimension: number, isBuilding: boolean): object {
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
  const top = isBuilding ? at(0.55) : high;
  const ring = [
    [low, low],
    [high, low],
    [high, top],
    [low, top],
    [low, low],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

/** The shapes of an icon in a square of `side` metres. */
function iconFeatures(
  { shapes, part: column }: NonNullable<Swatch['icon']>,
  { properties, side }: { properties: Swatch['properties']; side: number },
): object[] {
  return shapes.map(({ part, type, path }) => {
    const at = path.map(([x, y]) => [x * side, y * side]);
    const coordinates = type === 'Polygon' ? [at] : type === 'Point' ? at[0] : at;
    return {
      type: 'Feature',
      properties: { ...properties, [column]: part },
      geometry: { type, coordinates },
    };
  });
}

const textElement = /<TextSymbolizer\b(?:[^>]*\/>|[\s\S]*?<\/TextSymbolizer>)/g;
const shieldElement = /<ShieldSymbolizer\b([^>]*?)(?:\/>|>[\s\S]*?<\/ShieldSymbolizer>)/g;

/** The style without what writes: shields as their pictures. A style that only writes shows two letters. */
function withoutTexts(compiled: CompiledStyle): CompiledStyle {
  const draws = compiled.styles.some(({ xml }) => /<\w+Symbolizer\b/.test(xml.replace(textElement, '')));
  const change = draws
    ? (xml: string): string => xml.replace(textElement, '').replace(shieldElement, shieldPicture)
    : (xml: string): string => xml.replace(textElement, letters);
  return {
    ...compiled,
    styles: compiled.styles.map(({ name, xml }) => ({
      name,
      xml: rounderMarkers(closerMarkers(change(xml))),
    })),
  };
}

/** The picture of a shield in the middle of its feature. */
function shieldPicture(_whole: string, attributes: string): string {
  const kept = ['file', 'transform', 'opacity', 'image-transform'].flatMap(
    (name) => new RegExp(` ${name}="[^"]*"`).exec(attributes)?.[0] ?? [],
  );
  return `<MarkersSymbolizer${kept.join('')} placement="point" allow-overlap="true" ignore-placement="true"/>`;
}

const letters = (element: string): string =>
  element
    .replace(/ (?:dx|dy|placement|placements|placement-type|minimum-distance|wrap-width)="[^"]*"/g, '')
    .replace(/>[\s\S]*?<\/TextSymbolizer>$/, ">'Aa'</TextSymbolizer>");

/** Markers along a line stand closer, so that some of them fall on the short one of the sample. */
const closerMarkers = (xml: string): string =>
  xml.replace(/<MarkersSymbolizer\b[^>]*placement="line"[^>]*>/g, (element) => {
    const bare = element.replace(/ spacing="[^"]*"/, '');
    return bare.replace('<MarkersSymbolizer', '<MarkersSymbolizer spacing="14"');
  });

/** How many times finer circles are drawn: Mapnik makes polygons of them that are right for their size in the style. */
const finer = 16;

/** Circles drawn large and made small again, so that they stay round in a picture that is larger than the style says. */
const rounderMarkers = (xml: string): string =>
  xml.replace(/<MarkersSymbolizer\b([^>]*?)(\/?>)/g, (element, attributes: string, end: string) => {
    if (/ (?:file|transform)="|arrow/.test(attributes)) return element;
    const sizes = (
      [
        ['width', '10'],
        ['height', ''],
        ['stroke-width', '0.5'],
      ] as const
    ).map(([name, initial]) => {
      const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(attributes) ?? [undefined, initial];
      return value ? ` ${name}="(${value}) * ${finer}"` : '';
    });
    const rest = attributes.replace(/ (?:width|height|stroke-width)="[^"]*"/g, '');
    return `<MarkersSymbolizer${sizes.join('')} transform="scale(${1 / finer})"${rest}${end}`;
  });
