import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSemaphore } from '@cartulary/runtime';
import Fastify from 'fastify';
import { parseConfig } from '../../config.js';
import type { App } from '../app-type.js';
import { cancelWhenGone } from '../cancel.js';
import { FairShare } from './fair-share.js';
import { limitWork } from './work.js';

/** An app whose routes answer after `delay.ms`, or once `delay.held` resolves, and the requests that have reached a handler. */
function createSlowApp(): { app: App; delay: { ms: number; held?: Promise<void> }; started: string[] } {
  const app = Fastify() as unknown as App;
  const started: string[] = [];
  const delay: { ms: number; held?: Promise<void> } = { ms: 0 };
  app.decorateRequest('caller');
  cancelWhenGone(app, new AbortController().signal);
  limitWork(
    app,
    { config: parseConfig({}), lists: createSemaphore(10) },
    new FairShare({ running: 1, idleCores: () => 0 }),
  );
  const routes = [
    ['/usual', {}],
    ['/upload', { upload: true }],
    ['/probe', { isProbe: true }],
    ['/login', { token: 'own' }],
  ] as const;
  for (const [url, config] of routes) {
    app.get(url, { config }, async (request) => {
      started.push(`${url} ${request.ip}`);
      await (delay.held ?? sleep(delay.ms));
      return {};
    });
  }
  return { app, delay, started };
}

test('requests of who takes nearly all the time wait for each other; uploads, probes, sign-ins and others do not', async () => {
  const { app, delay, started } = createSlowApp();
  const [heavy, light] = ['10.0.0.1', '10.0.0.2'];
  const get = (url: string, remoteAddress: string): Promise<unknown> =>
    app.inject({ method: 'GET', url, remoteAddress }).then(() => undefined);
  delay.ms = 250;
  await Promise.all(
    [...Array(8).fill(heavy), light, light, light].map((address: string) => get('/usual', address)),
  );
  started.length = 0;
  let release = (): void => {};
  delay.held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const usual = [get('/usual', heavy), get('/usual', heavy)];
  const others = [get('/upload', heavy), get('/probe', heavy), get('/login', heavy), get('/usual', light)];
  await sleep(100);
  assert.deepEqual(started.sort(), [
    `/login ${heavy}`,
    `/probe ${heavy}`,
    `/upload ${heavy}`,
    `/usual ${heavy}`,
    `/usual ${light}`,
  ]);
  release();
  await Promise.all([...usual, ...others]);
  assert.equal(started.length, 6);
  await app.close();
});
