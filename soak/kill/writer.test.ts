import assert from 'node:assert/strict';
import test from 'node:test';
import type { Service } from '../service.js';
import { type Journal, verify } from './writer.js';

const service = {} as Service;

/** A journal, and a service with a given state. */
const journal = (state: unknown, found: unknown, pending?: Journal['pending']): Journal => ({
  writer: { name: 'objects', prepare: async () => state, read: async () => found, plan: () => assert.fail() },
  state,
  pending,
  acknowledged: 0,
  refused: new Map(),
});

test('an acknowledged write must be there', async () => {
  assert.equal(await verify(journal({ a: 1, b: 2 }, { b: 2, a: 1 }), service), undefined);
  assert.equal((await verify(journal({ a: 1, b: 2 }, { a: 1 }), service))?.kind, 'lost');
});

test('an unacknowledged write is there completely or not at all', async () => {
  const pending = { after: { a: 1, b: 2, c: 3 } };
  assert.equal(await verify(journal({ a: 1 }, { a: 1 }, pending), service), undefined);
  assert.equal(await verify(journal({ a: 1 }, { a: 1, b: 2, c: 3 }, pending), service), undefined);
  assert.equal((await verify(journal({ a: 1 }, { a: 1, b: 2 }, pending), service))?.kind, 'half');
  assert.equal((await verify(journal({ a: 1 }, {}, pending), service))?.kind, 'half');
});

test('the journal continues from the stored state', async () => {
  const going = journal({ a: 1 }, { a: 1, b: 2 }, { after: { a: 1, b: 2 } });
  await verify(going, service);
  assert.deepEqual([going.state, going.pending], [{ a: 1, b: 2 }, undefined]);
});
