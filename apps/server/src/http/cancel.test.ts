import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Fastify from 'fastify';
import type { App } from './app-type.js';
import { cancelWhenGone } from './cancel.js';

test('many parts of the work of a request may listen to its end', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): unknown => warnings.push(name);
  process.on('warning', note);
  const app = Fastify();
  cancelWhenGone(app as unknown as App, new AbortController().signal);
  app.get('/', async ({ gone }) => {
    for (let i = 0; i < 30; i++) gone.addEventListener('abort', () => undefined);
    return 'done';
  });
  assert.equal((await app.inject('/')).body, 'done');
  await setImmediate();
  process.off('warning', note);
  await app.close();
  assert.deepEqual(warnings, []);
});
