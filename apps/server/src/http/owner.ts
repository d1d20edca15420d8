import { isIPv6 } from 'node:net';
import type { Caller } from '../access/caller.js';

/** Who is counted where places are shared: the account, or without one the network that the request came from. */
export const ownerOf = (caller: Caller | undefined, address: string): string =>
  caller?.account ? `account ${caller.account.id}` : `address ${networkOf(address)}`;

/** An IPv4 address, also where it is written as IPv6; of an IPv6 address the first 64 bits, since one client has all that begin with them. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (v4) return v4[1]!;
  const [before = '', after] = address.replace(/%.*$/, '').split('::');
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [first, last] = [groups(before), groups(after)];
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const network = [...first, ...(after === undefined ? [] : zeros), ...last].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
