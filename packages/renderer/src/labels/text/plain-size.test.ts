import assert from 'node:assert/strict';
import { basename } from 'node:path';
import test from 'node:test';
import { findFonts } from '@cartulary/fonts/internal/files.js';
import { plainSetting, Typesetter } from './typeset.js';

const files = new Map(
  findFonts('').flatMap((family) =>
    Object.values(family).flatMap((file) =>
      typeof file === 'string' && /\.(ttf|otf|woff2?)$/.test(file) ? [[basename(file), file] as const] : [],
    ),
  ),
);
const typesetter = new Typesetter((face) => files.get(face));
const notoSans = [...files.keys()].filter((face) => face.startsWith('NotoSans_'));

const words = [
  ...['AVAVAVAVA', 'LTLTLT', 'To. Ty, Wo; P.P,', 'Île-d’Aix', '“…”', '....', '-', '1.234,5', '2–11'],
  ...['New York', 'A. V. Toth', 'f. g', '12 m', 'Łódź', 'Kraków – Główny'],
  ...['Москва', 'Нижний Новгород', 'ГТ. Туда, 5', 'Ёлка', 'Αθήνα', 'ΑΥΓΟ 12'],
];
const ranges = [
  [0x21, 0x250],
  [0x370, 0x530],
  [0x2010, 0x2028],
] as const;

/** Words, every character beside others, and pairs of letters. */
function* texts(): Generator<string> {
  yield* words;
  for (const [from, to] of ranges)
    for (let code = from; code < to; code++) {
      const one = String.fromCharCode(code);
      for (const text of [one, `T${one}A${one}r.`, `Т${one}А${one}г.`, `1${one}7 ${one}`]) yield text;
    }
  for (let a = 0x41; a <= 0x7a; a += 1)
    for (let b = 0x41; b <= 0x7a; b += 1) yield String.fromCharCode(a, b, a, b);
}

test('the size of a plain text is that of the set text, and its ink lies within its overhang', () => {
  assert.equal(notoSans.length, 3);
  const settings = [plainSetting, { ...plainSetting, characterSpacing: 0.125, wrapWidth: 5 }];
  for (const face of files.keys()) {
    const chain = typesetter.chain([face])!;
    // Other fonts take long to shape a text.
    for (const text of notoSans.includes(face) ? texts() : words)
      for (const setting of settings) {
        const size = typesetter.sizeOf(chain, text, setting);
        if (!size) continue;
        const set = typesetter.setText(chain, text, setting)!;
        const told = `${face} '${text}'`;
        assert.ok(Math.abs(set.width - size.width) < 1e-9, `${told}: ${size.width} instead of ${set.width}`);
        assert.equal(size.height, set.height, told);
        const { left, right, top, bottom } = set.reach;
        const { overhang } = size;
        assert.ok(-left <= set.width / 2 + overhang && right <= set.width / 2 + overhang, told);
        assert.ok(-top <= overhang && bottom <= set.height + overhang, told);
      }
  }
});

test('most texts are plain; those that are joined, reordered, broken or of several scripts are not', () => {
  const chain = typesetter.chain([notoSans[0]!])!;
  const of = (text: string, more = {}) => typesetter.sizeOf(chain, text, { ...plainSetting, ...more });
  for (const text of words) assert.ok(of(text), text);
  for (const text of ['e\u0301', 'two\nlines', 'soft\u00adhyphen', 'A'.repeat(1_001), ' ', '', ' A', 'A '])
    assert.equal(of(text), undefined, text);
  for (const text of ['東京', 'مدينة', 'Ḩamā', 'Moscow Москва']) assert.equal(of(text), undefined, text);
  assert.equal(of('New York', { wrapWidth: 2 }), undefined);
  assert.ok(of('New York', { wrapWidth: 20 }));
});
