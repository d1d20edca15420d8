import assert from 'node:assert/strict';
import test from 'node:test';
import { FullDisk } from '@cartulary/runtime';
import Fastify from 'fastify';
import { outageLog } from '../../src/http/outages.js';
import { sendError } from '../../src/http/reply.js';

test('a full disk is 503 for the caller, and told to the operator once in a while', async () => {
  const told: unknown[] = [];
  const note = (text: unknown): void => void told.push(text);
  const tell = outageLog(
    { info: note, warn: note, error: note, debug: note },
    {
      target: { host: 'localhost', port: 5432, user: 'anna', database: 'maps' },
      dataFolder: '/srv/maps',
    },
  );
  const app = Fastify();
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.addHook('onError', async (_request, _reply, error) => tell(error));
  app.get('/stored', () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  });
  app.get('/converted', () => {
    throw new FullDisk('fwrite failed: No space left on device');
  });
  for (const url of ['/stored', '/converted']) {
    const { statusCode, headers, body } = await app.inject({ url, headers: { accept: 'application/json' } });
    assert.equal(statusCode, 503, url);
    assert.ok(headers['retry-after']);
    assert.match(body, /"busy","message":"The disk of the service has no room for this"/);
  }
  assert.equal(told.length, 1);
  assert.match(String(told[0]), /disk of the data folder \/srv\/maps has no room/);
  await app.close();
});
