import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayDivideMapAbove } from './sprite-layer.js';

test('a map is not divided between labels that avoid each other', () => {
  const part = { id: 1, area: 2, claims: false } as const;
  const label = { id: 2, area: 'block', claims: true } as const;
  assert.equal(mayDivideMapAbove([part, part], 0), true);
  assert.equal(mayDivideMapAbove([label, part], 1), true);
  assert.equal(mayDivideMapAbove([part, label], 0), true);
  assert.equal(mayDivideMapAbove([label, part, label], 1), false);
});
