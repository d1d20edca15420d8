import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshPostgres } from '@cartulary/server/support/database.js';
import { launchServer, type ServerProcess } from '@cartulary/server/support/process.js';
import { adminPassword } from '@cartulary/server/support/settings.js';
import { type Answer, ask, multipart, type Sent } from './client.js';

type TestDatabase = Awaited<ReturnType<typeof freshPostgres>>;

const maxStartMs = 60_000;
const project = '/api/2.8/demo';

/**
 * The built service as child processes, with a data folder and a database of its own. Its address stays the same across
 * restarts.
 */
export class Service {
  readonly url: string;
  readonly dataFolder: string;
  readonly #database: TestDatabase | undefined;
  readonly #environment: Record<string, string>;
  #running: ServerProcess | undefined;
  /** Output of the processes before the running one. */
  #earlierOutput = '';
  #token = '';
  /** Command lines of child processes at the time of a kill, by process id. */
  readonly #killedChildren = new Map<number, string>();

  constructor(parts: {
    url: string;
    dataFolder: string;
    database: TestDatabase | undefined;
    environment: Record<string, string>;
  }) {
    this.url = parts.url;
    this.dataFolder = parts.dataFolder;
    this.#database = parts.database;
    this.#environment = parts.environment;
  }

  /** URL of the PostgreSQL database; undefined: the database is embedded. */
  get databaseUrl(): string | undefined {
    return this.#database?.url;
  }

  get #child(): ServerProcess['child'] {
    return this.#running!.child;
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Whether the process has ended, by itself or by a signal. */
  hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The output of all processes since the first start. */
  log(): string {
    return this.#earlierOutput + this.#running!.output();
  }

  /** Starts the service. Returns the milliseconds until `/readyz` answers 200. Throws its output if it ends before. */
  async start(): Promise<number> {
    if (this.#running) this.#earlierOutput += this.#running.output();
    const running = launchServer(this.dataFolder, this.#environment);
    this.#running = running;
    const startedAt = performance.now();
    while (!(await isReady(this.url))) {
      if (this.hasEnded()) throw new Error(`the service ended while it started: ${running.output()}`);
      if (performance.now() - startedAt > maxStartMs)
        throw new Error(`no start in ${maxStartMs} ms: ${running.output()}`);
      await sleep(10);
    }
    return performance.now() - startedAt;
  }

  /** Sends SIGKILL to the process and, with `withChildren`, to its descendants. Without it they must end by themselves. */
  async kill(withChildren: boolean): Promise<void> {
    const children = await descendants(this.pid);
    for (const { pid, command } of children) this.#killedChildren.set(pid, command);
    this.#child.kill('SIGKILL');
    if (withChildren) for (const { pid } of children) endProcess(pid);
    await this.#ended();
  }

  /** Command lines of processes that outlive a killed service. */
  async orphans(): Promise<string[]> {
    for (const [pid, command] of this.#killedChildren)
      if ((await commandOf(pid)) !== command) this.#killedChildren.delete(pid);
    return [...this.#killedChildren.values()];
  }

  /** Sends SIGTERM and waits for the end. */
  async stop(): Promise<void> {
    if (!this.hasEnded()) this.#child.kill('SIGTERM');
    await this.#ended();
  }

  /** Stops the service and removes its folder and database. */
  async close(): Promise<void> {
    await this.stop();
    await this.#database?.drop();
    await rm(this.dataFolder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Sends a request as the administrator. Signs in first, and again when the session has ended. */
  async admin(sent: Sent): Promise<Answer> {
    if (!this.#token) await this.#signIn();
    const answer = await ask(this.url, { ...sent, token: this.#token });
    if (answer.status !== 401) return answer;
    await this.#signIn();
    return ask(this.url, { ...sent, token: this.#token });
  }

  /** Sends an administrator's request below the project. Returns the parsed body. Throws unless the status is 2xx. */
  make(method: string, path: string, body?: unknown): Promise<any> {
    return this.#succeed({ method, path, body });
  }

  /** Like `make`, with a file in a form. */
  upload(method: string, path: string, name: string, bytes: Uint8Array | string): Promise<any> {
    return this.#succeed({ method, path, ...multipart({}, name, Buffer.from(bytes)) });
  }

  async #succeed(sent: Sent): Promise<any> {
    const answer = await this.admin({ ...sent, path: `${project}${sent.path}` });
    if (answer.status < 300) return answer.json;
    throw new Error(`${sent.method} ${sent.path}: ${answer.status} ${answer.text.slice(0, 500)}`);
  }

  async #signIn(): Promise<void> {
    const body = { login: 'admin', password: adminPassword };
    const answer = await ask(this.url, { method: 'POST', path: `${project}/login/`, body });
    if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${answer.text.slice(0, 300)}`);
    this.#token = answer.json.token;
  }

  async #ended(): Promise<void> {
    if (!this.hasEnded()) await once(this.#child, 'exit');
  }
}

/** Settings of the service in the environment of the run. */
const givenSettings = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      name.startsWith('CARTULARY_') && value !== undefined ? [[name, value]] : [],
    ),
  );

/** Starts a service on an embedded database, or on a new database of the server at `postgres`. */
export async function startService(
  postgres?: string,
  settings: Record<string, string> = {},
): Promise<Service> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cartulary-soak-'));
  const database = postgres === undefined ? undefined : await freshPostgres(postgres);
  const port = await freePort();
  const environment = {
    ...givenSettings(),
    PORT: String(port),
    CARTULARY_ADMIN_PASSWORD: adminPassword,
    CARTULARY_SESSION_IDLE: '86400',
    ...(process.env.TMPDIR ? { TMPDIR: process.env.TMPDIR } : {}),
    ...(database ? { DATABASE_URL: database.url } : {}),
    ...settings,
  };
  const service = new Service({ url: `http://127.0.0.1:${port}`, dataFolder, database, environment });
  try {
    await service.start();
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

/** Sends SIGKILL to a process, which may have ended already. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

/** The command line of a process; empty if it has ended. */
async function commandOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return text.replaceAll('\0', ' ').trim();
}

/** All descendants of a process, with their command lines (proc(5)). */
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
