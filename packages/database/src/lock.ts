import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeWritable } from '@cartulary/runtime';

export interface Lock {
  release(): Promise<void>;
}

/** Longest path of a Unix socket, bytes: 108 on Linux and 104 on macOS including the final zero. */
const maxPathBytes = 103;
/** Prefix of a socket that has no number yet. */
const unnumberedPrefix = 'new.';
/** Length of the longest name in the folder, bytes. */
const maxNameBytes = '/.s.PGSQL.5432'.length;

/**
 * Folder for the sockets of a data folder: `run` inside it or, when that path is too long for a socket, one in the system's temporary
 * folder, named by the data folder's path. Only its owner may enter it, since connections to the embedded database have all rights.
 */
export function socketFolder(dataFolder: string): string {
  const data = realpathSync(dataFolder);
  const inside = join(data, 'run');
  if (Buffer.byteLength(inside) + maxNameBytes <= maxPathBytes) return privateFolder(inside);
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

/** Locks the data folder for this process. Throws an Error that names the folder and the process that holds the lock. */
export async function lockDataFolder(dataFolder: string): Promise<Lock> {
  await makeWritable(dataFolder);
  const lock = await takeLock(socketFolder(dataFolder), 'server');
  if ('holder' in lock) {
    throw new Error(
      `The data folder ${dataFolder} is in use by ${lock.holder}. Stop that one first, or give another folder.`,
    );
  }
  return lock;
}

/**
 * Takes the lock `name` in a folder for sockets, or gives its holder, such as `process 4711`.
 *
 * A lock is a listening socket: the kernel frees it however its process ends, and a reused process number cannot pass for its holder.
 * Sockets are numbered `name.1`, `name.2`, …; the highest number is the lock. A process takes a number by linking, in which only one of
 * several succeeds. A new number is taken only when the holder of the highest is dead, and the highest is never removed. So there are
 * never two holders.
 */
async function takeLock(folder: string, name: string): Promise<Lock | { holder: string }> {
  for (;;) {
    const highest = highestOf(folder, name);
    const holder = highest > 0 ? await holderOf(join(folder, `${name}.${highest}`)) : undefined;
    if (holder !== undefined) return { holder };
    const server = await claim(folder, name, highest + 1);
    if (!server) continue;
    removeBelow(folder, name, highest + 1);
    removeUnnumbered(folder);
    return { release: () => new Promise((resolve) => server.close(() => resolve())) };
  }
}

/** Takes a lock, and waits for its holder to end. Throws after `timeoutMs`. */
export async function waitForLock(folder: string, name: string, timeoutMs: number): Promise<Lock> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const lock = await takeLock(folder, name);
    if (!('holder' in lock)) return lock;
    if (Date.now() > end) throw new Error(`${folder} is still in use by ${lock.holder}`);
    await sleep(100);
  }
}

/** Removes sockets of processes that were killed before they got a number. A running process that is affected tries again. */
function removeUnnumbered(folder: string): void {
  for (const file of readdirSync(folder)) {
    if (file.startsWith(unnumberedPrefix)) rmSync(join(folder, file), { force: true });
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

/** A listening socket under the number; undefined when another process was faster. */
async function claim(folder: string, name: string, number: number): Promise<Server | undefined> {
  const path = join(folder, unnumberedPrefix + randomBytes(4).toString('hex'));
  const file = join(folder, `${name}.${number}`);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(`process ${process.pid}`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
  // A lock alone does not keep its process running.
  server.unref();
  try {
    linkSync(path, file);
    if (highestOf(folder, name) === number) return server;
    rmSync(file, { force: true });
  } catch (error) {
    // Another process was faster, or has removed this socket among those of killed processes.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EEXIST', 'ENOENT'].includes(code)) throw error;
  } finally {
    rmSync(path, { force: true });
  }
  server.close();
  return undefined;
}

/** Process that listens at the socket; undefined: none. A process that accepts but does not answer is a holder, too. */
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
