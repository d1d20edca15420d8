import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { findRunningEmbedded } from '@cartulary/database/internal/embedded/embedded.js';
import { type Database, openDatabase, parseDatabaseUrl } from '@cartulary/database/internal/pool.js';
import { freshPostgres } from './database.js';
import { leftovers } from './leftovers.js';
import { serverProcess } from './process.js';
import { adminPassword } from './settings.js';

/** A database and a data folder that outlive the servers on them, each of which is a process. */
export interface Installation {
  folder: string;
  start(settings?: Record<string, string>): Promise<InstalledServer>;
}

export interface InstalledServer {
  url: string;
  child: ChildProcess;
  /** Password of the administrator. */
  token: string;
  /** Asks as the administrator, below `/api/2.8/demo`: the status and the body as JSON. */
  ask(method: string, path: string, body?: RequestInit['body']): Promise<{ status: number; json: any }>;
  /** A connection to its database, which the caller closes. */
  database(): Promise<Database>;
  /** Content of the database and the folder that no row refers to. */
  leftovers(): Promise<string[]>;
  /** SIGTERM; throws unless it ends with status 0. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** On the server of `TEST_DATABASE_URL`; embedded without it. */
export async function installation(
  t: TestContext,
  settings: Record<string, string> = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-installed-'));
  const postgres = process.env.TEST_DATABASE_URL
    ? await freshPostgres(process.env.TEST_DATABASE_URL)
    : undefined;
  let last: ChildProcess | undefined;
  t.after(async () => {
    last?.kill('SIGKILL');
    await postgres?.drop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  const start: Installation['start'] = async (more = {}) => {
    const { child, url, output } = await serverProcess(folder, {
      CARTULARY_ADMIN_PASSWORD: adminPassword,
      CARTULARY_RENDERERS: '1',
      ...(postgres ? { DATABASE_URL: postgres.url } : {}),
      ...settings,
      ...more,
    });
    last = child;
    const end = async (signal: NodeJS.Signals): Promise<unknown[]> => {
      const exit = once(child, 'exit');
      child.kill(signal);
      return exit;
    };
    const server: InstalledServer = {
      url,
      child,
      token: '',
      async ask(method, path, body) {
        const headers = { accept: 'application/json', 'x-token': server.token };
        const answer = await fetch(`${url}/api/2.8/demo${path}`, { method, headers, body: body ?? null });
        return { status: answer.status, json: await answer.json() };
      },
      database: () => open(folder, postgres?.url),
      async leftovers() {
        const db = await server.database();
        return leftovers(db, folder).finally(() => db.close());
      },
      async stop() {
        const [code] = await end('SIGTERM');
        if (code !== 0) throw new Error(`it ended with status ${code}: ${output()}`);
      },
      async kill() {
        await end('SIGKILL');
      },
    };
    const login = JSON.stringify({ login: 'admin', password: adminPassword });
    const answer = await fetch(`${url}/api/2.8/demo/login/`, { method: 'POST', body: login });
    server.token = ((await answer.json()) as { token: string }).token;
    return server;
  };
  return { folder, start };
}

async function open(folder: string, url: string | undefined): Promise<Database> {
  const target = url ? parseDatabaseUrl(url) : await findRunningEmbedded(folder);
  return openDatabase(target!, url ? 'postgres' : 'embedded', { maxConnections: 1 });
}
