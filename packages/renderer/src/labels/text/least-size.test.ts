import assert from 'node:assert/strict';
import { basename } from 'node:path';
import test from 'node:test';
import { findFonts } from '@cartulary/fonts/internal/files.js';
import { leastSizeOf } from './least-size.js';
import { Typesetter } from './typeset.js';

const files = new Map(
  findFonts('').flatMap((family) =>
    Object.values(family).flatMap((file) =>
      typeof file === 'string' && /\.(ttf|otf|woff2?)$/.test(file) ? [[basename(file), file] as const] : [],
    ),
  ),
);
const typesetter = new Typesetter((face) => files.get(face));

const characters = Array.from({ length: 0x250 - 0x21 }, (_, i) => String.fromCharCode(0x21 + i)).join('');
const words = [
  'AVAVAVAVA',
  'LTLTLT',
  'office affluent',
  'fiffflffifj',
  'To. Ty, Wo; P.P,',
  'Île-d’Aix',
  '....',
  '-',
];

/** Texts of every character beside narrowing ones, and pairs of letters. */
function* texts(): Generator<string> {
  yield* words;
  for (const one of characters) yield `T${one}A${one}f${one}f${one}.`;
  for (let a = 0x41; a <= 0x7a; a += 1)
    for (let b = 0x41; b <= 0x7a; b += 1) yield String.fromCharCode(a, b, a, b);
}

test('no text is smaller than its least size', () => {
  const latin = [...files.keys()].filter((face) => face.startsWith('NotoSans_'));
  assert.equal(latin.length, 3);
  for (const face of files.keys()) {
    const chain = typesetter.chain([face])!;
    // Other fonts take long to shape a text.
    for (const text of latin.includes(face) ? texts() : words) {
      const least = leastSizeOf(text, chain.first);
      const set = typesetter.setText(chain, text);
      if (!set || !least.width) continue;
      const told = `${face} '${text}'`;
      assert.ok(set.width >= least.width, `${told}: ${set.width} < ${least.width}`);
      assert.ok(set.height >= least.height, `${told}: ${set.height} < ${least.height}`);
    }
  }
});

test('the size of other texts is not known', () => {
  const { first } = typesetter.chain([[...files.keys()].find((name) => name.startsWith('NotoSans_'))!])!;
  const of = (text: string) => leastSizeOf(text, first);
  for (const text of [
    'Ёлка',
    'e\u0301',
    'Ḩamā',
    'two\nlines',
    'soft\u00adhyphen',
    'A'.repeat(1_001),
    ' ',
    '',
  ])
    assert.deepEqual(of(text), { width: 0, height: 0 }, text);
  assert.ok(of('Zaragoza').width > 2 && of('Zaragoza').height > 0.4);
  assert.deepEqual(of(' A  '), of('A'), 'blanks at the ends are left out of labels');
});
