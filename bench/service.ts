import { createReadStream } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { launchServer, printed } from '../test/support/process.js';
import { adminPassword } from '../test/support/server.js';
import { watchMemory } from './memory.js';
import { run, type Stage } from './stage.js';

/** People who look at a map at once, processes of a peer. */
export const atOnce = 4;

/** Programs that ask at once, each on a connection of its own: as many clients has pgbench. With fewer a core waits now and then. */
export const readers = 16;

/**
 * What of the service keeps what it has made: `kept` all of it, as it is installed; `unkept` nothing. The one place that
 * turns caches off.
 */
const caches = {
  kept: {},
  unkept: { CARTULARY_TILE_CACHE: '0', CARTULARY_TILE_CACHE_DISK: '0', CARTULARY_IMAGE_CACHE: '0' },
} as const;

export type Caches = keyof typeof caches;

/** The service on PostgreSQL, as processes of their own. */
export interface Service {
  /** `http://127.0.0.1:…` */
  url: string;
  pid: number;
  /** URL of its database. */
  database: string;
  token: string;
  /** A request of the administrator below the project. Throws unless it is answered 200. */
  admin<T = any>(method: string, path: string, body?: object | FormData): Promise<T>;
}

interface Running extends Service {
  caches: Caches;
  stop(): Promise<void>;
}

/** The service of the run, started anew when it keeps something else than is wanted. */
export async function serviceOf(stage: Stage, wanted: Caches = 'kept'): Promise<Service> {
  const database = await stage.once('service database', () => serviceDatabase(stage));
  const holder = await stage.once('service', async () => ({}) as { running?: Running | undefined });
  if (holder.running?.caches !== wanted) {
    await holder.running?.stop();
    holder.running = undefined;
    holder.running = await startService(stage, database, wanted);
  }
  return holder.running;
}

/** Nobody's statements are compiled in it: the service never wants that, and its peers are faster without it, too. */
async function serviceDatabase(stage: Stage): Promise<string> {
  const url = await stage.database();
  await run('psql', [url, '-qc', `alter database ${new URL(url).pathname.slice(1)} set jit = off`]);
  return url;
}

async function startService(stage: Stage, database: string, wanted: Caches): Promise<Running> {
  const launched = launchServer(join(stage.folder, 'service'), {
    DATABASE_URL: database,
    CARTULARY_ADMIN_PASSWORD: adminPassword,
    CARTULARY_RENDERERS: String(Math.min(atOnce, availableParallelism())),
    CARTULARY_SESSION_IDLE: '86400',
    CARTULARY_IMPORT_LIMIT: String(16 * 1024 ** 3),
    ...caches[wanted],
  });
  const { child } = launched;
  const pid = child.pid!;
  const watched = watchMemory(stage, pid);
  const stop = async (): Promise<void> => {
    watched.stop();
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  };
  stage.defer(stop);
  const [, address] = await printed(launched, /(http:\/\/[^/\s]+)\//);
  const url = address!;
  const token = await signIn(url);
  const admin = (method: string, path: string, body?: object | FormData) =>
    ask({ url, token }, method, path, body);
  return { url, pid, database, token, admin, caches: wanted, stop };
}

const api = (url: string): string => `${url}/api/2.8/demo`;

async function signIn(url: string): Promise<string> {
  const body = { login: 'admin', password: adminPassword };
  const { token } = await ask({ url, token: undefined }, 'POST', '/login/', body);
  return token as string;
}

async function ask(
  { url, token }: { url: string; token: string | undefined },
  method: string,
  path: string,
  body?: object | FormData,
): Promise<any> {
  const isForm = body instanceof FormData;
  const answer = await fetch(api(url) + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    },
    body: isForm ? body : body ? JSON.stringify(body) : null,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  return text && JSON.parse(text);
}

const answered = (sent: ReturnType<typeof request>): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => sent.once('response', resolve).once('error', reject));

/** Sends a file into a layer, in place of what it has: how many features were stored. */
export async function importFile(service: Service, layer: string, file: string): Promise<number> {
  const sent = request(`${api(service.url)}${layer}/import/?action=1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'x-filename': file.replace(/.*\//, '') },
  });
  const answer = answered(sent);
  await pipeline(createReadStream(file), sent);
  let text = '';
  for await (const chunk of await answer) text += chunk;
  const stored = JSON.parse(text).import?.stored;
  if (!Number.isInteger(stored)) throw new Error(`${file}: ${text.slice(0, 500)}`);
  return stored;
}

/** A layer as a file: its stream. Throws unless it is answered 200. */
export async function exported(service: Service, layer: string, format: string): Promise<IncomingMessage> {
  const sent = request(`${api(service.url)}${layer}/export/?format=${format}`, {
    headers: { authorization: `Bearer ${service.token}` },
  });
  const answer = answered(sent);
  sent.end();
  const stream = await answer;
  if (stream.statusCode !== 200) throw new Error(`export of ${format}: ${stream.statusCode}`);
  return stream;
}

/** Makes a map that the public may view. */
export const makeMap = (service: Service, code: string): Promise<unknown> =>
  service.admin('POST', '/', { code, css_style: 'Map { background-color: #ffffff; }' });

/** How often a map was given another ground. */
let grounds = 0;

/** Whatever was drawn of a map is out of date from now on: its ground is another white, which no tile that is kept has. */
export function forgetTiles(service: Service, map: string): Promise<unknown> {
  grounds += 1;
  const [green, blue] = [grounds >> 4, grounds & 15].map((less) => (255 - less).toString(16));
  return service.admin('PATCH', `/${map}/`, { css_style: `Map { background-color: #ff${green}${blue}; }` });
}
