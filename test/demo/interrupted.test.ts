import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { freshPostgres } from '../support/database.js';
import { printed, serverProcess } from '../support/process.js';

test('a demo world whose loading is killed is complete after the next start', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-demo-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = process.env.TEST_DATABASE_URL
    ? await freshPostgres(process.env.TEST_DATABASE_URL)
    : undefined;
  t.after(() => postgres?.drop());
  const settings = { CARTULARY_DEMO: '1', ...(postgres ? { DATABASE_URL: postgres.url } : {}) };

  const killed = await serverProcess(folder, settings);
  t.after(() => killed.child.kill('SIGKILL'));
  await printed(killed, /cities 40 %/);
  const gone = once(killed.child, 'exit');
  killed.child.kill('SIGKILL');
  await gone;
  assert.doesNotMatch(killed.output(), /is complete/);

  const again = await serverProcess(folder, settings);
  t.after(() => again.child.kill('SIGKILL'));
  await printed(again, /The demo world is complete/);
  const count = async (layer: string): Promise<unknown> =>
    (await fetch(`${again.url}/api/2.8/demo/world/layers/${layer}/count/?precise=true`)).json();
  assert.deepEqual(await Promise.all([count('countries'), count('cities')]), [255, 135_233]);
  const ended = once(again.child, 'exit');
  again.child.kill('SIGTERM');
  assert.equal((await ended)[0], 0);
});
