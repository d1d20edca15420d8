import assert from 'node:assert/strict';
import test from 'node:test';
import { compileLayerStyle } from '../compile.js';
import type { CompiledStyle } from '../compiled-style.js';
import type { ColumnKind } from '../values/convert.js';

const columns = new Map<string, ColumnKind>([
  ['n', 'number'],
  ['name', 'text'],
  ['flag', 'boolean'],
]);
const icons = new Map([['i', '/i.svg']]);
const compiled = (text: string): CompiledStyle =>
  compileLayerStyle(text, { code: 'x', classes: [], columns }, { icons });
const label = 'text-name: [name]; text-face-name: "DejaVu Sans Book";';
const plainOf = (text: string, zoom = 5) => compiled(text).plainLabelsAt(zoom);

test('plain labels with one text style', () => {
  const found = plainOf(
    `#x { polygon-fill: red; ${label} text-size: 12; text-fill: #fff; text-opacity: 0.5; text-halo-fill: rgba(0, 0, 0, 0.5);
      text-halo-radius: 1.5; text-halo-opacity: 0.8; text-dx: 3; text-dy: -4; text-allow-overlap: true; }`,
  );
  const [choice, second] = found![0]!;
  assert.equal(found!.length, 1);
  assert.equal(second, undefined);
  assert.equal(choice!.when, undefined);
  const { text, look } = choice!.label!;
  const { faces, ...rest } = look;
  assert.deepEqual(text, [{ column: 'name' }]);
  assert.equal(faces[0], 'DejaVu Sans Book');
  assert.deepEqual(rest, {
    sizes: [12],
    fill: '#ffffff',
    opacity: 0.5,
    halo: { fill: 'rgba(0, 0, 0, 0.5)', opacity: 0.8, radius: 1.5 },
    offsets: [{ dx: 3, dy: -4 }],
    margin: 0,
    repeatDistance: 0,
    wrapWidth: 0,
    wrapBefore: false,
    characterSpacing: 0,
    lineSpacing: 0,
    letters: 'none',
    allowOverlap: true,
  });
});

test('the first matching rule decides; rules that differ only in shapes are merged', () => {
  const shapes = plainOf(`#x { [n = 1] { polygon-fill: red; } [n = 2] { polygon-fill: blue; } ${label} }`);
  assert.deepEqual(
    shapes![0]!.map(({ when }) => when),
    [undefined],
  );
  const sizes = plainOf(`#x { [n > 2] { ${label} text-size: 20; } [n > 1][n <= 2] { ${label} } }`)![0]!;
  const of = (n: number): number | undefined =>
    sizes.find(({ when }) => !when || holds(when, n))?.label?.look.sizes[0];
  assert.deepEqual([of(3), of(2), of(1)], [20, 10, undefined]);
});

/** Whether a comparison of `n` holds. */
function holds(tree: object, n: number): boolean {
  const { kind, terms, op, value } = tree as { kind: string; terms: object[]; op: string; value: number };
  if (kind === 'and') return terms.every((term) => holds(term, n));
  return op === '>' ? n > value : op === '<=' ? n <= value : op === '=' ? n === value : false;
}

test('places that are tried in turn, and distances', () => {
  const found = plainOf(
    `#x { ${label} text-placement-type: simple; text-placements: "N,SE,X,8,7"; text-dx: 3; text-dy: -4; text-margin: 2;
      text-repeat-distance: 50; text-min-distance: 9; }`,
  );
  const { look, place } = found![0]![0]!.label!;
  assert.equal(place, 'centroid');
  assert.deepEqual(look.sizes, [10, 8, 7]);
  assert.deepEqual(look.offsets, [
    { dx: 0, dy: -4 },
    { dx: 3, dy: 4 },
    { dx: 3, dy: -4 },
  ]);
  assert.deepEqual([look.margin, look.repeatDistance, look.along], [2, 50, undefined]);
});

test('labels along lines, and rules by the type of geometry', () => {
  const rules = ['point', 'linestring', 'polygon'].map(
    (type, i) =>
      `["mapnik::geometry_type" = ${type}] { ${label} text-placement: ${['point', 'line', 'interior'][i]}; text-min-distance: 9; }`,
  );
  const choices = plainOf(`#x::label { ${rules.join(' ')} }`)![0]!;
  const byType = new Map(
    choices.map(({ when, label: one }) => {
      const { terms } = when as unknown as { terms: { column: string; values: string[] }[] };
      assert.deepEqual(
        terms.map(({ column }) => column),
        ['mapnik::geometry_type'],
      );
      return [terms[0]!.values[0]!, one!];
    }),
  );
  assert.deepEqual([...byType.keys()].sort(), ['LINESTRING', 'POINT', 'POLYGON']);
  assert.deepEqual([byType.get('POINT')!.place, byType.get('POLYGON')!.place], ['centroid', 'interior']);
  const { look, place } = byType.get('LINESTRING')!;
  assert.deepEqual([place, look.margin, look.repeatDistance], ['line', 0, 9]);
  assert.deepEqual(look.along, { spacing: 0, tolerance: 0, maxTurn: Math.PI / 8, minLength: 0 });
});

test('markers that are drawn anywhere claim their box, before the label of their object or after it', () => {
  const marker = 'marker-width: 8; marker-line-width: 2; marker-allow-overlap: true;';
  const [both] = plainOf(`#x { ${marker} ${label} }`)!;
  const free = { isAfterLabel: false, avoidsOthers: false };
  // An ellipse is drawn as a polygon, whose corners do not reach each side.
  const { size, ...claim } = both![0]!.claim!;
  assert.deepEqual([claim, size!.width.toFixed(2), size!.height.toFixed(2)], [free, '9.88', '9.94']);
  assert.deepEqual(both![0]!.label!.text, [{ column: 'name' }]);
  assert.equal(plainOf(`#x { ${label} ${marker} }`)![0]![0]!.claim!.isAfterLabel, true);
  const [claims, labels] = plainOf(`#x::a { ${marker} marker-height: 4; } #x::b { ${label} }`)!;
  assert.deepEqual(
    claims!.map(({ label: none, claim: one }) => [
      none,
      Math.round(one!.size!.width),
      Math.round(one!.size!.height),
    ]),
    [[undefined, 10, 6]],
  );
  assert.equal(labels![0]!.claim, undefined);
  assert.deepEqual(plainOf(`#x { ${marker} marker-ignore-placement: true; }`), []);
});

test('markers that avoid others are drawn like labels, and icons are measured', () => {
  const style = compiled('#x { marker-fill: red; [n = 1] { marker-width: 4; } }');
  const [choices] = style.plainLabelsAt(10)!;
  assert.deepEqual(
    choices!.map(({ claim }) => [Math.round(claim!.size!.width), claim!.avoidsOthers]),
    [
      [4, true],
      [10, true],
    ],
  );
  const alone = choices!.map(({ claim }) => style.markerAlone(claim!.marker!.key).styles[0]!.xml);
  assert.match(alone[0]!, /^<Style[^>]*><Rule><MarkersSymbolizer[^>]* width="4"[^>]*\/><\/Rule><\/Style>$/);
  assert.equal(style.shapes().visibleAt(10), false);
  const icon = 'marker-file: url(i); marker-width: 20;';
  const free = 'marker-allow-overlap: true;';
  const claimOf = (text: string) => plainOf(`#x { ${text} ${label} }`)![0]![0]!.claim!;
  assert.deepEqual(
    [claimOf(icon), claimOf(`${icon} ${free}`)].map(({ size, avoidsOthers, marker }) => [
      size,
      avoidsOthers,
      !marker,
    ]),
    [
      [undefined, true, false],
      [undefined, false, false],
    ],
  );
  const shapes = compiled(`#x { polygon-fill: red; ${label} marker-width: 5; }`).shapes();
  assert.deepEqual(
    shapes.rules[0]!.rules[0]!.symbolizers.map(({ name }) => name),
    ['polygon'],
  );
});

test('a style of very many different markers is left to Mapnik', () => {
  const rules = (count: number): string =>
    Array.from({ length: count }, (_, i) => `[n = ${i}] { marker-width: ${1 + i / 10}; }`).join(' ');
  assert.equal(plainOf(`#x { ${rules(60)} }`)!.length, 1);
  assert.equal(plainOf(`#x { ${rules(65)} }`), undefined);
});

test('labels by the zoom level, and none', () => {
  const style = `#x { polygon-fill: red; [zoom >= 8] { ${label} } }`;
  assert.deepEqual(plainOf(style, 7), []);
  assert.equal(plainOf(style, 8)!.length, 1);
  const several = `#x::a { ${label} text-size: 9; } #x::b { ${label} text-size: 11; }`;
  assert.deepEqual(
    plainOf(several)!.map(([choice]) => choice!.label!.look.sizes[0]),
    [9, 11],
  );
});

test('labels that Mapnik has to place or to set are not plain', () => {
  for (const text of [
    'text-placement: line; text-dy: 5;',
    'text-placement: line; text-wrap-width: 40;',
    'text-placement: line; text-upright: left;',
    'text-placement: line; text-spacing: [n];',
    'text-placement: vertex;',
    'text-wrap-character: "-";',
    'text-wrap-width: [n];',
    'text-size: [n];',
    'text-fill: [name];',
    'text-allow-overlap: [flag];',
    'text-transform: capitalize;',
    'text-min-padding: 5;',
    'text-repeat-distance: [n];',
    'text-comp-op: multiply;',
    'a/text-name: [name]; a/text-face-name: "DejaVu Sans Book"; a/text-dy: 9;',
    '[name =~ "a.*"] { text-size: 20; }',
    'marker-width: 5; marker-ignore-placement: true;',
    'marker-width: 5; marker-clip: true;',
    'marker-width: 200;',
    'marker-file: url(i); marker-opacity: 0;',
    'marker-width: 5; marker-allow-overlap: true; marker-transform: scale(3);',
    'marker-type: arrow; marker-allow-overlap: true;',
    'marker-fill: [name];',
    'marker-file: url(i); marker-transform: rotate(30);',
    'a/marker-width: 5; b/marker-width: 9;',
    '[n = 1] { marker-width: 5; } [n = 2] { marker-width: 5; marker-allow-overlap: true; }',
    'marker-width: [n]; marker-allow-overlap: true;',
    'marker-width: 5; marker-allow-overlap: true; marker-multi-policy: whole;',
    'marker-width: 5; marker-allow-overlap: true; text-placement: interior;',
    'shield-file: url(i);',
    'point-file: url(i);',
    'text-vertical-alignment: top;',
    'text-dy: 5; text-vertical-alignment: middle;',
    'text-dx: 5; text-horizontal-alignment: left;',
    'text-dx: 5; text-align: center;',
    'text-placement-type: simple; text-placements: "N,S"; text-vertical-alignment: middle;',
    'text-orientation: [n];',
    'opacity: 0.5;',
    'image-filters: agg-stack-blur(2, 2);',
  ])
    assert.equal(plainOf(`#x { ${label} ${text} }`), undefined, text);
  for (const name of ['[flag]', '"[n] + [n]"', '"[name] + 1"', "\"[name].replace('a', 'b')\"", "'fixed'"])
    assert.equal(plainOf(`#x { ${label.replace('[name]', name)} }`), undefined, name);
  const joined = plainOf(`#x { ${label.replace('[name]', '"[name] + \'!\' + [n]"')} }`)![0]![0]!;
  const partsOf = (count: number) => Array.from({ length: count }, () => '[name]').join(' + ');
  assert.equal(plainOf(`#x { ${label.replace('[name]', `"${partsOf(101)}"`)} }`), undefined, 'many parts');
  assert.equal(plainOf(`#x { ${label.replace('[name]', `"${partsOf(100)}"`)} }`)!.length, 1);
  assert.deepEqual(joined.label!.text, [{ column: 'name' }, { constant: '!' }, { column: 'n::text' }]);
  assert.equal(
    plainOf(`#x::labels { ${label} } #x::shapes { polygon-fill: red; }`),
    undefined,
    'shapes above',
  );
  const unknown = compileLayerStyle(`#x { ${label} }`, { code: 'x', classes: [], columns: undefined });
  assert.equal(unknown.plainLabelsAt(5), undefined, 'columns that are not known');
  const marked = compileLayerStyle('#x { marker-width: 5; }', { code: 'x', classes: [], columns: undefined });
  assert.equal(marked.plainLabelsAt(5)!.length, 1, 'none is read');
});

test('values that change nothing, and shapes of every kind, leave labels plain', () => {
  for (const text of [
    'text-min-padding: 0; text-clip: false; text-largest-bbox-only: true; text-orientation: 0; text-upright: auto;',
    'text-simplify: 0; text-smooth: 0; text-comp-op: src-over; text-halo-comp-op: src-over; text-rotate-displacement: false;',
    'text-vertical-alignment: middle; text-horizontal-alignment: auto; text-align: center;',
    'text-dy: 5; text-vertical-alignment: bottom;',
    'text-dx: -5; text-horizontal-alignment: left;',
    'line-width: [n]; line-offset: 3;',
    'polygon-pattern-file: url(i);',
    'polygon-fill: red; polygon-comp-op: multiply;',
  ])
    assert.equal(plainOf(`#x { ${label} ${text} }`)?.length, 1, text);
});

test('a style without its labels draws its shapes and reads what those need', () => {
  const style = compiled(`#x { [n = 1] { polygon-fill: red; } [zoom >= 8] { ${label} } }`);
  const shapes = style.shapes();
  assert.doesNotMatch(shapes.styles.map(({ xml }) => xml).join(), /Text/);
  assert.deepEqual([style.columnsAt(9), shapes.columnsAt(9)], [['n', 'name'], ['n']]);
  assert.deepEqual(
    [style.filterAt(9), shapes.filterAt(9)],
    ['all', { kind: 'compare', column: 'n', op: '=', value: 1 }],
  );
  assert.equal(shapes.aroundAt(9).x, 8);
  assert.notEqual(shapes.styles[0]!.name, style.styles[0]!.name);
  assert.equal(compiled(`#x { ${label} }`).shapes().visibleAt(5), false);
});
