import { createReadStream } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { launchServer, printed } from '@cartulary/server/support/process.js';
import { adminPassword } from '@cartulary/server/support/server.js';
import { watchMemory } from './memory.js';
import { run, type Stage } from './stage.js';

/** Number of concurrent map users, and of processes of a peer. */
export const atOnce = 4;

/** Number of concurrent clients with one connection each, also of pgbench. Fewer would leave a core idle at times. */
export const readers = 16;

/**
 * Cache settings of the service: `kept` are the defaults, `unkept` switches all caches off.
 */
const caches = {
  kept: {},
  unkept: { CARTULARY_TILE_CACHE: '0', CARTULARY_TILE_CACHE_DISK: '0', CARTULARY_IMAGE_CACHE: '0' },
} as const;

export type Caches = keyof typeof caches;

/** The service on PostgreSQL, as child processes. */
export interface Service {
  /** `http://127.0.0.1:…` */
  url: string;
  pid: number;
  /** URL of the service's database. */
  database: string;
  token: string;
  /** Sends an administrator's request below the project. Throws unless the status is 200. */
  admin<T = any>(method: string, path: string, body?: object | FormData): Promise<T>;
}

export interface Running extends Service {
  stop(): Promise<void>;
}

/** The service of the run. It restarts when other cache settings are wanted. */
export async function serviceOf(stage: Stage, wanted: Caches = 'kept'): Promise<Service> {
  const database = await stage.once('service database', () => serviceDatabase(stage));
  const holder = await stage.once('service', async () => ({}) as { running?: Running; caches?: Caches });
  if (!holder.running || holder.caches !== wanted) {
    await holder.running?.stop();
    holder.running = await startService(stage, database, { name: 'service', settings: caches[wanted] });
    holder.caches = wanted;
  }
  return holder.running;
}

/** A second service on the database of the run, with its own settings. The caller stops it. */
export async function otherService(
  stage: Stage,
  wanted: Caches,
  settings: Record<string, string>,
): Promise<Running> {
  const { database } = await serviceOf(stage, wanted);
  return startService(stage, database, {
    name: 'other-service',
    settings: { ...caches[wanted], ...settings },
  });
}

/** Another build of the service, with a database of its own. `main`: its main file. */
export async function otherBuild(stage: Stage, main: string): Promise<Service> {
  const database = await serviceDatabase(stage);
  const command: [string, string] = [process.execPath, resolve(main)];
  return startService(stage, database, { name: 'other-build', settings: caches.kept, command });
}

/**
 * Settings of the database. JIT compilation slows down the statements of the service and its peers. Statements of a peer
 * that was ended would go on beside the others.
 */
const databaseSettings = ['jit = off', "client_connection_check_interval = '1s'"];

async function serviceDatabase(stage: Stage): Promise<string> {
  const url = await stage.database();
  const name = new URL(url).pathname.slice(1);
  for (const setting of databaseSettings)
    await run('psql', [url, '-qc', `alter database ${name} set ${setting}`]);
  return url;
}

async function startService(
  stage: Stage,
  database: string,
  { name, settings, command }: { name: string; settings: Record<string, string>; command?: [string, string] },
): Promise<Running> {
  const environment = {
    DATABASE_URL: database,
    CARTULARY_ADMIN_PASSWORD: adminPassword,
    CARTULARY_RENDERERS: String(Math.min(atOnce, availableParallelism())),
    CARTULARY_SESSION_IDLE: '86400',
    CARTULARY_IMPORT_LIMIT: String(16 * 1024 ** 3),
    ...settings,
  };
  const launched = launchServer(join(stage.folder, name), environment, command);
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
  return { url, pid, database, token, admin, stop };
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

/** Replaces the content of a layer by a file. Returns the number of stored features. `query`: further parameters. */
export async function importFile(
  service: Service,
  layer: string,
  file: string,
  query: Record<string, string> = {},
): Promise<number> {
  const sent = request(
    `${api(service.url)}${layer}/import/?${new URLSearchParams({ action: '1', ...query })}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'x-filename': file.replace(/.*\//, '') },
    },
  );
  const answer = answered(sent);
  await pipeline(createReadStream(file), sent);
  let text = '';
  for await (const chunk of await answer) text += chunk;
  const stored = JSON.parse(text).import?.stored;
  if (!Number.isInteger(stored)) throw new Error(`${file}: ${text.slice(0, 500)}`);
  return stored;
}

/** Exports a layer as a stream. Throws unless the status is 200. */
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

/** Creates a public map. */
export const makeMap = (service: Service, code: string): Promise<unknown> =>
  service.admin('POST', '/', { code, css_style: 'Map { background-color: #ffffff; }' });

/** Number of background colours used so far. */
let backgroundCount = 0;

/** Invalidates all cached tiles of a map by a new background colour: another shade of white. */
export function invalidateTiles(service: Service, map: string): Promise<unknown> {
  backgroundCount += 1;
  const shade = [8, 4, 0].map((bits) => (255 - ((backgroundCount >> bits) & 15)).toString(16));
  return service.admin('PATCH', `/${map}/`, { css_style: `Map { background-color: #${shade.join('')}; }` });
}
