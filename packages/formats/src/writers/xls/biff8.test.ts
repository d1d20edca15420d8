import assert from 'node:assert/strict';
import test from 'node:test';
import { read, utils, write } from '@e965/xlsx';
import { createBiff8 } from './biff8.js';
import { biff8TextLimit } from './biff8-texts.js';

const latin = 'a'.repeat(16_384);
const cyrillic = 'ж'.repeat(8_192);

test('texts that span two records are complete, as the library reads them', () => {
  assert.deepEqual([latin, cyrillic].map(biff8TextLimit), [latin.length, cyrillic.length]);
  const writer = createBiff8(1024 * 1024);
  writer.sheet('a');
  writer.row([latin, cyrillic, 'short']);
  const sheet = read(Buffer.concat([...writer.end()]), { type: 'buffer' }).Sheets.a!;
  assert.deepEqual([sheet.A1?.v, sheet.B1?.v, sheet.C1?.v], [latin, cyrillic, 'short']);
});

/** If this fails, decision 76 must be reconsidered: the library may have lost its limit. */
test('the library truncates texts to 255 characters', () => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([['a'.repeat(300)]]), 'a');
  const sheet = read(write(book, { bookType: 'biff8', type: 'buffer' }), { type: 'buffer' }).Sheets.a!;
  assert.equal(sheet.A1?.v.length, 255);
});
