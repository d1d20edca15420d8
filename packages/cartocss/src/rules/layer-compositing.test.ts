import assert from 'node:assert/strict';
import test from 'node:test';
import { compileLayerStyle } from '../compile.js';

const compiled = (css: string) =>
  compileLayerStyle(css, { code: 'l', classes: [], columns: new Map([['n', 'number']]) });

test('the opacity and blending of all that is drawn at a zoom level', () => {
  for (const [css, opacity, blending] of [
    ['#l { line-width: 1; }', undefined],
    ['#l { line-width: 1; opacity: 0.5; }', 0.5],
    ['#l { line-width: 1; opacity: 0.5; [zoom >= 5] { opacity: 0.2; } }', 0.2],
    ['#l { line-width: 1; opacity: 0.5; } #l::far[zoom > 8] { line-width: 2; }', 0.5],
    ['#l { line-width: 1; opacity: 0.5; } #l::above { line-width: 2; }', undefined],
    ['#l { line-width: 1; opacity: 0.5; comp-op: multiply; }', 0.5, 'multiply'],
    ['#l { line-width: 1; comp-op: screen; }', 1, 'screen'],
    ['#l { line-width: 1; comp-op: dst-out; }', undefined],
    ['#l { line-width: 1; comp-op: screen; image-filters: invert; }', undefined],
    ['#l { line-width: 1; image-filters: agg-stack-blur(2, 2); }', undefined],
  ] as const)
    assert.deepEqual(
      compiled(css).layerCompositingAt(5),
      opacity && { opacity, blending: blending ?? 'src-over' },
      css,
    );
});

test('a style without its opacity and blending draws the rest', () => {
  const whole = compiled('#l { line-width: 1; opacity: 0.5; comp-op: multiply; }');
  const rest = whole.withoutCompositing();
  assert.match(whole.styles[0]!.xml, /<Style[^>]* opacity="0\.5"/);
  assert.doesNotMatch(rest.styles[0]!.xml, /<Style[^>]* (opacity|comp-op)=/);
  assert.match(rest.styles[0]!.xml, /LineSymbolizer/);
  assert.deepEqual(rest.distinctionsAt(5), []);
});
