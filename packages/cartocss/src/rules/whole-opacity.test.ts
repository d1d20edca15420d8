import assert from 'node:assert/strict';
import test from 'node:test';
import { compileLayerStyle } from '../compile.js';

const compiled = (css: string) =>
  compileLayerStyle(css, { code: 'l', classes: [], columns: new Map([['n', 'number']]) });

test('the opacity of all that is drawn at a zoom level', () => {
  for (const [css, opacity] of [
    ['#l { line-width: 1; }', undefined],
    ['#l { line-width: 1; opacity: 0.5; }', 0.5],
    ['#l { line-width: 1; opacity: 0.5; [zoom >= 5] { opacity: 0.2; } }', 0.2],
    ['#l { line-width: 1; opacity: 0.5; } #l::far[zoom > 8] { line-width: 2; }', 0.5],
    ['#l { line-width: 1; opacity: 0.5; } #l::above { line-width: 2; }', undefined],
    ['#l { line-width: 1; opacity: 0.5; comp-op: multiply; }', undefined],
    ['#l { line-width: 1; image-filters: agg-stack-blur(2, 2); }', undefined],
  ] as const)
    assert.equal(compiled(css).wholeOpacityAt(5), opacity, css);
});

test('a style without its opacity draws the rest', () => {
  const whole = compiled('#l { line-width: 1; opacity: 0.5; }');
  const rest = whole.withoutOpacity();
  assert.match(whole.styles[0]!.xml, /<Style[^>]* opacity="0\.5"/);
  assert.doesNotMatch(rest.styles[0]!.xml, /<Style[^>]* opacity=/);
  assert.match(rest.styles[0]!.xml, /LineSymbolizer/);
  assert.deepEqual(rest.distinctionsAt(5), []);
});
