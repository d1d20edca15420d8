import { isIPv6 } from 'node:net';

/** The caller, as far as shared limits are concerned. */
interface Asker {
  readonly account: { readonly id: number } | null;
}

/** The owner of places under shared limits: the account, or without one the network of the request. */
export const ownerOf = (caller: Asker | undefined, address: string): string =>
  caller?.account ? `account ${caller.account.id}` : `address ${networkOf(address)}`;

/**
 * The network of an address: an IPv4 address (also in its IPv6 form), or the first 64 bits of an IPv6
 * address, since one client owns all addresses below them.
 */
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
