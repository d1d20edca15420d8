/** Hosts and addresses from which pictures may be fetched. Pure. */
import { BlockList, isIP } from 'node:net';

export interface ExternalConfig {
  /** `tiles.example.org`, `*.example.org`, `tiles.example.org:8443`, with commas. */
  externalHosts: string;
  /** `host:port`, with commas: the hosts that may have a private address. */
  externalPrivate: string;
}

export interface Policy {
  /** Whether the host and port of an address are on the list. */
  allows(url: URL): boolean;
  /** Whether a host may have a private address. */
  mayBePrivate(url: URL): boolean;
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter(Boolean);

export const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** The policy of the settings. */
export function policyOf({ externalHosts, externalPrivate }: ExternalConfig): Policy {
  const hosts = listOf(externalHosts).map((entry) => {
    const [, host, port] = /^(.*?)(?::(\d+))?$/.exec(entry)!;
    return { host: withoutBrackets(host!), ports: port === undefined ? ['80', '443'] : [port] };
  });
  const privates = new Set(listOf(externalPrivate).map((entry) => entry.replace(/^\[(.*)\](?=:\d+$)/, '$1')));
  const matches = (host: string, pattern: string): boolean =>
    pattern.startsWith('*.')
      ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1
      : host === pattern;
  return {
    allows: (url) =>
      (url.protocol === 'http:' || url.protocol === 'https:') &&
      hosts.some(({ host, ports }) => ports.includes(portOf(url)) && matches(hostOf(url), host)),
    mayBePrivate: (url) => privates.has(`${hostOf(url)}:${portOf(url)}`),
  };
}

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

/** The host without a final dot and without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string =>
  withoutBrackets(hostname.toLowerCase().replace(/\.$/, ''));

/** Addresses that are not public: IANA's registries of special-purpose addresses (RFC 6890 and later). */
const special = new BlockList();
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  special.addSubnet(address, bits, 'ipv4');

/**
 * Of IPv6 only global unicast is public (2000::/3, RFC 4291), except special-purpose blocks and blocks that
 * embed IPv4 addresses.
 */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');
const notGlobal = new BlockList();
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notGlobal.addSubnet(address, bits, 'ipv6');

/** Whether an address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  return family === 6 && globalUnicast.check(address, 'ipv6') && !notGlobal.check(address, 'ipv6');
}
