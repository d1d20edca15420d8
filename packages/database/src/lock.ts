import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Lock {
  release(): Promise<void>;
}

/** Longest path of a Unix socket, bytes: 108 on Linux and 104 on macOS with the zero at the end. */
const longestPath = 103;
/** Begins the name of a socket that has no number yet. */
const unlinked = 'new.';
/** Longest name that we put into the folder. */
const longestName = '/.s.PGSQL.5432'.length;

/**
 * The folder for the sockets of a data folder: `run` inside it or, when that path is too long for a socket, one under
 * the system's temporary folder that is named by the data folder's path. Only its owner may enter it: who connects
 * to the embedded database may do everything there.
 */
export function socketFolder(dataFolder: string): string {
  const data = realpathSync(dataFolder);
  const inside = join(data, 'run');
  if (Buffer.byteLength(inside) + longestName <= longestPath) return privateFolder(inside);
  const name = createHash('sha256').update(data).digest('hex').slice(0, 16);
  return privateFolder(join(tmpdir(), `cartulary-${process.getuid?.() ?? 0}-${name}`));
}

function privateFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || uid !== (process.getuid?.() ?? uid)) {
    throw new Error(`${folder} must be a folder of the user who runs the service`);
  }
  chmodSync(folder, 0o700);
  return folder;
}

/** Takes the data folder for this process, or throws an Error that names the folder and the process that holds it. */
export async function lockDataFolder(dataFolder: string): Promise<Lock> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const lock = await takeLock(socketFolder(dataFolder), 'server');
  if ('holder' in lock) {
    throw new Error(
      `The data folder ${dataFolder} is in use by ${lock.holder}. Stop that one first, or give another folder.`,
    );
  }
  return lock;
}

/**
 * Takes the lock `name` in a folder for sockets, or tells who holds it: `process 4711`.
 *
 * A lock is a listening socket, so the kernel frees it however its process ends, and a number that was used again
 * cannot be taken for its holder. Sockets are numbered `name.1`, `name.2`, …: the highest counts. A number is taken by
 * linking, which only one of several can; the number grows only when its holder is dead; the highest is never
 * removed. So there is never a moment with two holders.
 */
export async function takeLock(folder: string, name: string): Promise<Lock | { holder: string }> {
  for (;;) {
    const highest = highestOf(folder, name);
    const holder = highest > 0 ? await holderOf(join(folder, `${name}.${highest}`)) : undefined;
    if (holder !== undefined) return { holder };
    const server = await claim(folder, name, highest + 1);
    if (!server) continue;
    removeBelow(folder, name, highest + 1);
    removeUnlinked(folder);
    return { release: () => new Promise((resolve) => server.close(() => resolve())) };
  }
}

/** The same, waiting up to `patience` ms for another that is about to end. */
export async function waitForLock(folder: string, name: string, patience: number): Promise<Lock> {
  const end = Date.now() + patience;
  for (;;) {
    const lock = await takeLock(folder, name);
    if (!('holder' in lock)) return lock;
    if (Date.now() > end) throw new Error(`${folder} is still in use by ${lock.holder}`);
    await sleep(100);
  }
}

/** Removes sockets of processes that were killed before they had a number. Who is about to get one makes it anew. */
function removeUnlinked(folder: string): void {
  for (const file of readdirSync(folder)) {
    if (file.startsWith(unlinked)) rmSync(join(folder, file), { force: true });
  }
}

const numbersOf = (folder: string, name: string): number[] =>
  readdirSync(folder)
    .filter((file) => file.startsWith(`${name}.`) && /^[1-9]\d*$/.test(file.slice(name.length + 1)))
    .map((file) => Number(file.slice(name.length + 1)));

const highestOf = (folder: string, name: string): number => Math.max(0, ...numbersOf(folder, name));

function removeBelow(folder: string, name: string, number: number): void {
  for (const lower of numbersOf(folder, name)) {
    if (lower < number) rmSync(join(folder, `${name}.${lower}`), { force: true });
  }
}

/** A listening socket under the number, or undefined when another was faster. */
async function claim(folder: string, name: string, number: number): Promise<Server | undefined> {
  const path = join(folder, unlinked + randomBytes(4).toString('hex'));
  const file = join(folder, `${name}.${number}`);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(`process ${process.pid}`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  // Whoever only holds a lock may end.
  server.unref();
  try {
    linkSync(path, file);
    if (highestOf(folder, name) === number) return server;
    rmSync(file, { force: true });
  } catch (error) {
    // Somebody else was faster; who holds the lock may have removed ours with what killed processes left.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EEXIST', 'ENOENT'].includes(code)) throw error;
  } finally {
    rmSync(path, { force: true });
  }
  server.close();
  return undefined;
}

/** Who listens at the socket; undefined when nobody does. A process that lives but is too busy to answer is a holder too. */
function holderOf(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let answer = '';
    let isConnected = false;
    const timer = setTimeout(() => socket.destroy(), 2_000);
    socket.setEncoding('utf8');
    socket.on('connect', () => {
      isConnected = true;
    });
    socket.on('data', (text) => {
      answer += text;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      isConnected ||= error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT';
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(isConnected ? answer || 'another process' : undefined);
    });
  });
}
