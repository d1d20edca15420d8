import assert from 'node:assert/strict';
import test from 'node:test';
import { breakLine } from './break-lines.js';

/** Breaks a line whose characters are one unit wide. */
const broken = (line: string, wrapWidth: number, wrapBefore = false): string[] =>
  breakLine(
    line,
    { width: line.length, advances: new Float64Array(line.length).fill(1) },
    { wrapWidth, wrapBefore },
  );

test('a line is broken after the word that exceeds the width, or before it', () => {
  assert.deepEqual(broken('one two three four', 6), ['one two', 'three four']);
  assert.deepEqual(broken('one two three four', 8, true), ['one two', 'three', 'four']);
  assert.deepEqual(broken('one two', 8), ['one two']);
  assert.deepEqual(broken('one two', 0), ['one two']);
});

test('a word that is wider than a line stays whole', () => {
  assert.deepEqual(broken('Llanfairpwllgwyngyll', 5), ['Llanfairpwllgwyngyll']);
  assert.deepEqual(broken('at Llanfairpwllgwyngyll too', 5, true), ['at', 'Llanfairpwllgwyngyll', 'too']);
});

test('lines also end after hyphens and between Chinese characters, and not before punctuation', () => {
  assert.deepEqual(broken('Bosnia-Herzegovina', 3), ['Bosnia-', 'Herzegovina']);
  assert.deepEqual(broken('中华人民共和国', 2), ['中华人', '民共和', '国']);
  assert.deepEqual(broken('a b, c', 2), ['a b,', 'c']);
});
