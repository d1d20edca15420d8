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

/**
 * Lends servers at a Unix socket, whose path it gives: a connection has one of its own until it ends. Their processes
 * (`keeper.ts`) are started when one is missing, and serve again and again; `close` ends them.
 */
export async function openKeepers(): Promise<{ path: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-keepers-'));
  const path = join(folder, 'socket');
  const all = new Set<ChildProcess>();
  const free: ChildProcess[] = [];

  const take = (): ChildProcess => {
    const keeper = free.pop() ?? fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    all.add(keeper);
    keeper.once('exit', () => all.delete(keeper));
    return keeper;
  };
  const listener = createServer((socket) => {
    const keeper = take();
    lend(keeper, socket).then(
      () => free.push(keeper),
      () => keeper.kill('SIGKILL'),
    );
  });
  listener.listen(path);
  await once(listener, 'listening');
  return {
    path,
    async close() {
      listener.close();
      const ends = [...all].map((keeper) => once(keeper, 'exit'));
      for (const keeper of all) keeper.disconnect();
      await Promise.all(ends);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Passes orders and reports on until the connection ends; settles when the keeper can be lent again, and rejects when it cannot. */
async function lend(keeper: ChildProcess, socket: Socket): Promise<void> {
  let isStopped = false;
  const pass = (report: Report): void => {
    if ('stopped' in report || 'failed' in report) isStopped = true;
    if ('started' in report) isStopped = false;
    if (socket.writable) socket.write(`${JSON.stringify(report)}\n`);
  };
  const lost = once(keeper, 'exit').then(() => {
    socket.destroy();
    throw new Error('the keeper has ended');
  });
  lost.catch(() => {});
  keeper.on('message', pass);
  createInterface(socket).on('line', (line) => keeper.send(JSON.parse(line) as Order));
  socket.on('error', () => {});
  await Promise.race([once(socket, 'close'), lost]);
  if (!isStopped) await Promise.race([stopped(keeper), lost]);
  keeper.off('message', pass);
}

async function stopped(keeper: ChildProcess): Promise<void> {
  keeper.send({ stop: true } satisfies Order);
  for (;;) {
    const [report] = (await once(keeper, 'message')) as [Report];
    if ('failed' in report) throw new Error(report.failed);
    if ('stopped' in report) return;
  }
}
