import assert from 'node:assert/strict';
import { basename } from 'node:path';
import test from 'node:test';
import { findFonts } from '@cartulary/fonts/internal/files.js';
import { runsOf, textLines } from './text-runs.js';
import { type SetText, Typesetter } from './typeset.js';

const files = new Map(findFonts('').map(({ regular }) => [basename(regular).split('_')[0]!, regular]));
const asked: string[] = [];
const typesetter = new Typesetter((face) => {
  asked.push(face);
  return files.get(face);
});
const faces = ['NotoSans', 'NotoSansHebrew', 'NotoSansArabic', 'NotoSansSC'];
const chain = typesetter.chain(faces)!;

const set = (text: string, from = chain): SetText => typesetter.setText(from, text)!;
/** Runs from left to right: text, level and index of the font. */
const runs = (line: string): [string, number, string][] =>
  runsOf(line, chain).map(({ start, end, level, font }) => [
    line.slice(start, end),
    level,
    faces.find((face) => typesetter.chain([face])!.first === font)!,
  ]);

test('fonts are opened only when a text needs them', () => {
  assert.deepEqual(asked, ['NotoSans']);
  set('Zaragoza');
  assert.deepEqual(asked, ['NotoSans']);
  set('שלום');
  assert.deepEqual(new Set(asked), new Set(['NotoSans', 'NotoSansHebrew']));
});

test('letters are kerned and joined as their font says', () => {
  assert.ok(set('AV').width < set('A').width + set('V').width);
  assert.ok(set('ii').width === 2 * set('i').width);
  assert.equal(set('e\u0301').glyphs.length, 1);
  // The vowel sign is written before its consonant.
  assert.equal(set('कि').glyphs[1], set('क').glyphs[0]);
  const [joined, alone] = [set('بب').glyphs, set('ب').glyphs];
  assert.ok(joined.some((glyph) => !alone.includes(glyph)));
});

test('runs have one font, script and direction, from left to right', () => {
  assert.deepEqual(runs('Calle 5'), [['Calle 5', 0, 'NotoSans']]);
  assert.deepEqual(runs('Ёлка (5)'), [['Ёлка (5)', 0, 'NotoSans']]);
  assert.deepEqual(runs('दिल्ली Delhi'), [
    ['दिल्ली ', 0, 'NotoSans'],
    ['Delhi', 0, 'NotoSans'],
  ]);
  assert.deepEqual(runs('东京, Tokyo'), [
    ['东京, ', 0, 'NotoSansSC'],
    ['Tokyo', 0, 'NotoSans'],
  ]);
  assert.deepEqual(runs('שלום 123 עולם'), [
    [' עולם', 1, 'NotoSansHebrew'],
    ['123', 2, 'NotoSansHebrew'],
    ['שלום ', 1, 'NotoSansHebrew'],
  ]);
});

test('letters go from right to left, and numbers between them stay as they are', () => {
  const shown = ({ glyphs, xs }: SetText): number[] =>
    [...glyphs.keys()].sort((a, b) => xs[a]! - xs[b]!).map((i) => glyphs[i]!.glyph);
  const hebrew = typesetter.chain(['NotoSansHebrew'])!;
  const glyphsOf = (letters: string): number[] =>
    Array.from(letters, (letter) => set(letter, hebrew).glyphs[0]!.glyph);
  assert.deepEqual(shown(set('אב')), glyphsOf('בא'));
  assert.deepEqual(shown(set('אב-123')), glyphsOf('123-בא'));
  assert.deepEqual(shown(set('א(1)')), glyphsOf('(1)א'));
});

test('characters that no font has come from the first font', () => {
  const { glyphs } = set('\u{1f9ed}');
  assert.equal(glyphs.length, 1);
  assert.equal(glyphs[0]!.font, chain.first);
  assert.equal(glyphs[0]!.glyph, 0);
});

test('lines are centred, and a repeated text gives the same object', () => {
  const { xs, ys, width, height } = set('ii\niiii');
  assert.ok(Math.abs(width - set('iiii').width) < 1e-9);
  assert.ok(Math.abs(xs[0]! + set('ii').width / 2) < 1e-9);
  assert.ok(Math.abs(xs[2]! + width / 2) < 1e-9);
  assert.ok(Math.abs(ys[2]! - ys[0]! - chain.first.leading) < 1e-9 && Math.abs(height - ys[2]!) < 1e-9);
  assert.equal(set('ii\niiii'), set('ii\niiii'));
});

test('lines end at line feeds, without blanks at their ends and without control characters', () => {
  assert.deepEqual(textLines('one'), ['one']);
  assert.deepEqual(textLines(' one\t\r\n\ntwo\u0007 '), ['one', '', 'two']);
  assert.deepEqual(textLines('\n \n'), []);
  assert.deepEqual(textLines(''), []);
  assert.deepEqual(textLines('a\ud800b\ufeff'), ['ab']);
  assert.equal(textLines('x'.repeat(5_000))[0]!.length, 1_000);
  assert.deepEqual(textLines(`${'x'.repeat(999)}\u{1f9ed}`), ['x'.repeat(999)]);
});
