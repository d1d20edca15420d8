import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { compileLayerStyle, mapXml } from '@cartulary/cartocss';
import type { Mapnik, MapnikImage } from './mapnik.js';
import { drawnXml, withFilterFactor } from './mapnik-xml.js';

const mapnik = createRequire(import.meta.url)('@mapnik/mapnik') as Mapnik & {
  register_default_input_plugins(): void;
  Image: new (width: number, height: number) => MapnikImage;
};

const compile = (css: string) => compileLayerStyle(css, { code: 'a', classes: [], columns: undefined });
const xmlOf = (css: string): string =>
  withFilterFactor(compile(css), 1.5)
    .styles.map(({ xml }) => xml)
    .join('');

test('a smoothed image gets the factor, in a style with a name of its own', () => {
  const smooth = '#a { raster-opacity: 0.5; raster-scaling: bilinear; }';
  assert.match(xmlOf(smooth), /<RasterSymbolizer [^>]*filter-factor="1.500000"[^>]*scaling="bilinear"/);
  const [before, after] = [compile(smooth), withFilterFactor(compile(smooth), 1.5)];
  assert.notEqual(after.styles[0]!.name, before.styles[0]!.name);
  assert.ok(after.styles[0]!.xml.startsWith(`<Style name="${after.styles[0]!.name}"`));
});

test('an image that is not smoothed, and one with a factor of its own, keep their style', () => {
  for (const css of [
    '#a { raster-opacity: 0.5; }',
    '#a { raster-opacity: 0.5; raster-scaling: near; }',
    '#a { raster-opacity: 0.5; raster-scaling: bilinear; raster-filter-factor: 3; }',
    '#a { polygon-fill: red; }',
  ])
    assert.deepEqual(withFilterFactor(compile(css), 1.5), compile(css));
});

test('narrow halos are drawn quickly if they are opaque', () => {
  const isFast = (halo: string): boolean => {
    const css = `#a { text-name: 'x'; text-face-name: 'DejaVu Sans Book'; ${halo} }`;
    const layer = { name: 'a', srs: 'epsg:4326', datasource: { type: 'geojson' }, compiled: compile(css) };
    return drawnXml({ layers: [layer], bufferSizePx: 8 }).includes('halo-rasterizer="fast"');
  };
  for (const [halo, fast] of [
    ['text-halo-radius: 1;', true],
    ['text-halo-radius: 0.5; text-halo-fill: #ff0;', true],
    ['text-halo-radius: 2;', false],
    ['text-halo-radius: 1; text-halo-fill: rgba(255, 255, 0, 0.5);', false],
    ['text-halo-radius: 1; text-halo-opacity: 0.5;', false],
    ['text-halo-radius: 1; text-halo-fill: [color];', false],
    ['text-halo-radius: 1; text-halo-rasterizer: full;', false],
  ] as const)
    assert.equal(isFast(halo), fast, halo);
});

/** Files of icons, by name, as long as a test runs. */
async function withIcons(
  svgs: Record<string, string>,
  use: (icons: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'icons-'));
  try {
    for (const [name, shapes] of Object.entries(svgs)) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="15" height="15" viewBox="0 0 15 15">${shapes}</svg>`;
      await writeFile(join(folder, `${name}.svg`), svg);
    }
    await use(new Map(Object.keys(svgs).map((name) => [name, join(folder, `${name}.svg`)])));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function drawn(xml: string): Promise<Buffer> {
  const map = new mapnik.Map(64, 64);
  map.fromStringSync(xml, { strict: true });
  map.extent = [0, 0, 64, 64];
  const image = new mapnik.Image(64, 64);
  await new Promise<void>((resolve, reject) =>
    map.render(image, { scale: 1 }, (error) => (error ? reject(error) : resolve())),
  );
  return image.data();
}

const star = '<path d="M7.5,0l-2,5h-5l4,3.5l-2,6l5-3.5l5,3.5l-2-6l4-3.5h-5L7.5,0z"/>';
const pin = '<circle cx="7" cy="7" r="7"/><circle cx="7" cy="7" r="4" fill="#fff"/>';

test('icons of one shape need no picture of their own for an opacity, and look as Mapnik draws them', async () => {
  mapnik.register_default_input_plugins();
  const points = [20.3, 26, 40].map((at) => ({
    type: 'Feature',
    properties: { share: at / 100 },
    geometry: { type: 'Point', coordinates: [at, at] },
  }));
  const datasource = {
    type: 'geojson',
    inline: JSON.stringify({ type: 'FeatureCollection', features: points }),
  };
  const svgs = {
    star,
    pin,
    faint: star.replace('/>', ' fill-opacity="0.5"/>'),
    edged: star.replace('/>', ' stroke="#00f"/>'),
  };
  await withIcons(svgs, async (icons) => {
    for (const [marker, isPart] of [
      ['url(star); marker-opacity: 0.6', true],
      ['url(star); marker-opacity: 0.6; marker-fill: rgba(200, 30, 0, 0.8); marker-fill-opacity: 0.7', true],
      ['url(star); marker-opacity: [share]; marker-width: 20', true],
      ['url(star); marker-opacity: 0.6; marker-line-width: 0; marker-line-color: #fff', true],
      ['url(star); marker-opacity: 0.6; marker-line-width: 2', false],
      ['url(pin); marker-opacity: 0.6', false],
      ['url(faint); marker-opacity: 0.6', false],
      ['url(edged); marker-opacity: 0.6', false],
    ] as const) {
      const css = `#a { marker-allow-overlap: true; marker-file: ${marker}; }`;
      const layer = { code: 'a', classes: [], columns: new Map([['share', 'number' as const]]) };
      const compiled = compileLayerStyle(css, layer, { icons });
      const map = {
        layers: [{ name: 'a', srs: 'epsg:3857', datasource, compiled }],
        backgroundColor: '#fff',
        bufferSizePx: 8,
      };
      assert.equal(!drawnXml(map).includes(' opacity='), isPart, marker);
      const [one, other] = [await drawn(drawnXml(map)), await drawn(mapXml(map))];
      assert.ok(new Set(other).size > 9, marker);
      const most = Math.max(...Array.from(one, (value, i) => Math.abs(value - other[i]!)));
      assert.ok(most <= 2, `${marker}: ${most}`);
    }
  });
});
