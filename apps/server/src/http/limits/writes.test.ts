import assert from 'node:assert/strict';
import test from 'node:test';
import Fastify from 'fastify';
import type { App } from '../app-type.js';
import { prioritizeWrites } from './writes.js';

test('writes pause drawing until they are answered; reads, and pictures by POST, do not', async () => {
  const app = Fastify() as unknown as App;
  let paused = 0;
  let pauses = 0;
  prioritizeWrites(app, {
    pauseForWrite() {
      paused += 1;
      pauses += 1;
      return () => (paused -= 1);
    },
  });
  const atAnswer: number[] = [];
  const answer = async (): Promise<string> => String(atAnswer.push(paused));
  app.route({ method: ['GET', 'POST'], url: '/objects', handler: answer });
  app.route({ method: ['GET', 'POST'], url: '/picture', config: { work: 'tiles' }, handler: answer });
  for (const url of ['/objects', '/picture'])
    for (const method of ['GET', 'POST'] as const) await app.inject({ method, url });
  assert.deepEqual([atAnswer, pauses], [[0, 1, 0, 0], 1]);
  await app.close();
});
