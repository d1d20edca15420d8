import assert from 'node:assert/strict';
import test from 'node:test';
import { renameLayerInStyle } from './rename.js';

test('selectors are renamed, and nothing that looks like them', () => {
  const text = `/* #ab stays */ #ab::ab { polygon-fill: #ab0; line-color: #abc; text-name: '#ab'; a/line-width: 1 }
#ab[ab=1], #layer, .ab, #abc, #ab-c { #ab { line-width: 1 } }`;
  assert.equal(
    renameLayerInStyle(text, 'ab', 'new-1'),
    `/* #ab stays */ #new-1::ab { polygon-fill: #ab0; line-color: #abc; text-name: '#ab'; a/line-width: 1 }
#new-1[ab=1], #layer, .ab, #abc, #ab-c { #new-1 { line-width: 1 } }`,
  );
});

test('a style with mistakes is renamed as far as it can be read', () => {
  assert.equal(renameLayerInStyle('#a { line-width: ; } #a { x', 'a', 'b'), '#b { line-width: ; } #b { x');
  assert.equal(renameLayerInStyle('', 'a', 'b'), '');
  assert.equal(renameLayerInStyle('#a{}', 'a', '$&'), '#$&{}');
});
