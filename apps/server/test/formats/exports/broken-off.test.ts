import assert from 'node:assert/strict';
import test from 'node:test';
import type { ObjectRow } from '@cartulary/columns';
import { ServiceError } from '@cartulary/errors';
import { asText } from '../../../src/exports/export.js';

const writer = { head: '[', write: () => '{}', separator: ',', tail: ']' };

/** Slices of one object, and then an error. */
async function* failingAfter(slices: number): AsyncGenerator<ObjectRow[]> {
  for (let i = 0; i < slices; i++) yield [{} as ObjectRow];
  throw new ServiceError('busy', 'The layer was imported anew');
}

async function* slices(count: number): AsyncGenerator<ObjectRow[]> {
  for (let i = 0; i < count; i++) yield [{} as ObjectRow];
}

test('a short export that fails is refused before it is sent', async () => {
  for (const count of [0, 1])
    await assert.rejects(asText(failingAfter(count), writer), { code: 'busy' }, `${count} slices`);
});

test('a longer one is broken off', async () => {
  const text = await asText(failingAfter(3), writer);
  await assert.rejects(text.toArray(), { code: 'busy' });
});

test('an export is whole, however many slices it has', async () => {
  for (const [count, whole] of [
    [0, '[]'],
    [1, '[{}]'],
    [2, '[{},{}]'],
    [5, '[{},{},{},{},{}]'],
  ] as const)
    assert.equal(Buffer.concat(await (await asText(slices(count), writer)).toArray()).toString(), whole);
});
