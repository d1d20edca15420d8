import type { CompiledStyle } from '@cartulary/cartocss';
import { drawnXml, namingColumns, type RenderJob } from '@cartulary/renderer';
import type { VisualDrawing } from '@cartulary/visualizations';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';
import { pictureJob } from '../render/jobs.js';
import type { RendererPool } from '../render/pool.js';

/** One feature in a style: the content of a layer's icon or a legend entry. */
export interface Swatch {
  compiled: CompiledStyle;
  /** Zoom level of the style's rules. */
  zoom: number;
  /** 0 point, 1 line, 2 area. */
  dimension: number;
  /** The feature's values by column. */
  properties: Readonly<Record<string, unknown>>;
  /** Shapes of a chart or cells that replace the feature's own. */
  icon?: VisualDrawing['icon'];
  /** Side in pixels of the style; absent: as many as its symbol needs. */
  side?: number;
}

/** Limits of a swatch's side in pixels of the style, unless its symbol or line is larger. */
const box = { least: 16, most: 36 };
/** Pixels of the style around the symbol of a point. */
const margin = 1;
/** The largest side that shows a whole symbol, pixels of the style. */
const largest = 512;

/**
 * The job for a swatch of `size` × `size` pixels that shows `side` pixels of the style. The style is scaled by the ratio
 * of both, so an icon of 512 pixels is a sharp enlargement of that of 36. Texts are left out, unless the style has
 * nothing else; shields are drawn without their text.
 */
export function swatchJob(
  { compiled, zoom, dimension, properties, icon }: Swatch,
  size: number,
  side: number,
): RenderJob {
  // The extent gives the zoom level's resolution (metres of EPSG:3857 per pixel), so that Mapnik chooses its rules.
  const metres = (side * 2 * Math.PI * 6_378_137) / (256 * 2 ** zoom);
  const isBuilding = compiled.styles.some((style) => style.xml.includes('<BuildingSymbolizer'));
  const features = icon
    ? iconFeatures(icon, { properties, side: metres })
    : [{ type: 'Feature', properties, geometry: shape(metres, dimension, isBuilding) }];
  const bufferSize = dimension === 0 ? compiled.aroundAt(zoom).x : 0;
  const xml = drawnXml({
    bufferSizePx: bufferSize,
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
  return pictureJob(xml, { extent: [0, 0, metres, metres], size, scale: size / side, bufferSize });
}

/** Key of a swatch at all sizes. */
export const swatchKey = (swatch: Swatch): string => swatchJob(swatch, 1, box.most).xmlKey;

export type DrawSwatch = (swatch: Swatch, size: number, signal: AbortSignal) => Promise<Uint8Array>;

/** Returns a function that draws swatches. The size of a point's symbol may depend on its values, so it is measured on a first picture. */
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

  /** Side that the symbol of a point needs, pixels of the style. */
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

/** Largest distance of a coloured pixel from the middle of a picture, pixels. */
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

/** The largest numeric value of a property among the rules that draw; pixels of the style. */
function most({ compiled, zoom }: Swatch, property: string): number {
  const values = compiled.rules
    .flatMap(({ rules }) => rules)
    .filter(({ first, last }) => zoom >= first && zoom <= last)
    .flatMap(({ symbolizers }) =>
      symbolizers.map(({ settings }) => settings.get(property)?.attribute.number ?? 0),
    );
  return Math.min(64, Math.max(0, ...values));
}

/**
 * The feature's shape in a square of `side` metres: a point in the middle, a line across, or an area with margins and
 * room above for a building.
 */
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

/** The style without texts, with shields as plain pictures. A style of texts alone shows two letters. */
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

/** The picture of a shield as a marker in the middle of its feature. */
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

/** Reduces the spacing of markers along lines, so that some fall on the short sample line. */
const closerMarkers = (xml: string): string =>
  xml.replace(/<MarkersSymbolizer\b[^>]*placement="line"[^>]*>/g, (element) => {
    const bare = element.replace(/ spacing="[^"]*"/, '');
    return bare.replace('<MarkersSymbolizer', '<MarkersSymbolizer spacing="14"');
  });

/** Factor of the precision of circles: Mapnik approximates circles by polygons for their size in the style. */
const finer = 16;

/** Draws circles enlarged and scales them down, so that they stay round in an enlarged picture. */
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
