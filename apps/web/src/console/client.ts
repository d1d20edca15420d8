import { CartularyClient } from '@cartulary/client';
import { base } from '../common/base.js';
import { sessionGate } from './sessionGate.js';

const clients = new Map<string, CartularyClient>();

/** The client of a project, with the user's session. */
export function clientOf(project: string): CartularyClient {
  const known = clients.get(project);
  if (known) return known;
  const client = new CartularyClient({ url: base, project, fetch: (request) => send(project, request) });
  // Uploads report their progress, and so do not pass through `send`.
  const takeCsrf = (): void => {
    client.csrf = sessionGate.csrfOf(project);
  };
  takeCsrf();
  sessionGate.subscribe(takeCsrf);
  clients.set(project, client);
  return client;
}

/** A client of another project, with the session of `session`: for functions of administrators of the whole service. */
export const serviceClient = (session: string, project: string): CartularyClient =>
  new CartularyClient({ url: base, project, fetch: (request) => send(session, request) });

/** Sends a request. If the session has ended, sends it again after the user has signed in. */
async function send(project: string, request: Request): Promise<Response> {
  const { fetch } = globalThis;
  const csrf = sessionGate.csrfOf(project);
  const again = request.clone();
  const response = await fetch(signed(request, csrf));
  if (response.status !== 401 && response.status !== 403) return response;
  const isRenewed = await sessionGate.renew(project, csrf);
  return isRenewed ? fetch(signed(again, sessionGate.csrfOf(project))) : response;
}

/** The request with the CSRF token, which the service requires of requests that write. */
function signed(request: Request, csrf: string): Request {
  if (csrf && !/^(GET|HEAD)$/.test(request.method)) request.headers.set('x-csrf-token', csrf);
  return request;
}
