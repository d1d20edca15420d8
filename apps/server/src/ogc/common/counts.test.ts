import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Database } from '@cartulary/database';
import type { Layer } from '../../layers/layers.js';
import type { ObjectQuery } from '../../objects/store.js';
import { matchedCount } from './counts.js';

test('counts of long filters are kept without the filters', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let asked = 0;
  const heavy = { query: async () => [{ count: ++asked }] };
  const db = { heavy } as unknown as Database;
  const layer = { id: 1, data_version: 1, structure: 1, columns: [] } as unknown as Layer;
  const query = { columns: [], sort: [], offset: 0, limit: 1 } as unknown as ObjectQuery;
  const count = (i: number): Promise<number | undefined> =>
    matchedCount(
      db,
      layer,
      { query, selection: `${'x'.repeat(1_000_000)}${i}` },
      AbortSignal.timeout(60_000),
    );
  const before = process.memoryUsage().heapUsed;
  for (let i = 1; i <= 100; i++) assert.equal(await count(i), i);
  assert.equal(await count(7), 7, 'the count of a selection is known');
  collect();
  const kept = process.memoryUsage().heapUsed - before;
  assert.ok(kept < 30_000_000, `${kept} bytes are kept`);
});
