import assert from 'node:assert/strict';
import test from 'node:test';
import { compileLayerStyle } from '../compile.js';

const columns = new Map([
  ['n', 'number'],
  ['name', 'text'],
  ['open', 'boolean'],
] as const);

/** The distinctions between features at zoom level 5, each as a short text. */
function found(css: string): string[] | undefined {
  const compiled = compileLayerStyle(css, { code: 'l', classes: [], columns });
  return compiled
    .distinctionsAt(5)
    ?.map((one) => (one.kind === 'value' ? one.column : JSON.stringify(Object.values(one.of).slice(1))))
    .sort();
}

test('features are distinguished by compared and drawn values', () => {
  assert.deepEqual(found('#l { polygon-fill: red; }'), []);
  assert.deepEqual(
    found('#l { line-width: 1; [n > 5] { line-width: 2; } [name = "a"] { line-color: red; } }'),
    ['["n",">",5]', '["name","=","a"]'],
  );
  assert.deepEqual(found('#l { line-width: 1; [name != "a"] { line-color: red; } }'), ['["name","!=","a"]']);
  assert.deepEqual(found('#l { line-width: 1; [name =~ "a.*"] { line-color: red; } }'), ['name']);
  assert.deepEqual(found('#l { line-width: 1; line-opacity: [n] / 10; [n > 5] { line-color: red; } }'), [
    'n',
  ]);
  assert.deepEqual(found('#l { line-width: [n]; line-smooth: 0.5; line-clip: true; }'), ['n']);
  // Markers that avoid no others are drawn one after the other, whether others avoid them or not.
  assert.deepEqual(found('#l { marker-allow-overlap: true; [n > 5] { marker-fill: red; } }'), [
    '["n",">",5]',
  ]);
  assert.deepEqual(found('#l { [zoom > 8][n > 5] { line-width: 1; } [open = true] { line-width: 1; } }'), [
    '["open","=",true]',
  ]);
});

test('several styles distinguish by what each of them reads, and are drawn one after the other', () => {
  const css =
    '#l { line-width: 3; [n > 5] { line-color: red; } } #l::above[name = "a"] { line-width: 1; } #l::far[zoom > 8] { line-width: 1; }';
  assert.deepEqual(found(css), ['["n",">",5]', '["name","=","a"]']);
  const separate = compileLayerStyle(css, { code: 'l', classes: [], columns }).separateAt(5);
  assert.deepEqual(
    separate.map(({ rules }) => rules.map(({ attachment }) => attachment)),
    [[''], ['above']],
  );
});

test('without known columns, every read column is a distinction', () => {
  const bare = (css: string) =>
    compileLayerStyle(css, { code: 'l', classes: [], columns: undefined }).distinctionsAt(5);
  assert.deepEqual(bare('#l { line-width: 1; }'), []);
  assert.deepEqual(bare('#l { line-width: 1; [n > 5] { line-width: 2; } }'), [
    { kind: 'value', column: 'n' },
  ]);
});

test('features that are not drawn independently have no distinctions', () => {
  for (const css of [
    '#l { text-name: [name]; text-face-name: "DejaVu Sans Book"; }',
    '#l { marker-width: 4; }',
    '#l { line-width: 1; opacity: 0.5; }',
    '#l { line-width: 1; } #l::above { line-width: 2; opacity: 0.5; }',
    '#l { line-width: 1; line-offset: 2; }',
    '#l { [zoom > 8] { line-width: 1; } }',
  ])
    assert.equal(found(css), undefined, css);
});
