import assert from 'node:assert/strict';
import test from 'node:test';
import { compileLayerStyle } from '@cartulary/cartocss';
import { drawnXml, withFilterFactor } from './mapnik-xml.js';

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
