import assert from 'node:assert/strict';
import test from 'node:test';
import { backgroundIn, withBackground } from './background.js';

test('the background is read where it is one, and changed alone', () => {
  const text = `/* background-color: red; */ @a: #fff;
Map { buffer-size: 8; background-color: @a } #x { text-name: 'background-color: blue;' }`;
  assert.equal(backgroundIn(text), '@a');
  const green = withBackground(text, 'rgb(0, 128, 0)');
  assert.equal(green, text.replace('background-color: @a ', 'background-color: rgb(0, 128, 0);'));
  assert.equal(backgroundIn(green), 'rgb(0, 128, 0)');
  const none = withBackground(green, null);
  assert.equal(none, text.replace('background-color: @a ', ''));
  assert.equal(backgroundIn(none), null);
  assert.equal(withBackground(none, null), none);
});

test('a block without anything else comes and goes', () => {
  assert.equal(withBackground('', '#eee'), 'Map { background-color: #eee; }');
  assert.equal(withBackground('Map { background-color: #eee; }', null), '');
  assert.equal(
    withBackground('#a { line-width: 1 }', 'red'),
    '#a { line-width: 1 } Map { background-color: red; }',
  );
  const commented = 'Map { /* why */ background-color: #eee; }';
  assert.equal(withBackground(commented, null), 'Map { /* why */  }');
});

test('of several backgrounds the last counts', () => {
  const text = 'Map { background-color: red; } Map { background-color: blue; buffer-size: 1 }';
  assert.equal(backgroundIn(text), 'blue');
  assert.equal(withBackground(text, 'lime'), 'Map { background-color: lime; buffer-size: 1 }');
  assert.equal(withBackground(text, null), 'Map {  buffer-size: 1 }');
});
