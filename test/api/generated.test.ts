import assert from 'node:assert/strict';
import test from 'node:test';
import { sendGenerated } from '../support/generated.js';

test('generated hostile requests are answered as the OpenAPI document says', async (t) => {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`TEST_SEED=${seed} sends the same requests again`);
  const { problems, sent } = await sendGenerated(300, seed, { slowMs: 30_000 });
  assert.deepEqual(problems.slice(0, 5), [], `seed ${seed}`);
  assert.equal(sent, 300);
});
