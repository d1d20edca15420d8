import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freshPostgres } from '@cartulary/server/support/database.js';
import type { Options } from './options.js';

export const run = promisify(execFile);

/** Shared resources of a run. They are released in the reverse order of their creation. */
export interface Stage {
  options: Options;
  /** Folder for files of the run; removed at the end. */
  folder: string;
  /** URL of a PostgreSQL server on which databases may be created. */
  postgres(): Promise<string>;
  /** URL of a new database. */
  database(): Promise<string>;
  /** Creates a resource at the first call with its name and returns it at later calls. */
  once<T>(name: string, make: () => Promise<T>): Promise<T>;
  defer(undo: () => Promise<unknown>): void;
  /** Starts a program, which ends with the run. Prints its output if it ends by itself. */
  start(command: string, args: readonly string[], env?: Record<string, string>): ChildProcess;
  close(): Promise<void>;
}

export async function openStage(options: Options): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'cartulary-bench-'));
  const undoing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const made = new Map<string, Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const stage: Stage = {
    options,
    folder,
    postgres: () => stage.once('postgres', () => findPostgres(stage)),
    async database() {
      const fresh = await freshPostgres(await stage.postgres());
      stage.defer(fresh.drop);
      return fresh.url;
    },
    once<T>(name: string, make: () => Promise<T>) {
      const known = made.get(name) ?? make();
      made.set(name, known);
      return known as Promise<T>;
    },
    defer(undo) {
      undoing.push(undo);
      // A resource that is created during the shutdown is released at once.
      if (closing) closing = closing.then(() => takeDown(undoing));
    },
    start: (command, args, env) => startProgram(stage, [command, ...args], env),
    close: () => {
      closing ??= takeDown(undoing);
      return closing;
    },
  };
  return stage;
}

async function takeDown(undoing: (() => Promise<unknown>)[]): Promise<void> {
  for (let undo = undoing.pop(); undo; undo = undoing.pop())
    await undo().catch((error: Error) => say(`At the end: ${error.message}`));
}

/** Prints a progress message. */
export const say = (text: string): void => void process.stderr.write(`${text}\n`);

const script = new URL('../../apps/server/test/support/postgres.sh', import.meta.url).pathname;

async function findPostgres({ options, defer }: Stage): Promise<string> {
  if (options.database) return options.database;
  // The server runs as another user, which cannot write to the folder of the run.
  const home = await mkdtemp(join(tmpdir(), 'cartulary-bench-postgres-'));
  const env = { ...process.env, TEST_POSTGRES_FOLDER: home };
  defer(() => run('bash', [script, 'stop'], { env }));
  // The server keeps inherited descriptors open as long as it runs, so that it gets files instead of pipes.
  const { stdout } = await run('bash', ['-c', `bash "${script}" start 2>&1 </dev/null | cat`], { env });
  const url = stdout.trim().split('\n').at(-1)!;
  if (!url.startsWith('postgres://')) throw new Error(`PostgreSQL does not start: ${stdout}`);
  return url;
}

function startProgram(
  stage: Stage,
  [command, ...args]: string[],
  env: Record<string, string> = {},
): ChildProcess {
  const child = spawn(command!, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output = (output + chunk).slice(-4_000);
    });
  let isWanted = true;
  child.once('error', (error) => say(`${command}: ${error.message}`));
  child.once('exit', (code) => isWanted && say(`${command} ended (${code}): ${output}`));
  stage.defer(async () => {
    isWanted = false;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await ended;
    clearTimeout(late);
  });
  return child;
}

/** A free port of the loopback interface. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Waits until a port accepts connections. Throws after 20 s. */
export async function listening(port: number): Promise<void> {
  for (let i = 0; i < 200; i++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await sleep(100);
  }
  throw new Error(`port ${port} accepts no connections`);
}

/** Creates a folder in the folder of the run. */
export async function folderOf(stage: Stage, name: string): Promise<string> {
  const folder = join(stage.folder, name);
  await mkdir(folder, { recursive: true });
  return folder;
}
