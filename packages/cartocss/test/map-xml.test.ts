import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import type { StyleLayer } from '../src/check.js';
import { compileLayerStyle } from '../src/compile.js';
import { mapXml } from '../src/mapnik/xml.js';
import { defaultStyle } from '../src/simple.js';
import { startDrawer } from './draw.js';
import { datasourceAt, extentAt, featuresAt, size } from './features.js';
import { difference } from './support.js';

const drawer = startDrawer();
after(() => drawer.close());

const bare = (code: string): StyleLayer => ({ code, classes: [], columns: undefined });
const draw = (xml: string, zoom = 8) =>
  drawer.draw({ xml, extent: extentAt(zoom), size, scale: 1, strict: true });
const alphaAt = (pixels: Uint8Array, x: number, y: number): number =>
  pixels[((size - 1 - y) * size + x) * 4 + 3] as number;

test('layers share styles and font sets, and are drawn bottom to top', async () => {
  const text =
    "#layer { polygon-fill: red; text-name: [name]; text-face-name: 'DejaVu Sans Bold' } #layer::b { line-width: 1 }";
  const a = compileLayerStyle(text, bare('a'));
  const b = compileLayerStyle(text, bare('b'));
  const top = compileLayerStyle('#layer { polygon-fill: blue; text-name: "1"; }', bare('b'));
  assert.notEqual(a.styles[0]?.name, b.styles[0]?.name);
  const layer = { srs: 'epsg:3857', datasource: datasourceAt(8) };
  const xml = mapXml({
    layers: [
      { ...layer, name: 'one', compiled: a },
      { ...layer, name: 'two', compiled: a, minZoom: 3, maxZoom: 9 },
      { ...layer, name: 'three', compiled: top, opacity: 0.5 },
    ],
    backgroundColor: 'rgba(255, 255, 255, 0.5)',
    bufferSizePx: 128,
  });
  assert.equal(xml.match(/<Style /g)?.length, 3);
  assert.equal(xml.match(/<FontSet /g)?.length, 2);
  assert.match(xml, /<Map srs="epsg:3857" buffer-size="128" background-color="rgba\(255, 255, 255, 0.5\)">/);
  const { pixels } = await draw(xml);
  assert.equal(alphaAt(pixels, size - 2, size - 2), 128);
  // Red under half transparent blue.
  const at = ((size - 1 - 60) * size + 30) * 4;
  assert.deepEqual(
    [...pixels.slice(at, at + 4)].map((value) => Math.round(value / 64)),
    [2, 0, 2, 4],
  );
});

test('zoom limits of layers are those of rules', async () => {
  const compiled = compileLayerStyle('#x { polygon-fill: red }', bare('x'));
  const at = async (minZoom: number, maxZoom: number, zoom: number): Promise<boolean> => {
    const layer = { name: 'x', srs: 'epsg:3857', datasource: datasourceAt(zoom), compiled, minZoom, maxZoom };
    const { pixels } = await draw(mapXml({ layers: [layer], bufferSizePx: 0 }), zoom);
    return alphaAt(pixels, 30, 60) === 255;
  };
  assert.deepEqual(await Promise.all([2, 3, 4, 5, 6].map((zoom) => at(3, 5, zoom))), [
    false,
    true,
    true,
    true,
    false,
  ]);
});

test('zoom filters hold at every level', async () => {
  for (let zoom = 0; zoom <= 24; zoom++) {
    const compiled = compileLayerStyle(`#x[zoom=${zoom}] { polygon-fill: red }`, bare('x'));
    const drawn: boolean[] = [];
    for (const shown of [zoom - 1, zoom, zoom + 1]) {
      const layer = { name: 'x', srs: 'epsg:3857', datasource: datasourceAt(zoom), compiled };
      const half = 2 ** (zoom - shown);
      const extent = extentAt(zoom).map((value) => value * half) as [number, number, number, number];
      const { pixels } = await drawer.draw({
        xml: mapXml({ layers: [layer], bufferSizePx: 0 }),
        extent,
        size,
        scale: 1,
        strict: true,
      });
      drawn.push(pixels.some((value) => value > 0));
    }
    // Level 0 has no upper limit of scale: a map may be smaller than one tile.
    assert.deepEqual(drawn, [zoom === 0, true, false], `zoom ${zoom}`);
  }
});

test('data in degrees is drawn at its position', async () => {
  const compiled = compileLayerStyle('#x { marker-width: 20; marker-allow-overlap: true }', bare('x'));
  const point = { type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [37.6, 55.75] } };
  const inline = JSON.stringify({ type: 'FeatureCollection', features: [point] });
  const xml = mapXml({
    layers: [{ name: 'x', srs: 'epsg:4326', datasource: { type: 'geojson', inline }, compiled }],
    bufferSizePx: 64,
  });
  // 37.6° E, 55.75° N in EPSG:3857 (spherical Mercator).
  const [x, y] = [4_185_612.9, 7_508_806.3];
  const { pixels } = await drawer.draw({
    xml,
    extent: [x - 1000, y - 1000, x + 1000, y + 1000],
    size,
    scale: 1,
    strict: true,
  });
  assert.equal(alphaAt(pixels, size / 2, size / 2), 255);
});

test('the default styles draw their kind of geometry', async () => {
  const kinds = ['Point', 'LineString', 'Polygon'] as const;
  const pictures = new Map<string, Uint8Array>();
  for (const kind of [...kinds, 'Unknown'] as const) {
    const compiled = compileLayerStyle(defaultStyle(kind, 'my-layer_2'), {
      code: 'my-layer_2',
      classes: [],
      columns: new Map(),
    });
    for (const only of kinds) {
      const features = featuresAt(8).filter((feature) => feature.geometry.type === only);
      const datasource = { type: 'geojson', inline: JSON.stringify({ type: 'FeatureCollection', features }) };
      const { pixels } = await draw(
        mapXml({ layers: [{ name: 'x', srs: 'epsg:3857', datasource, compiled }], bufferSizePx: 64 }),
      );
      pictures.set(`${kind} ${only}`, pixels);
    }
  }
  for (const kind of kinds) {
    const own = pictures.get(`${kind} ${kind}`) as Uint8Array;
    assert.ok(own.some((value) => value > 0));
    // The style for layers of unknown kind draws each kind like the style of this kind.
    assert.deepEqual(difference(own, pictures.get(`Unknown ${kind}`) as Uint8Array), { pixels: 0, most: 0 });
  }
});

test('a font falls back for missing glyphs', async () => {
  const compiled = compileLayerStyle('#x { text-name: [name] }', bare('x'), {
    fonts: ['DejaVu Sans Book', 'DejaVu Sans Bold', 'Noto Sans CJK'],
  });
  assert.deepEqual(
    compiled.fontSets.map((set) => set.faces),
    [['DejaVu Sans Book', 'Noto Sans CJK']],
  );
  const bold = compileLayerStyle(
    "#x { text-name: [name]; text-face-name: 'DejaVu Math TeX Gyre Regular' }",
    bare('x'),
  );
  assert.deepEqual(bold.fontSets[0]?.faces, ['DejaVu Math TeX Gyre Regular', 'DejaVu Sans Book']);
  const feature = { type: 'Feature', properties: { name: 'ЖЖЖ' }, geometry: featuresAt(8)[25]?.geometry };
  const datasource = {
    type: 'geojson',
    inline: JSON.stringify({ type: 'FeatureCollection', features: [feature] }),
  };
  const picture = async (compiled: ReturnType<typeof compileLayerStyle>) =>
    (
      await draw(
        mapXml({ layers: [{ name: 'x', srs: 'epsg:3857', datasource, compiled }], bufferSizePx: 64 }),
      )
    ).pixels;
  const plain = compileLayerStyle('#x { text-name: [name] }', bare('x'));
  // The mathematical font has no Cyrillic letters: they come from the default font.
  assert.deepEqual(difference(await picture(bold), await picture(plain)), { pixels: 0, most: 0 });
});

test('markers with an opacity look as Mapnik draws them, without a picture for each', async () => {
  const whole = 'marker-allow-overlap: true;';
  for (const [marker, parts, opacity = '0.6'] of [
    ['marker-line-width: 0;', 1],
    [
      'marker-line-width: 0; marker-fill: rgba(200, 60, 0, 0.6); marker-fill-opacity: 0.5; marker-allow-overlap: false;',
      1,
    ],
    ['marker-fill-opacity: 0; marker-line-width: 3;', 1],
    [`marker-width: 14; ${whole}`, 2],
    [`marker-width: [pop] / 4; marker-line-width: 2; marker-line-color: #036; ${whole}`, 2],
    [`marker-width: 18; marker-height: 9; marker-line-width: 4; marker-transform: rotate(30); ${whole}`, 2],
    [
      `marker-width: 16; marker-line-width: 6; marker-line-opacity: 0.5; marker-fill-opacity: 0.8; ${whole}`,
      3,
    ],
    [`marker-width: 16; marker-line-width: 5; marker-line-color: rgba(0, 40, 200, 0.6); ${whole}`, 3],
    ['marker-width: 14;', 1],
    ['marker-line-width: 1; marker-line-color: white;', 1],
    ['marker-width: 14; marker-line-width: 3;', 1],
    [`marker-type: arrow; ${whole}`, 1],
    [`marker-placement: line; ${whole}`, 1],
    [`marker-width: 14; marker-avoid-edges: true; ${whole}`, 1],
    [`marker-width: [pop] / 6; marker-fill-opacity: 0.5; ${whole}`, 1, '[pop] * 0.01'],
  ] as [marker: string, parts: number, opacity?: string][]) {
    const xmlOf = (last: string): string =>
      mapXml({
        layers: [
          {
            name: 'a',
            srs: 'epsg:3857',
            datasource: datasourceAt(8),
            compiled: compileLayerStyle(`#a { marker-fill: #e8a020; ${marker} ${last} }`, bare('a')),
          },
        ],
        backgroundColor: '#ffffff',
        bufferSizePx: 0,
      });
    const own = xmlOf(`marker-opacity: ${opacity};`);
    assert.equal(own.match(/<MarkersSymbolizer /g)?.length, parts, marker);
    const group = xmlOf('').replace('<MarkersSymbolizer ', `<MarkersSymbolizer opacity="${opacity}" `);
    const [one, other] = await Promise.all([own, group].map((xml) => draw(xml)));
    assert.ok(new Set(other!.pixels).size > 9, marker);
    const { most } = difference(one!.pixels, other!.pixels);
    assert.ok(most <= 35, `${marker} ${most}`);
    assert.equal(own.includes(' opacity='), marker === 'marker-width: 14; marker-line-width: 3;', marker);
  }
});
