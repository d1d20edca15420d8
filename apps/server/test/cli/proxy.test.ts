import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { proxyFor } from '../../src/cli/client/proxy.js';
import { startServer } from '../support/server.js';
import { cartulary } from './run.js';

const named = (address: string, env: Record<string, string>): string | undefined =>
  proxyFor(new URL(address), env)?.host;

test('the proxy of the environment, and what goes without', () => {
  const env = {
    HTTPS_PROXY: 'http://s.example:3128',
    http_proxy: 'p.example:8000',
    NO_PROXY: '.own.example,x:81',
  };
  assert.equal(named('https://a.example', env), 's.example:3128');
  assert.equal(named('http://a.example', env), 'p.example:8000');
  assert.equal(named('http://a.own.example', env), undefined);
  assert.equal(named('http://x:81', env), undefined);
  assert.equal(named('http://x:82', env), 'p.example:8000');
  assert.equal(named('http://127.0.0.1:8080', env), undefined);
  assert.equal(named('http://a.example', { HTTP_PROXY: 'http://p.example' }), undefined, 'as curl has it');
  assert.throws(() => named('http://a.example', { http_proxy: 'socks5://p:1' }), /cannot be used/);
});

test('commands go through a proxy, with its password; refusals of the proxy are reported', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const asked: string[] = [];
  const proxy = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url!);
    asked.push(`${url.host} ${incoming.headers['proxy-authorization']}`);
    const { host } = new URL(server.url);
    const [hostname, port] = host.split(':');
    const { method, headers } = incoming;
    const on = request({ hostname, port, method, headers, path: url.pathname + url.search }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(on);
  });
  proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  const at = `http://me:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const env = {
    CARTULARY_TOKEN: server.adminToken,
    CARTULARY_PROJECT: 'demo',
    http_proxy: at,
    https_proxy: at,
  };
  const made = await cartulary({ ...env, CARTULARY_URL: 'http://maps.invalid' }, ['map', 'create', 'far']);
  assert.deepEqual([made.status, made.out], [0, "The map 'far' is made, public\n"], made.err);
  assert.deepEqual(asked, [`maps.invalid Basic ${Buffer.from('me:secret').toString('base64')}`]);
  const refused = await cartulary({ ...env, CARTULARY_URL: 'https://maps.invalid' }, ['map', 'list']);
  assert.equal(refused.status, 1);
  assert.match(refused.err, /The proxy 127.0.0.1:\d+ refuses with status 403/);
  assert.doesNotMatch(refused.err, /secret/);
});
