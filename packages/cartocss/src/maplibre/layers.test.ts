import assert from 'node:assert/strict';
import test from 'node:test';
import { compileLayerStyle, pictureStyle } from '../compile.js';
import type { ColumnKind } from '../values/convert.js';
import { type MapLibreLayers, mapLibreLayers } from './layers.js';

const kinds = new Map<string, ColumnKind>([
  ['n', 'number'],
  ['name', 'text'],
  ['open', 'boolean'],
]);

function converted(text: string, hasOnlyPoints = false): MapLibreLayers {
  const { rules } = compileLayerStyle(
    text,
    { code: 'l', classes: [], columns: kinds },
    { icons: new Map([['cafe', '/cafe.svg']]), fonts: null },
  );
  const has = (column: string): boolean => kinds.has(column);
  return mapLibreLayers(rules, { kinds, has, hasOnlyPoints, zooms: { first: 0, last: 24 } });
}

const layersIn = (text: string, hasOnlyPoints?: boolean) => {
  const found = converted(text, hasOnlyPoints);
  assert.ok('layers' in found, JSON.stringify(found));
  return found.layers;
};

const inNumbers = ['==', ['typeof', ['get', 'n']], 'number'];

test('rules: the first that matches draws, zoom levels are those of tiles of 512 pixels', () => {
  const layers = layersIn(
    '#l { polygon-fill: #111; [n > 5] { polygon-fill: #222; } [zoom >= 4][name = "a"] { polygon-fill: #333; } }',
  );
  const more = ['all', inNumbers, ['>', ['number', ['get', 'n']], 5]];
  const named = ['==', ['get', 'name'], 'a'];
  const drawn = layers.map(({ paint, minzoom, maxzoom, filter }) => [
    paint['fill-color'],
    minzoom,
    maxzoom,
    filter,
  ]);
  assert.deepEqual(drawn, [
    ['#333333', 3, 24, named],
    ['#222222', undefined, 3, more],
    ['#222222', 3, 24, ['all', more, ['!', named]]],
    ['#111111', undefined, 3, ['!', more]],
    ['#111111', 3, 24, ['all', ['!', named], ['!', more]]],
  ]);
});

test('symbols and their order: of all rules the first symbol lies below the second', () => {
  const style =
    '#l { polygon-fill: #111; [open = true] { polygon-fill: #333; } line-color: #222; line-width: 4; line-dasharray: 8, 4; line-cap: round; line-offset: 2; }';
  const layers = layersIn(style);
  assert.deepEqual(
    layers.map(({ type }) => type),
    ['fill', 'fill', 'line', 'line'],
  );
  assert.deepEqual(layers[2]!.paint, {
    'line-color': '#222222',
    'line-width': 4,
    'line-opacity': 1,
    'line-dasharray': [2, 1],
    'line-offset': -2,
  });
  const [circle] = layersIn(
    '#l { marker-width: [n] / 10 + 4; marker-line-width: 2; marker-fill: #abc; marker-opacity: 0.5; }',
    true,
  );
  assert.equal(circle!.type, 'circle');
  assert.deepEqual(circle!.paint['circle-color'], '#aabbcc');
  assert.deepEqual(circle!.paint['circle-stroke-opacity'], 0.5);
  assert.match(JSON.stringify(circle!.paint['circle-radius']), /"to-number",\["get","n"\],0/);
});

test('labels: texts, places, lengths in ems', () => {
  const [label] = layersIn(
    `#l { text-name: [name] + ' (' + [n] + ')'; text-face-name: 'A'; text-size: 10; text-dy: 8; text-wrap-width: 50; text-halo-radius: 1; }`,
  );
  const { layout, paint } = label!;
  assert.deepEqual(layout!['text-field'], [
    'concat',
    ['to-string', ['get', 'name']],
    ' (',
    ['to-string', ['get', 'n']],
    ')',
  ]);
  assert.deepEqual(
    [layout!['text-anchor'], layout!['text-offset'], layout!['text-max-width']],
    ['top', [0, 0.8], 5],
  );
  assert.equal(paint['text-halo-width'], 1);
});

test('icons: a picture for each look', () => {
  const found = converted(
    `#l { marker-file: url(cafe); marker-width: 20; marker-opacity: [n] / 10; [n > 1] { marker-allow-overlap: true; } [n > 2] { marker-fill: #f00; } }`,
    true,
  );
  assert.ok('layers' in found);
  const images = found.layers.map(({ layout }) => layout!['icon-image']);
  assert.deepEqual(
    found.layers.map(({ layout }) => layout!['icon-allow-overlap']),
    [true, true, false],
  );
  assert.notEqual(images[0], images[1]);
  assert.equal(images[1], images[2]);
  const named = found.pictures.map(({ name }) => name);
  assert.deepEqual(named, [images[0], images[1]]);
  assert.match(named[0]!, /^cafe:[0-9a-f]{12}$/);
  const [{ xml } = { xml: '' }] = pictureStyle(found.pictures[0]!).styles;
  assert.match(xml, /<MarkersSymbolizer[^>]* file="\/cafe.svg"/);
  assert.match(xml, / fill="#ff0000"/);
  assert.doesNotMatch(xml, /opacity|overlap|Filter/);
});

test('what MapLibre cannot say is named; small differences are listed', () => {
  for (const [style, says] of [
    ['marker-width: 4;', 'markers at lines and areas'],
    ['marker-file: url(cafe); marker-width: [n];', 'marker-width that depends on the data'],
    ['point-file: url(cafe); point-transform: rotate([n]);', 'point-transform that depends on the data'],
    ['polygon-pattern-file: url(cafe);', 'polygon-pattern symbols'],
    ['polygon-fill: #111; polygon-comp-op: multiply;', 'polygon-comp-op'],
    ['polygon-fill: #111; opacity: 0.5;', 'opacity'],
    ['[name =~ "a.*"] { polygon-fill: #111; }', 'patterns (=~)'],
    ['line-width: [n]; line-dasharray: 1, 2;', 'dashes of lines whose width depends on the data'],
  ] as const)
    assert.deepEqual(
      converted(`#l { ${style} }`, style.includes('-file: url(cafe); ')),
      { inexpressible: says },
      style,
    );
  const found = converted('#l { polygon-fill: #111; polygon-gamma: 0.5; polygon-smooth: 0.5; }');
  assert.deepEqual('leftOut' in found && found.leftOut, ['polygon-smooth']);
});
