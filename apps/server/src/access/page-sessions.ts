/**
 * Sessions of users who signed in at the pages. Their tokens are in cookies, which programs and other sites
 * cannot use.
 */
import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { accountOf, type Caller } from './caller.js';
import { publicCaller } from './public-caller.js';
import { csrfTokenOf, hasCsrfToken, sessionCookie, tokensInCookies } from './sign-in/cookies.js';
import { logIn } from './sign-in/login.js';
import { closeSession, identifyByCookie } from './sign-in/sessions.js';

interface Parts {
  readonly db: Database;
  readonly config: Config;
}

/** A session as the pages receive it. */
export interface PageSession {
  project: string;
  login: string;
  name: string;
  /** Whether the user may use the console. */
  guiAccess: boolean;
  /** Value of the header `X-CSRF-Token`, for requests that write. */
  csrf: string;
}

interface SignedIn {
  caller: Caller;
  token: string;
}

/** The sessions of a browser: one caller for each project, found by the cookies. */
async function signedIn(request: FastifyRequest, { db, config }: Parts): Promise<SignedIn[]> {
  const found = [...tokensInCookies(request, config)].map(async ([project, token]) => {
    const caller = await identifyByCookie(db, project, token).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'project_not_found') return undefined;
      throw error;
    });
    return caller?.account ? [{ caller, token }] : [];
  });
  return (await Promise.all(found)).flat();
}

export const callersOfRequest = async (request: FastifyRequest, parts: Parts): Promise<Caller[]> =>
  (await signedIn(request, parts)).map(({ caller }) => caller);

export const sessionsOf = async (request: FastifyRequest, parts: Parts): Promise<PageSession[]> =>
  Promise.all((await signedIn(request, parts)).map((one) => sessionOf(parts.db, one)));

async function sessionOf(db: Database, { caller, token }: SignedIn): Promise<PageSession> {
  const { id, login, name } = accountOf(caller);
  const [account] = await db.query<{ guiAccess: boolean }>(
    sql`select gui_access as "guiAccess" from cartulary.account where id = ${id}`,
  );
  const guiAccess = account?.guiAccess ?? false;
  return { project: caller.project.code, login, name, guiAccess, csrf: csrfTokenOf(token) };
}

const projectIdOf = async ({ db }: Parts, code: string): Promise<number> =>
  (await publicCaller(db, code, await db.snapshot())).project.id;

/**
 * Opens a session that replaces the browser's present one. Returns the session and its `Set-Cookie`. Throws
 * what `login/` throws.
 */
export async function signIn(
  request: FastifyRequest,
  parts: Parts,
  { project, ...credentials }: { project: string; login: string; password: string },
): Promise<{ session: PageSession; cookie: string }> {
  const { db, config } = parts;
  const projectId = await projectIdOf(parts, project);
  const token = await logIn(db, config, { ...credentials, projectId, address: request.ip, kind: 'console' });
  const before = tokensInCookies(request, config).get(project);
  if (before !== undefined) await closeSession(db, projectId, before);
  const caller = await identifyByCookie(db, project, token);
  return {
    session: await sessionOf(db, { caller, token }),
    cookie: sessionCookie(request, config, { project, token }),
  };
}

/**
 * Ends the browser's session in a project. Returns the `Set-Cookie` that removes the cookie. Throws 403
 * without the CSRF token.
 */
export async function signOut(request: FastifyRequest, parts: Parts, project: string): Promise<string> {
  const token = tokensInCookies(request, parts.config).get(project);
  if (token !== undefined) {
    if (!hasCsrfToken(request, token))
      throw new ServiceError('forbidden', 'The header X-CSRF-Token is missing');
    await closeSession(parts.db, await projectIdOf(parts, project), token);
  }
  return sessionCookie(request, parts.config, { project, token: '' });
}
