import { CartularyClient } from '@cartulary/client';
import { base } from '../common/base.js';
import { sessionGate } from './sessionGate.js';

/** How many reads of the page the service has not answered, so that they are repeated. */
class RepeatedReads {
  #now = 0;
  readonly #listeners = new Set<() => void>();

  now = (): number => this.#now;

  /** Calls a listener after every change. Returns a function that removes it. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  count = (isRepeated: boolean): void => {
    this.#now += isRepeated ? 1 : -1;
    for (const listener of this.#listeners) listener();
  };
}

export const repeatedReads = new RepeatedReads();

const clients = new Map<string, CartularyClient>();

/** The client of a project, with the user's session. */
export function clientOf(project: string): CartularyClient {
  const known = clients.get(project);
  if (known) return known;
  const client = serviceClient(project, project);
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
  new CartularyClient({
    url: base,
    project,
    fetch: (request) => send(session, request),
    onBusy: repeatedReads.count,
  });

/** A client for questions that the user has not asked: where the session has ended it is refused, and asks nobody to sign in. */
export const watchingClientOf = (project: string): CartularyClient =>
  new CartularyClient({ url: base, project });

/** Requests of this page that write. While there are more begun than ended, what is stored is not yet what is shown. */
export const ownWrites = { begun: 0, ended: 0 };

const isRead = ({ method }: Request): boolean => /^(GET|HEAD)$/.test(method);

/** Sends a request, and counts it if it writes. */
async function send(project: string, request: Request): Promise<Response> {
  if (isRead(request)) return sendSigned(project, request);
  ownWrites.begun++;
  try {
    return await sendSigned(project, request);
  } finally {
    ownWrites.ended++;
  }
}

/** Sends a request. If the session has ended, sends it again after the user has signed in. */
async function sendSigned(project: string, request: Request): Promise<Response> {
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
  if (csrf && !isRead(request)) request.headers.set('x-csrf-token', csrf);
  return request;
}
