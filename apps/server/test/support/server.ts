import { randomBytes } from 'node:crypto';
import type { Database } from '@cartulary/database/internal/pool.js';
import type { RunningServer } from '../../src/process/server.js';
import type { DatabaseHost } from './here.js';
import { borrowServer } from './lend.js';
import { adminPassword } from './settings.js';

export { adminPassword } from './settings.js';

export interface RequestOptions {
  token?: string;
  /** An object is sent as JSON; a string, Buffer, FormData or URLSearchParams as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface TestServer {
  url: string;
  /** `url` + `/api/2.8/demo`. */
  api: string;
  adminToken: string;
  db: Database;
  server: RunningServer;
  /** A request below `api` (`/world/`), or below `url` when the path starts with `//`. */
  request(method: string, path: string, options?: RequestOptions): Promise<TestAnswer>;
  /** The same as the administrator; throws unless the answer is 200. Gives the parsed body. */
  admin<T = any>(method: string, path: string, body?: unknown): Promise<T>;
  stop(): Promise<void>;
}

export interface TestAnswer {
  status: number;
  headers: Headers;
  text: string;
  bytes: Buffer;
  /** The body as JSON, or undefined where it is none. */
  json: any;
}

/**
 * The real service on a fresh database: embedded, or a new database on the server of `TEST_DATABASE_URL`.
 * `settings` are environment variables; the demo world is left out unless `CARTULARY_DEMO` is set. Where `npm test`
 * runs it, the service is in a process that is lent to one test file after the other, and of `server.services` only
 * what `lend.ts` names is there; with 'here' it is always in the process of the test, its database alone may be lent; a DatabaseHost
 * (`here.ts`) is a database for several servers, one after the other.
 */
export async function startServer(
  settings: Record<string, string> = {},
  place: 'anywhere' | 'here' | DatabaseHost = 'anywhere',
): Promise<TestServer> {
  const keepers = process.env.TEST_KEEPERS;
  const host = typeof place === 'object' ? place : undefined;
  const isOwn = place !== 'anywhere' || 'DATABASE_URL' in settings || 'CARTULARY_DATA' in settings;
  const { server, end } =
    keepers === undefined || isOwn
      ? await (await import('./here.js')).startHere(settings, host)
      : await borrowServer(keepers, settings);
  return testServer(server, end);
}

async function testServer(server: RunningServer, end: () => Promise<void>): Promise<TestServer> {
  const api = `${server.url}/api/2.8/demo`;
  const request: TestServer['request'] = async (method, path, options = {}) => {
    const { headers, body } = bodyOf(options);
    const url = path.startsWith('//') ? server.url + path.slice(1) : api + path;
    const response = await fetch(url, { method, headers, body, signal: options.signal ?? null });
    return answerOf(response);
  };
  const login = await request('POST', '/login/', { body: { login: 'admin', password: adminPassword } });
  const adminToken = login.json?.token as string;
  return {
    url: server.url,
    api,
    adminToken,
    db: server.services.db,
    server,
    request,
    async admin(method, path, body) {
      const answer = await request(method, path, { token: adminToken, body });
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return answer.json;
    },
    stop: end,
  };
}

function bodyOf({ token, body, headers }: RequestOptions): {
  headers: Record<string, string>;
  body: RequestInit['body'];
} {
  const sent = { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers };
  if (body === undefined) return { headers: sent, body: null };
  const isRaw =
    typeof body === 'string' ||
    body instanceof Uint8Array ||
    body instanceof FormData ||
    body instanceof URLSearchParams;
  if (isRaw) return { headers: sent, body: body as RequestInit['body'] };
  return { headers: { 'content-type': 'application/json', ...sent }, body: JSON.stringify(body) };
}

async function answerOf(response: Response): Promise<TestAnswer> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const text = bytes.toString();
  let json: unknown;
  if (response.headers.get('content-type')?.includes('json')) json = JSON.parse(text);
  return { status: response.status, headers: response.headers, text, bytes, json };
}

/** A code that no other test uses. */
export const freshCode = (prefix = 'c'): string => `${prefix}_${randomBytes(4).toString('hex')}`;
