import assert from 'node:assert/strict';
import test from 'node:test';
import { isFromOwnPage, originOf } from './origin.js';

const config = { baseUrl: '', hosts: 'localhost,127.0.0.1,[::1],maps.example.org:8443' };
const at = (host: string, more: Partial<typeof config> = {}): string =>
  originOf({ protocol: 'https', host }, { ...config, ...more });

test('only hosts of the list are written into addresses', () => {
  assert.equal(at('localhost:8080'), 'https://localhost:8080');
  assert.equal(at('LOCALHOST'), 'https://localhost');
  assert.equal(at('[::1]:8080'), 'https://[::1]:8080');
  assert.equal(at('maps.example.org:8443'), 'https://maps.example.org:8443');
  const others = [
    'evil.example',
    'maps.example.org',
    'localhost.evil.example',
    'localhost:80@evil.example',
    '',
    'localhost:x',
  ];
  for (const host of others) assert.equal(at(host), '', host);
  assert.equal(at('localhost', { hosts: '' }), '');
});

test('a base address stands for every host', () => {
  const baseUrl = 'https://maps.example.org/base';
  for (const host of ['localhost', 'evil.example']) assert.equal(at(host, { baseUrl }), baseUrl);
});

test('a page of our own is told by what the browser says', () => {
  const asks = (headers: Record<string, string>, method = 'GET'): boolean =>
    isFromOwnPage(
      { protocol: 'http', host: 'maps.example:8080', method, headers },
      { baseUrl: 'https://base.example/x' },
    );
  assert.equal(asks({ 'sec-fetch-site': 'same-origin' }, 'POST'), true);
  assert.equal(asks({ 'sec-fetch-site': 'none' }), true);
  assert.equal(asks({ 'sec-fetch-site': 'none' }, 'POST'), false);
  for (const site of ['same-site', 'cross-site', ''])
    assert.equal(asks({ 'sec-fetch-site': site, origin: 'http://maps.example:8080' }), false, site);
  assert.equal(asks({ origin: 'http://maps.example:8080' }, 'POST'), true);
  assert.equal(asks({ origin: 'https://base.example' }, 'POST'), true);
  assert.equal(asks({ referer: 'http://maps.example:8080/maps/a/b/' }), true);
  for (const origin of [
    'http://maps.example',
    'https://maps.example:8080',
    'http://evil.example',
    'null',
    '',
  ])
    assert.equal(asks({ origin, referer: 'http://maps.example:8080/' }), false, origin);
  assert.equal(asks({}), false);
});
