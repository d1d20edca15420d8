import { CommandFailure } from '../failure.js';
import type { Address } from './address.js';

const check = 'Check that the server runs, and the address (--url or CARTULARY_URL).';

const reasons: Readonly<Record<string, [reason: string, hint: string]>> = {
  ECONNREFUSED: ['nothing listens there', check],
  ENOTFOUND: ['no such host is known', 'Check the address (--url or CARTULARY_URL).'],
  EAI_AGAIN: ['its host cannot be looked up now', 'Check the network and the address.'],
  ETIMEDOUT: ['it does not answer', 'Check the address, and that no firewall is in between.'],
  EHOSTUNREACH: ['its host cannot be reached', 'Check the network and the address.'],
  ENETUNREACH: ['its network cannot be reached', 'Check the network and the address.'],
  ECONNRESET: ['it broke the connection off', check],
  EPIPE: ['it broke the connection off', check],
};

/** Describes a failed connection. */
export function unreachable(error: Error, { shown }: Address): CommandFailure {
  if (error instanceof CommandFailure) return error;
  const { code = '', message } = rootOf(error);
  const [reason, hint] = reasons[code] ?? [];
  if (reason !== undefined)
    return new CommandFailure(`Cannot reach the service at ${shown}: ${reason}`, hint);
  if (/CERT|TLS|SELF_SIGNED|ISSUER/.test(code))
    return new CommandFailure(
      `Cannot reach the service at ${shown}: its certificate is not accepted (${message})`,
      'NODE_EXTRA_CA_CERTS names a file with the certificate of an authority of your own.',
    );
  if (code.startsWith('HPE_') || code === 'EPROTO')
    return new CommandFailure(
      `What answers at ${shown} does not speak ${shown.startsWith('https:') ? 'TLS' : 'HTTP'}`,
      `Perhaps its address begins with ${shown.startsWith('https:') ? 'http' : 'https'}://.`,
    );
  return new CommandFailure(`Cannot reach the service at ${shown}: ${message || code}`, check);
}

/** The first error of several tried addresses. */
function rootOf(error: Error): NodeJS.ErrnoException {
  return error instanceof AggregateError && error.errors.length ? rootOf(error.errors[0]) : error;
}
