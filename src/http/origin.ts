import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';

/**
 * What stands before a path in an absolute address, without a slash at the end: the base address or, without one, the host
 * by which the service was asked when it is one of those that it may be asked by. Else nothing, so that addresses are
 * relative: the header `Host` is the client's, and an answer with it could be kept for others.
 */
export function originOf(
  { protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>,
  { baseUrl, hosts }: Pick<Config, 'baseUrl' | 'hosts'>,
): string {
  if (baseUrl) return baseUrl.replace(/\/+$/, '');
  const asked = host.toLowerCase();
  const name = asked.replace(/:\d{1,5}$/, '');
  return hosts.split(',').some((known) => known === asked || known === name) ? `${protocol}://${asked}` : '';
}
