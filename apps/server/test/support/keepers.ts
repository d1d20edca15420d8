import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Order, Report } from './lend.js';

const program = fileURLToPath(new URL('./keeper.js', import.meta.url));

interface Keeper {
  process: ChildProcess;
  /** Receives the messages of the process. */
  listener: (report: Report) => void;
  /** Rejects when it ends. */
  lost: Promise<never>;
}

/**
 * Lends servers at a Unix socket, whose path it gives: a connection has one of its own until it ends. Their processes
 * (`keeper.ts`) are started when one is missing, and serve again and again; `close` ends them.
 */
export async function openKeepers(): Promise<{ path: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'keepers-'));
  const path = join(folder, 'socket');
  const all = new Set<Keeper>();
  const free: Keeper[] = [];

  const server = createServer((socket) => {
    const keeper = free.pop() ?? startKeeper();
    all.add(keeper);
    lend(keeper, socket).then(
      () => free.push(keeper),
      () => {
        all.delete(keeper);
        keeper.process.kill('SIGKILL');
      },
    );
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    path,
    async close() {
      server.close();
      for (const { process } of all) if (process.connected) process.disconnect();
      await Promise.allSettled([...all].map(({ lost }) => lost));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function startKeeper(): Keeper {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const lost = once(child, 'exit').then(() => {
    throw new Error('the process that keeps the server has ended');
  });
  lost.catch(() => {});
  const keeper: Keeper = { process: child, listener: () => {}, lost };
  child.on('message', (report: Report) => keeper.listener(report));
  return keeper;
}

/** Passes orders and reports on until the server is stopped, or the connection ends, which stops it. Settles when the keeper can be lent again, rejects when it cannot. */
async function lend(keeper: Keeper, socket: Socket): Promise<void> {
  let isOver = false;
  const send = (order: Order): void => {
    if (!isOver && keeper.process.connected) keeper.process.send(order);
  };
  const stopped = new Promise<void>((resolve, reject) => {
    keeper.listener = (report) => {
      if ('stopped' in report) resolve();
      else if ('failed' in report && socket.destroyed) reject(new Error(report.failed));
      if (socket.writable) socket.write(`${JSON.stringify(report)}\n`);
    };
  });
  createInterface(socket).on('line', (line) => send(JSON.parse(line)));
  socket.on('error', () => {});
  const left = once(socket, 'close').then(() => {
    send({ stop: true });
    return stopped;
  });
  try {
    await Promise.race([stopped, left, keeper.lost]);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    isOver = true;
  }
}
