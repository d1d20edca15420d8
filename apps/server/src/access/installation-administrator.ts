import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { isFromOwnPage, isReading } from '../http/origin.js';
import type { Caller } from './caller.js';
import { tokenOf } from './hook.js';
import { hasCsrfToken, tokensInCookies } from './sign-in/cookies.js';
import { identifyAnywhere } from './sign-in/sessions.js';

interface Parts {
  readonly db: Database;
  readonly config: Config;
}

/**
 * The administrator of the installation who calls a function above the projects: by a token of any project or, from our own
 * pages, by a session cookie. Throws 401, 403. The answer is private.
 */
export async function installationAdministratorOf(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Parts,
): Promise<Caller> {
  reply.header('cache-control', 'private, no-store');
  const token = tokenOf(request);
  const tokens = token === undefined ? cookiesOf(request, parts.config) : [token];
  let isKnown = false;
  for (const one of tokens) {
    const caller = await identifyAnywhere(parts.db, one);
    // The token of a program is no cookie.
    if (!caller || (token === undefined && caller.session !== 'console')) continue;
    if (caller.isInstaller) return caller;
    isKnown = true;
  }
  if (!isKnown) throw new ServiceError('not_authenticated');
  throw new ServiceError('forbidden', 'Only an administrator of the installation may do this');
}

/** The tokens of the browser's sessions, for requests of our own pages: of a write the one whose CSRF token it has. */
function cookiesOf(request: FastifyRequest, config: Config): string[] {
  if (!isFromOwnPage(request, config)) return [];
  const tokens = [...tokensInCookies(request, config).values()];
  return isReading(request.method) ? tokens : tokens.filter((one) => hasCsrfToken(request, one));
}
