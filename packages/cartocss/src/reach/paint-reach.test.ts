import assert from 'node:assert/strict';
import test from 'node:test';
import { compileLayerStyle } from '../compile.js';
import type { ColumnKind } from '../values/convert.js';

const columns = new Map<string, ColumnKind>([
  ['n', 'number'],
  ['name', 'text'],
  ['flag', 'boolean'],
]);
const icons = new Map([['i', '/i.svg']]);
const reachOf = (text: string, zoom = 5) =>
  compileLayerStyle(`#x { ${text} }`, { code: 'x', classes: [], columns }, { icons }).reachAt(zoom);

test('the reach of independent objects is the width of their lines and markers', () => {
  const rounded = (text: string): number => Math.round(reachOf(text).pixels!);
  assert.equal(rounded('polygon-fill: [name]; polygon-opacity: 0.5;'), 2);
  assert.equal(rounded('line-width: 10;'), 22, 'a pointed corner: four times half of the width');
  assert.equal(rounded('line-width: 10; line-miterlimit: 10;'), 52);
  assert.equal(rounded('line-width: 10; line-join: round;'), 9);
  assert.equal(rounded('line-width: 10; line-join: round; opacity: 0.5; [n > 3] { line-width: 20; }'), 16);
  assert.equal(rounded('marker-width: 40; marker-line-width: 6; marker-allow-overlap: true;'), 36);
  assert.equal(rounded('dot-width: 7;'), 9);
  assert.equal(rounded('raster-opacity: 0.5; raster-scaling: bilinear;'), 2);
  assert.equal(
    rounded('[zoom < 5] { text-name: [name]; text-face-name: "DejaVu Sans Book"; } polygon-fill: red;'),
    2,
  );
});

test('symbols that depend on others, or is as large as the data say, has no bound', () => {
  for (const text of [
    'marker-width: 10;',
    'marker-width: 10; marker-allow-overlap: [flag];',
    'marker-width: [n]; marker-allow-overlap: true;',
    'marker-file: url(i); marker-width: 10; marker-allow-overlap: true;',
    'marker-width: 10; marker-allow-overlap: true; marker-offset: 50;',
    'marker-width: 10; marker-allow-overlap: true; marker-transform: scale(9);',
    'marker-type: arrow; marker-allow-overlap: true;',
    'raster-scaling: lanczos;',
    'line-width: [n];',
    'line-width: 1; line-miterlimit: [n];',
    'line-width: 1; line-offset: 3;',
    'line-width: 1; line-smooth: 1;',
    'line-width: 1; line-clip: true;',
    'line-width: 1; line-comp-op: dst-out;',
    'line-width: 1; line-geometry-transform: translate(50, 0);',
    'polygon-fill: red; comp-op: dst-in;',
    'polygon-fill: red; image-filters: agg-stack-blur(9, 9);',
    'polygon-pattern-file: url(i);',
    'building-height: 9;',
    'point-file: url(i);',
    'text-name: [name]; text-face-name: "DejaVu Sans Book";',
    'text-name: [name]; text-face-name: "DejaVu Sans Book"; text-allow-overlap: true;',
    'polygon-fill: red; [n = 1] { text-name: [name]; text-face-name: "DejaVu Sans Book"; }',
  ])
    assert.equal(reachOf(text).pixels, undefined, text);
});

test('a likely reach: symbols that are drawn alone, whatever their size is', () => {
  for (const [text, pixels] of [
    ['marker-file: url(i); marker-width: 20; marker-allow-overlap: true;', 17],
    ['marker-file: url(i); marker-allow-overlap: true;', 25],
    ['marker-width: [n]; marker-allow-overlap: true;', 25],
    ['marker-width: 10; marker-allow-overlap: true; marker-transform: scale(9);', 10],
    ['marker-type: arrow; marker-width: 30; marker-allow-overlap: true;', 24],
    ['point-file: url(i); point-allow-overlap: true;', 25],
    ['line-width: 10;', 22],
    ['marker-file: url(i);', undefined],
    ['marker-file: url(i); marker-allow-overlap: [flag];', undefined],
    ['marker-file: url(i); marker-allow-overlap: true; marker-comp-op: xor;', undefined],
    ['marker-file: url(i); marker-allow-overlap: true; marker-comp-op: multiply;', 25],
    ['marker-file: url(i); marker-allow-overlap: true; marker-avoid-edges: true;', undefined],
    ['point-file: url(i);', undefined],
    ['line-width: [n];', 18],
    ['line-width: 10; line-smooth: 1;', 22],
    ['line-width: 10; line-offset: 3;', undefined],
    ['polygon-fill: red; polygon-clip: true;', 2],
  ] as const) {
    const found = reachOf(text).likelyPixels;
    assert.equal(found && Math.round(found), pixels, text);
  }
});

test('markers and labels claim places unless ignore-placement is set', () => {
  assert.equal(reachOf('line-width: 1;').claims, false);
  assert.equal(reachOf('marker-width: 1; marker-allow-overlap: true;').claims, true);
  assert.equal(reachOf('marker-width: 1; marker-ignore-placement: true;').claims, false);
  assert.equal(reachOf('text-name: [name]; text-face-name: "DejaVu Sans Book";').claims, true);
});

test('labels, shields, and markers and points that may not overlap others look for room', () => {
  const label = 'name: [name]; text-face-name: "DejaVu Sans Book";';
  for (const [text, avoids] of [
    [`text-${label}`, true],
    ['marker-width: 1;', true],
    ['marker-width: 1; marker-ignore-placement: true;', true],
    ['marker-width: 1; marker-allow-overlap: [flag];', true],
    ['marker-width: 1; marker-allow-overlap: true;', false],
    ['point-file: url(i);', true],
    ['point-file: url(i); point-allow-overlap: true;', false],
    ['line-width: [n]; line-offset: 3;', false],
    ['polygon-pattern-file: url(i); comp-op: multiply;', false],
    ['building-height: 9;', false],
  ] as const)
    assert.equal(reachOf(text).avoids, avoids, text);
});

test('the blending of a style is known where all of its symbols have the same', () => {
  for (const [text, blending] of [
    ['polygon-fill: red; line-width: 1;', 'src-over'],
    ['polygon-fill: red; polygon-comp-op: src-over;', 'src-over'],
    ['marker-width: 1; marker-comp-op: screen;', 'screen'],
    ['polygon-fill: red; polygon-comp-op: plus; line-width: 1; line-comp-op: plus;', 'plus'],
    ['polygon-fill: red; polygon-comp-op: plus; line-width: 1;', undefined],
    ['polygon-fill: red; polygon-comp-op: xor;', undefined],
    ['marker-width: 1; marker-comp-op: darken;', undefined],
    ['marker-width: 1; marker-line-width: 0; marker-comp-op: darken;', 'darken'],
    ['polygon-fill: red; [n = 1] { polygon-comp-op: multiply; }', undefined],
  ] as const)
    assert.equal(reachOf(text).blending, blending, text);
});
