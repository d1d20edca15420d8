import assert from 'node:assert/strict';
import test from 'node:test';
import { acceptedLanguages, matchLanguage } from './languages.js';

test('the languages of a header are in the order of their weights', () => {
  for (const [header, languages] of [
    [undefined, []],
    ['ru-RU', ['ru-RU']],
    ['en;q=0.5, fr-CH, fr;q=0.9, *;q=0.1', ['fr-CH', 'fr', 'en']],
    ['de;q=0, en ; Q=0.8,ru;q=0.8', ['en', 'ru']],
    ['; ,,q=1;en;q=x', []],
  ] as const)
    assert.deepEqual(acceptedLanguages(header), languages, header);
});

test('a language is matched by its code, or else by its primary subtag', () => {
  for (const [wanted, found] of [
    [['ja', 'PT-br', 'en'], 'pt-BR'],
    [['ru-RU'], 'ru'],
    [['pt'], 'pt-PT'],
    [['ja'], undefined],
    [[], undefined],
  ] as const)
    assert.equal(matchLanguage(wanted, ['en', 'pt-PT', 'pt-BR', 'ru']), found);
});
