import assert from 'node:assert/strict';
import test from 'node:test';
import { compileLayerStyle } from './compile.js';

const columns = new Map([
  ['n', 'number'],
  ['name', 'text'],
  ['open', 'boolean'],
] as const);

/** What tells features apart at zoom level 5, each as a short text. */
function told(css: string): string[] | undefined {
  const compiled = compileLayerStyle(css, { code: 'l', classes: [], columns });
  return compiled
    .distinctionsAt(5)
    ?.map((one) => (one.kind === 'value' ? one.column : JSON.stringify(Object.values(one.of).slice(1))))
    .sort();
}

test('features are told apart by what a style compares, and by the values that it draws with', () => {
  assert.deepEqual(told('#l { polygon-fill: red; }'), []);
  assert.deepEqual(
    told('#l { line-width: 1; [n > 5] { line-width: 2; } [name = "a"] { line-color: red; } }'),
    ['["n",">",5]', '["name","=","a"]'],
  );
  // Mapnik takes it for true where the value is null, and the database does not.
  assert.deepEqual(told('#l { line-width: 1; [name != "a"] { line-color: red; } }'), ['name']);
  assert.deepEqual(told('#l { line-width: 1; line-opacity: [n] / 10; [n > 5] { line-color: red; } }'), ['n']);
  assert.deepEqual(told('#l { [zoom > 8][n > 5] { line-width: 1; } [open = true] { line-width: 1; } }'), [
    '["open","=",true]',
  ]);
});

test('of a layer without columns nothing is told apart, or all that is read', () => {
  const bare = (css: string) =>
    compileLayerStyle(css, { code: 'l', classes: [], columns: undefined }).distinctionsAt(5);
  assert.deepEqual(bare('#l { line-width: 1; }'), []);
  assert.deepEqual(bare('#l { line-width: 1; [n > 5] { line-width: 2; } }'), [
    { kind: 'value', column: 'n' },
  ]);
});

test('what is not drawn feature by feature, each by itself, has nothing that tells it apart', () => {
  for (const css of [
    '#l { text-name: [name]; text-face-name: "DejaVu Sans Book"; }',
    '#l { marker-width: 4; }',
    '#l { line-width: 1; opacity: 0.5; }',
    '#l { line-width: 1; } #l::above { line-width: 2; }',
    '#l { line-width: 1; line-smooth: 0.5; }',
    '#l { [zoom > 8] { line-width: 1; } }',
  ])
    assert.equal(told(css), undefined, css);
});
