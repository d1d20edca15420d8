import assert from 'node:assert/strict';
import test from 'node:test';
import { tileExtent } from '@cartulary/geo/internal/tile.js';
import { tilesFor } from './compose.js';
import { freshnessOf } from './fetch.js';
import { isPublicAddress, policyOf } from './policy.js';

test('only addresses of the public internet are public', () => {
  const inner =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.9.9.9 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.168.1.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 fc00::1 fd12::1 fe80::1 fec0::1 ff02::1 2001:db8::1 2001::1 2002:7f00:1:: localhost 1.2.3';
  for (const address of inner.split(' ')) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::1'])
    assert.equal(isPublicAddress(address), true, address);
});

test('hosts are compared whole, with their ports', () => {
  const policy = policyOf({
    externalHosts: 'Tiles.example.org, *.wild.org, other.org:8443, [::1]:80',
    externalPrivate: 'other.org:8443, [::1]:80',
  });
  const allowed = (url: string) => policy.allows(new URL(url));
  for (const url of [
    'http://tiles.example.org/',
    'https://TILES.example.org./',
    'https://a.wild.org/',
    'https://a.b.wild.org/',
    'https://other.org:8443/',
    'http://[::1]/',
  ])
    assert.ok(allowed(url), url);
  for (const url of [
    'http://tiles.example.org:81/',
    'http://tiles.example.org.evil.org/',
    'http://eviltiles.example.org/',
    'http://wild.org/',
    'http://evilwild.org/',
    'https://other.org/',
    'ftp://tiles.example.org/',
    'http://tiles.example.org@evil.org/',
  ])
    assert.ok(!allowed(url), url);
  assert.ok(policy.mayBePrivate(new URL('http://other.org:8443/')));
  assert.ok(policy.mayBePrivate(new URL('http://[::1]/')));
  assert.ok(!policy.mayBePrivate(new URL('http://other.org/')));
  assert.ok(!policyOf({ externalHosts: '', externalPrivate: '' }).allows(new URL('http://a.org')));
});

test('an answer is kept as long as it says', () => {
  const now = Date.parse('2024-01-01T00:00:00Z');
  const ms = (headers: Record<string, string>) => freshnessOf(headers, now);
  assert.equal(ms({}), undefined);
  assert.equal(ms({ 'cache-control': 'max-age=60' }), 60_000);
  assert.equal(ms({ 'cache-control': 'max-age=60', age: '50' }), 10_000);
  assert.equal(ms({ 'cache-control': 'max-age=60, s-maxage=10' }), 10_000);
  assert.equal(ms({ 'cache-control': 'No-Store, max-age=60' }), 0);
  assert.equal(ms({ 'cache-control': 'private' }), 0);
  assert.equal(ms({ expires: 'Mon, 01 Jan 2024 00:01:00 GMT' }), 60_000);
  assert.equal(ms({ expires: '0' }), 0);
});

test('the tiles of the level whose pixels are those of the picture', () => {
  const source = { url: '{z}/{x}/{y}', tileSize: 256, minZoom: 0, maxZoom: 10 } as const;
  const at = (z: number, x: number, y: number, scale = 1) => ({ z, scale, extent: tileExtent(z, x, y) });
  assert.deepEqual(tilesFor(source, at(3, 5, 2)), {
    level: 3,
    x: 5,
    y: 2,
    columns: 1,
    rows: 1,
    isRetina: false,
  });
  assert.deepEqual(tilesFor(source, at(3, 5, 2, 2)), {
    level: 4,
    x: 10,
    y: 4,
    columns: 2,
    rows: 2,
    isRetina: false,
  });
  assert.deepEqual(tilesFor({ ...source, url: '{z}{r}' }, at(3, 5, 2, 2)).level, 3);
  assert.deepEqual(tilesFor({ ...source, tileSize: 512 }, at(3, 5, 2)), {
    level: 2,
    x: 2,
    y: 1,
    columns: 1,
    rows: 1,
    isRetina: false,
  });
  assert.equal(tilesFor(source, at(14, 5, 2)).level, 10);
  for (let z = 0; z <= 24; z++) {
    const last = 2 ** z - 1;
    const { level, x, columns } = tilesFor({ ...source, maxZoom: 24 }, at(z, last, 0));
    assert.deepEqual([level, x, columns], [z, last, 1]);
  }
});
