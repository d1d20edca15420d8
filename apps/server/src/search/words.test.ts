import assert from 'node:assert/strict';
import test from 'node:test';
import { comparedCharacters, rank, readPhrase, searchText } from './words.js';

test('texts are compared without capitals, diacritics, apostrophes and what stands between words', () => {
  const texts: [string, string][] = [
    ['Zürich', ' zurich '],
    ['  São   Tomé\t', ' sao tome '],
    ['Saint-Denis (Réunion)', ' saint denis reunion '],
    ["L'Aquila", ' laquila '],
    ['O’Higgins', ' ohiggins '],
    ['ЁЛКА ёлка Елка', ' елка елка елка '],
    ['Йошкар-Ола', ' йошкар ола '],
    ['Йод, Иод', ' йод иод '],
    ['İstanbul ISPARTA ırmak', ' istanbul isparta irmak '],
    ['Große STRASSE, GROẞ', ' grosse strasse gross '],
    ['Ærø Łódź Đà Nẵng Þingvellir', ' aero lodz da nang thingvellir '],
    ['ΑΘΉΝΑΣ Αθήνας', ' αθηνασ αθηνασ '],
    ['Қазақстан ҚАЗАҚСТАН', ' қазақстан қазақстан '],
    ['Հայ ՀԱՅ', ' հայ հայ '],
    ['東京都 Tōkyō', ' 東 京 都 tokyo '],
    ['ｶﾞﾝﾀﾞﾑ', ' カ\u3099 ン タ\u3099 ム '],
    ['서울', ' 서울 '.normalize('NFKD')],
    ['القَاهِرة', ' القاهرة '],
    ['ﬁn № 5²', ' fin no 52 '],
    ['100% _a_ \\ "b" [c]*', ' 100 a b c '],
    ['\u0000\ud800x\udc00', ' x '],
    ['☀ 🎉 !?', '  '],
    ['', '  '],
  ];
  for (const [text, compared] of texts) assert.equal(searchText(text), compared, JSON.stringify(text));
});

test('only the first characters of a value take part; characters are code points', () => {
  const long = `${'𝕒'.repeat(comparedCharacters - 1)}bc`;
  assert.equal(searchText(long), ` ${'a'.repeat(comparedCharacters - 1)}b `);
});

test('a phrase: equal spellings, and the stems that find its words', () => {
  assert.deepEqual(readPhrase('New  York, new'), { exact: ' new york new ', needles: ['new', 'york'] });
  assert.deepEqual(readPhrase('St a Ёл'), { exact: ' st a ел ', needles: [' st', ' a', ' ел'] });
  assert.deepEqual(readPhrase('京都 tower塔'), {
    exact: ' 京 都 tower 塔 ',
    needles: [' 京 都 ', 'tower 塔 '],
  });
  for (const nothing of ['', '   ', '%_\\', '\u0000', '\ud800', "'", '\u0301'])
    assert.equal(readPhrase(nothing), undefined);
  assert.equal(readPhrase(Array.from({ length: 50 }, (_, i) => `word${i}`).join(' '))!.needles.length, 20);
});

test('needles hold nothing that LIKE knows', () => {
  const { exact, needles } = readPhrase('50%_off \\ %%% a%b_c\\d')!;
  assert.doesNotMatch(exact + needles.join(''), /[%_\\]/);
});

test('the same phrase goes before all words, these before some; all words may be spread over the values of an object', () => {
  const phrase = readPhrase('New York')!;
  const texts = (...values: string[]): string[] => values.map(searchText);
  assert.deepEqual(rank(phrase, texts('x', 'NEW-york')), { priority: 30, best: 1 });
  assert.deepEqual(rank(phrase, texts('York the newest')), { priority: 20, best: 0 });
  assert.deepEqual(rank(phrase, texts('York', 'New')), { priority: 20, best: 0 });
  assert.deepEqual(rank(phrase, texts('x', 'Newport')), { priority: 10, best: 1 });
  assert.equal(rank(phrase, texts('x', '')), undefined);
  assert.equal(rank(phrase, []), undefined);
});
