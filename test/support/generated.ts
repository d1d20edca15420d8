import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { freshPostgres } from './database.js';
import { type HostileRequest, hostileRequests, type Known, type Target } from './hostile-requests.js';

/** Sends generated requests to a server process of its own and judges every answer. */

export interface Findings {
  seed: number;
  sent: number;
  /** What is wrong, with the request that shows it. */
  problems: string[];
  /** `operationId status` → how many. */
  counts: Map<string, number>;
  slowest: { ms: number; request: string }[];
  /** Resident memory of the server process in MiB, before and after. */
  memory: [before: number, after: number];
}

const password = 'correct-horse-battery';
const secret =
  /\b(?:select|insert into|delete from|update)\s+[\w".]+|cartulary\.|node_modules|\/src\/|\.js:\d+|\bat \w+ \(|SQLSTATE|syntax error at|pg_catalog|\/work\/|\/tmp\//i;

interface Served {
  url: string;
  pid: number;
  log(): string;
  stop(): Promise<void>;
}

/** The service as a process with a fresh database: its memory is its own. */
async function serve(): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-generated-'));
  const fresh = process.env.TEST_DATABASE_URL
    ? await freshPostgres(process.env.TEST_DATABASE_URL)
    : undefined;
  const env = {
    ...process.env,
    PORT: '0',
    CARTULARY_DATA: folder,
    CARTULARY_ADMIN_PASSWORD: password,
    CARTULARY_DEMO: '0',
    CARTULARY_RENDERERS: '1',
    CARTULARY_SESSION_IDLE: '86400',
    CARTULARY_LOG_LEVEL: 'warn',
    DATABASE_URL: fresh?.url ?? '',
  };
  const child = spawn(process.execPath, ['dist/src/main.js'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (said = (said + chunk).slice(-200_000)));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the server ended: ${said}`)));
    child.stdout.on('data', () => {
      const match = /http:\/\/[\d.]+:\d+/.exec(said);
      if (match) resolve(match[0]);
    });
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await fresh?.drop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url, pid: child.pid!, log: () => said, stop };
}

const json = async (url: string, method: string, body?: unknown): Promise<any> => {
  const answer = await fetch(url, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

const signIn = async (url: string): Promise<string> =>
  (await json(`${url}/api/2.8/demo/login/`, 'POST', { login: 'admin', password })).token;

/** A map with a folder, a layer with a column of each kind, and three objects. What generated requests delete is made again by the next call. */
async function seed(url: string, token: string): Promise<void> {
  const api = `${url}/api/2.8/demo`;
  const make = (path: string, body: unknown): Promise<unknown> =>
    json(`${api}${path}?token=${token}`, 'POST', body).catch(() => undefined);
  await make('/', { code: 'parks', name: 'Parks' });
  await make('/parks/folders/', { code: 'green', name: 'Green' });
  await make('/parks/layers/', { code: 'gardens', name: 'Gardens' });
  for (const [code, type] of Object.entries({
    name: 'string',
    pop: 'number',
    at: 'datetime',
    ok: 'bool',
    doc: 'json',
  }))
    await make('/parks/layers/gardens/structure/', { code, type, localized_value: code === 'name' });
  const objects = `/parks/layers/gardens/objects/`;
  for (const [i, name] of ['Luxembourg', 'Tuileries', 'Montsouris'].entries())
    await make(objects, {
      fields: { name, pop: i, at: '2024-05-01', ok: true, doc: { a: 1 } },
      geom: { type: 'Point', coordinates: [2.3 + i / 100, 48.8] },
    });
}

const known: Known = {
  project: [...Array(30).fill('demo'), 'nothing'],
  map: [...Array(20).fill('parks'), 'nothing'],
  layer: [...Array(20).fill('gardens'), 'green'],
  folder: ['green', 'green', 'gardens'],
  field: ['name', 'pop', 'at', 'ok', 'doc', 'geom', 'svc_id'],
  object: ['1', '2', '3', '4', '0', '-1', '999999999999'],
  file: ['1', '0'],
  uuid: ['2f1c9c1e-6a2b-4b7d-9d53-5f0b3a6f8c10'],
  login: ['bob', 'ann'],
  fields: ['name', '*', 'name,pop,at,ok,doc'],
  fcode: ['name', 'pop', 'at', 'ok', 'doc', 'geom', 'svc_id'],
  sort: ['name', 'pop,d', 'at|ok', 'doc', 'geom'],
  map_code: ['parks'],
  layer_code: ['gardens'],
  format: ['geojson', 'kml', 'csv', 'shp', 'evil'],
  srs: ['4326', '3857', '4326', '3857', '4326', '3857', '4326', 'EPSG:2154'],
  lng: ['en', 'ru', 'zz-ZZ', 'pt-BR', 'en', 'ru', 'en', 'ru', 'en', 'en-US-US', 'aaaaaaaa'],
  z: ['12', '12', '12', '24', '25', '-1'],
  x: ['0', '1', '2074'],
  y: ['0', '1', '2687'],
  retina: ['1', '2', '4', '1e9'],
  limit: ['1', '2', '100', '0', '1e9'],
  offset: ['0', '1', '1e15'],
  geomZoom: ['0', '3', '12.5', '24'],
  size: ['8', '32', '512'],
  feature_ids: ['1', '1,2,3', '9007199254740991'],
  delete_params: ['1', '1;2', '1-3', '2-1'],
  fbbox: ['48,2,49,3', '-90,-180,90,180', '1e308,1e308,1e308,1e308'],
};

/** What must not be called: it would take the ground away from under all the rest. */
const kept = /^(deleteMap|putRights)$/;

export interface Options {
  /** Requests on their way at one time. */
  atOnce?: number;
  /** An answer that takes longer is a problem, ms. */
  slowMs?: number;
  /** After this time no more are sent. */
  seconds?: number;
}

/** Sends `count` requests of a seed. */
export async function sendGenerated(
  count: number,
  seedNumber: number,
  options: Options = {},
): Promise<Findings> {
  const { atOnce = 6, slowMs = 5_000, seconds = Number.POSITIVE_INFINITY } = options;
  const end = performance.now() + seconds * 1000;
  const server = await serve();
  try {
    const run: Findings = {
      seed: seedNumber,
      sent: 0,
      problems: [],
      counts: new Map(),
      slowest: [],
      memory: [0, 0],
    };
    let token = await signIn(server.url);
    await seed(server.url, token);
    const document = await json(`${server.url}/api/2.8/openapi.json`, 'GET');
    const targets: Target[] = Object.entries(document.paths as Record<string, Record<string, any>>).flatMap(
      ([path, item]) => Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
    );
    const chosen = targets.filter(({ operation }) => !kept.test(operation.operationId));
    run.memory[0] = residentMiB(server.pid);
    const requests = hostileRequests(chosen, known);
    for (let start = 0; start < count && performance.now() < end; start += 100) {
      const batch = fc.sample(requests, { numRuns: Math.min(100, count - start), seed: seedNumber + start });
      await inTurns(batch, atOnce, (request) => send(server, request, { token, slowMs, run }));
      // Signing out, deleting and renaming are among the requests.
      if ((await fetch(`${server.url}/api/2.8/demo/users/info/?token=${token}`)).status === 401)
        token = await signIn(server.url);
      await seed(server.url, token);
    }
    const ready = await fetch(`${server.url}/readyz`);
    if (ready.status !== 200) run.problems.push(`/readyz answers ${ready.status} afterwards`);
    run.memory[1] = residentMiB(server.pid);
    if (run.problems.length && process.env.TEST_LOG_LEVEL) console.error(server.log());
    return run;
  } finally {
    await server.stop();
  }
}

async function inTurns<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function send(
  server: Served,
  request: HostileRequest,
  { token, slowMs, run }: { token: string; slowMs: number; run: Findings },
): Promise<void> {
  const { operation, method, path, body, accept, contentType } = request;
  const headers: Record<string, string> = { accept };
  if (contentType) headers['content-type'] = contentType;
  if (request.token !== 'none') headers['x-token'] = request.token === 'admin' ? token : 'no-such-token';
  const shown = `${method.toUpperCase()} ${path.slice(0, 300)} (${request.token}, ${contentType}) ${(body ?? '').slice(0, 300)}`;
  const began = performance.now();
  let answer: Response;
  let bytes: string;
  try {
    answer = await fetch(server.url + path, {
      method: method.toUpperCase(),
      headers,
      signal: AbortSignal.timeout(60_000),
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    bytes = await answer.text();
  } catch (error) {
    run.problems.push(`no answer: ${(error as Error).message} ${(error as Error).cause}: ${shown}`);
    return;
  }
  const ms = performance.now() - began;
  run.sent++;
  const key = `${operation.operationId} ${answer.status}`;
  run.counts.set(key, (run.counts.get(key) ?? 0) + 1);
  run.slowest = [...run.slowest, { ms, request: shown.slice(0, 160) }]
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 5);
  const wrong = faultOf(answer, bytes, operation) ?? (ms > slowMs ? `slow, ${Math.round(ms)} ms` : undefined);
  if (wrong) run.problems.push(`${wrong}: ${shown}\n   → ${answer.status} ${bytes.slice(0, 200)}`);
}

/** What is wrong with an answer, if anything is. */
function faultOf(answer: Response, text: string, operation: HostileRequest['operation']): string | undefined {
  const type = (answer.headers.get('content-type') ?? '').split(';')[0]!;
  const declared = operation.responses[answer.status];
  if (/"code":"internal"|<code>internal</.test(text)) return 'an unforeseen fault';
  if (!declared) return `the status ${answer.status} is not declared`;
  const types = Object.keys(declared.content ?? {});
  const isDeclared = types.some((one) => one === type || one === '*/*');
  if (text !== '' && types.length && !isDeclared) return `the media type ${type} is not declared`;
  if (answer.status >= 400 && secret.test(withoutInput(text))) return 'the error tells of the inside';
  return undefined;
}

/** An error may repeat the value that is wrong: what stands in quotes is the caller's own. */
const withoutInput = (text: string): string => text.replace(/(&#39;|'|\\"|&quot;).*?\1/gs, '');

function residentMiB(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}
