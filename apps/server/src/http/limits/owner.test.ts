import assert from 'node:assert/strict';
import test from 'node:test';
import { networkOf, ownerOf } from './owner.js';

test('an IPv4 address, or the first 64 bits of an IPv6 address', () => {
  const networks: readonly (readonly [address: string, network: string])[] = [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['no address', 'no address'],
  ];
  for (const [address, network] of networks) assert.equal(networkOf(address), network);
});

test('accounts are counted by themselves, all others by their network', () => {
  const account = { id: 7, login: 'ann', name: 'Ann' };
  assert.equal(ownerOf({ account } as never, '192.0.2.7'), 'account 7');
  assert.equal(ownerOf({ account: null } as never, '192.0.2.7'), 'address 192.0.2.7');
  assert.equal(ownerOf(undefined, '2001:db8::1'), 'address 2001:db8:0:0::/64');
});
