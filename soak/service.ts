import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshPostgres } from '../test/support/database.js';
import { launchServer, type ServerProcess } from '../test/support/process.js';
import { adminPassword } from '../test/support/settings.js';
import { type Answer, ask, multipart, type Sent } from './client.js';

/** Longest time of a start, ms. */
const longestStart = 60_000;

/** A built service as processes of their own, on a data folder and a database of its own, always at the same address. */
export interface Service {
  readonly url: string;
  readonly dataFolder: string;
  /** Of its own PostgreSQL database; undefined: it is embedded. */
  readonly databaseUrl: string | undefined;
  readonly pid: number;
  /** Whether the process has ended by itself, or by a signal. */
  hasEnded(): boolean;
  /** What all its processes since the first start have printed. */
  log(): string;
  /** Starts it again: ms until `/readyz` answers 200. Throws what it printed when it ends before. */
  start(): Promise<number>;
  /** SIGKILL to the process, and `withChildren` to all that it has started, which otherwise must end by themselves. */
  kill(withChildren: boolean): Promise<void>;
  /** Processes that a killed service has left, and that still run: their command lines. */
  orphans(): Promise<string[]>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
  /** Stops it, and removes its folder and its database. */
  close(): Promise<void>;
  /** A request as the administrator, who is signed in anew where that is needed. */
  admin(sent: Sent): Promise<Answer>;
  /** The same below the project, for what must succeed: the parsed body. Throws unless it is answered 2xx. */
  make(method: string, path: string, body?: unknown): Promise<any>;
  /** The same with a file in a form. */
  upload(method: string, path: string, name: string, bytes: Uint8Array | string): Promise<any>;
}

export async function startService(
  postgres?: string,
  settings: Record<string, string> = {},
): Promise<Service> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cartulary-soak-'));
  const database = postgres === undefined ? undefined : await freshPostgres(postgres);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    PORT: String(port),
    CARTULARY_ADMIN_PASSWORD: adminPassword,
    CARTULARY_SESSION_IDLE: '86400',
    ...(process.env.TMPDIR ? { TMPDIR: process.env.TMPDIR } : {}),
    ...(database ? { DATABASE_URL: database.url } : {}),
    ...settings,
  };
  let running: ServerProcess | undefined;
  let logged = '';
  let token = '';

  const child = (): ServerProcess['child'] => running!.child;
  const hasEnded = (): boolean => child().exitCode !== null || child().signalCode !== null;
  const ended = async (): Promise<void> => {
    if (!hasEnded()) await once(child(), 'exit');
  };

  async function start(): Promise<number> {
    if (running) logged += running.output();
    running = launchServer(dataFolder, environment);
    const began = performance.now();
    while (!(await isReady(url))) {
      if (hasEnded()) throw new Error(`the service ended while it started: ${running.output()}`);
      if (performance.now() - began > longestStart)
        throw new Error(`no start in ${longestStart} ms: ${running.output()}`);
      await sleep(10);
    }
    return performance.now() - began;
  }

  async function stop(): Promise<void> {
    if (!hasEnded()) child().kill('SIGTERM');
    await ended();
  }

  async function signIn(): Promise<void> {
    const body = { login: 'admin', password: adminPassword };
    const answer = await ask(url, { method: 'POST', path: '/api/2.8/demo/login/', body });
    if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${answer.text.slice(0, 300)}`);
    token = answer.json.token;
  }

  async function admin(sent: Sent): Promise<Answer> {
    if (!token) await signIn();
    const answer = await ask(url, { ...sent, token });
    if (answer.status !== 401) return answer;
    await signIn();
    return ask(url, { ...sent, token });
  }

  async function made(sent: Sent): Promise<any> {
    const answer = await admin({ ...sent, path: `/api/2.8/demo${sent.path}` });
    if (answer.status < 300) return answer.json;
    throw new Error(`${sent.method} ${sent.path}: ${answer.status} ${answer.text.slice(0, 500)}`);
  }

  const left = new Map<number, string>();
  const service: Service = {
    url,
    dataFolder,
    databaseUrl: database?.url,
    get pid() {
      return child().pid!;
    },
    hasEnded,
    log: () => logged + running!.output(),
    start,
    async kill(withChildren) {
      const below = await descendants(child().pid!);
      for (const { pid, command } of below) left.set(pid, command);
      child().kill('SIGKILL');
      if (withChildren) for (const { pid } of below) endProcess(pid);
      await ended();
    },
    async orphans() {
      for (const [pid, command] of left) if ((await commandOf(pid)) !== command) left.delete(pid);
      return [...left.values()];
    },
    stop,
    async close() {
      await stop();
      await database?.drop();
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
    },
    admin,
    make: (method, path, body) => made({ method, path, body }),
    upload: (method, path, name, bytes) => made({ method, path, ...multipart({}, name, Buffer.from(bytes)) }),
  };
  try {
    await start();
  } catch (error) {
    await service.close();
    throw error;
  }
  return service;
}

const isReady = async (url: string): Promise<boolean> =>
  (await ask(url, { method: 'GET', path: '/readyz', timeoutMs: 2_000 }).catch(() => undefined))?.status ===
  200;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** SIGKILL to a process, which may have ended already. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

/** The command line of a process; empty where it has ended. */
async function commandOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.replaceAll('\0', ' ').trim();
}

/** The processes below a process, with their command lines (proc(5)). */
export async function descendants(pid: number): Promise<{ pid: number; command: string }[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const found: { pid: number; command: string }[] = [];
  for (const task of tasks) {
    const text = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '');
    for (const below of text.trim().split(' ').filter(Boolean).map(Number)) {
      const command = await readFile(`/proc/${below}/cmdline`, 'utf8').catch(() => '');
      found.push(
        { pid: below, command: command.replaceAll('\0', ' ').trim() },
        ...(await descendants(below)),
      );
    }
  }
  return found;
}
