import { fileURLToPath } from 'node:url';
import type { StyleLayer, StyleOptions } from '../src/check.js';
import { compileLayerStyle } from '../src/compile.js';
import { mapXml } from '../src/mapnik/xml.js';
import { cartoXml } from './carto.js';
import type { Sample } from './corpus.js';
import { columns, datasourceAt } from './features.js';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url));

export const icons: ReadonlyMap<string, string> = new Map([
  ['star', fixture('star.svg')],
  ['stripe', fixture('stripe.svg')],
]);

export const layer: StyleLayer = { code: 'x', classes: ['polygon', 'point'], columns };
export const options: StyleOptions = { icons };

/** A map of the test features in a style. */
export function ourXml(style: string, zoom: number, forLayer: StyleLayer = layer): string {
  const compiled = compileLayerStyle(style, forLayer, options);
  return mapXml({
    layers: [{ name: 'x', srs: 'epsg:3857', datasource: datasourceAt(zoom), compiled }],
    bufferSizePx: 64,
  });
}

export function theirXml(sample: Sample, zoom: number): string {
  const style = (sample.carto ?? sample.style).replace(
    /url\((\w+)\)/g,
    (_, name: string) => `url(${icons.get(name)})`,
  );
  return cartoXml(style, datasourceAt(zoom), 'polygon point');
}

/** Number of different pixels, and the largest difference in one channel. */
export function difference(a: Uint8Array, b: Uint8Array): { pixels: number; most: number } {
  let pixels = 0;
  let most = 0;
  for (let i = 0; i < a.length; i += 4) {
    let here = 0;
    for (let c = i; c < i + 4; c++) here = Math.max(here, Math.abs((a[c] ?? 0) - (b[c] ?? 0)));
    if (here > 0) pixels++;
    most = Math.max(most, here);
  }
  return { pixels, most };
}
