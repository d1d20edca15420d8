import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import fc from 'fast-check';
import { searchText } from '../../src/search/words.js';
import { type TestDatabase, testDatabase } from '../support/database.js';

/** Every character of this Unicode version that a database can store. */
const characters = Array.from({ length: 0x3_2000 }, (_, code) => code)
  .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /^\p{Assigned}$/u.test(character));

let database: TestDatabase;
/** Characters that only one of the two decomposes, because they are newer than the other's Unicode version. */
let newer: Set<string>;

test.before(async () => {
  database = await testDatabase();
  const rows = await database.db.query<{ text: string; parts: string }>(sql`
    select v as text, normalize(v, NFKD) as parts from unnest(${characters}::text[]) as u (v)`);
  const others = rows.filter(({ text, parts }) => text.normalize('NFKD') !== parts);
  newer = new Set(others.map(({ text }) => text));
});
test.after(() => database.drop());

async function inDatabase(texts: readonly string[]): Promise<string[]> {
  const rows = await database.db.query<{ text: string }>(sql`
    select cartulary.search_text(v) as text from unnest(${texts}::text[]) with ordinality as u (v, n) order by n`);
  return rows.map(({ text }) => text);
}

test('the database and the program compare every character in the same way', async () => {
  assert.ok(newer.size < 300 && [...newer].every((one) => one > '\u0870'), [...newer].join(''));
  const known = characters.filter((character) => !newer.has(character));
  for (let from = 0; from < known.length; from += 10_000) {
    const part = known.slice(from, from + 10_000).map((character) => `a${character}b ${character}`);
    const compared = await inDatabase(part);
    const wrong = part.filter((text, i) => compared[i] !== searchText(text));
    assert.deepEqual(
      wrong.slice(0, 20),
      [],
      wrong.map((text) => text.codePointAt(1)!.toString(16)).join(' '),
    );
  }
});

const pieces = [..."aÀ\u0301\u0306иИйЁßẞ İıΣς東か\u3099-'’.ʼ١ﬁ½Ⅷ𝕏\n_%\\"];

test('the database and the program compare random texts in the same way', async () => {
  const text = fc
    .oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.string({ unit: 'grapheme', minLength: 990, maxLength: 1100 }),
      fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')),
    )
    .filter((one) => !/[\0\p{Surrogate}]/u.test(one) && ![...one].some((character) => newer.has(character)));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 50, maxLength: 100 }), async (texts) => {
      assert.deepEqual(await inDatabase(texts), texts.map(searchText));
    }),
    { numRuns: 40, endOnFailure: true },
  );
});

test('null stays null, and a localized value is all of its languages', async () => {
  const [row] = await database.db.query(sql`
    select cartulary.search_text(null::text) as nothing, cartulary.search_text(null::jsonb) as none,
      cartulary.search_text('{"ru": "Москва", "en": "Moscow!"}'::jsonb) as two`);
  assert.deepEqual(row, { nothing: null, none: null, two: '\n moscow \n москва \n' });
});
