import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lockDataFolder, socketFolder } from '../src/lock.js';

const base = mkdtempSync(join(tmpdir(), 'cartulary-lock-'));
after(() => rmSync(base, { recursive: true }));

const script = fileURLToPath(new URL('./lock-holder.js', import.meta.url));

/** Another process that tries to take the folder, and what it says. */
async function other(folder: string, ...more: string[]): Promise<{ child: ChildProcess; says: string }> {
  const child = spawn(process.execPath, [script, folder, ...more], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [says] = await once(child.stdout!.setEncoding('utf8'), 'data');
  return { child, says };
}

async function kill(child: ChildProcess): Promise<void> {
  const end = once(child, 'exit');
  child.kill('SIGKILL');
  await end;
}

test('the second process learns the holder; a killed process holds nothing', async () => {
  const folder = join(base, 'data');
  const first = await other(folder);
  assert.equal(first.says, 'held\n');
  const refusal = new RegExp(`${folder} is in use by process ${first.child.pid}\\b`);
  await assert.rejects(lockDataFolder(folder), refusal);
  assert.match((await other(folder)).says, refusal);
  await kill(first.child);
  const lock = await lockDataFolder(folder);
  await assert.rejects(lockDataFolder(folder), new RegExp(`process ${process.pid}\\b`));
  await lock.release();
  await (await lockDataFolder(folder)).release();
  assert.equal(readdirSync(join(folder, 'run')).length, 1);
});

test('one that ends in order frees it; one that is too busy to answer holds it', async () => {
  const folder = join(base, 'busy');
  const polite = await other(folder);
  polite.child.stdin!.end();
  await once(polite.child, 'exit');
  const busy = await other(folder, 'busy');
  assert.equal(busy.says, 'held\n');
  await assert.rejects(lockDataFolder(folder), /is in use by another process/);
  await kill(busy.child);
  await (await lockDataFolder(folder)).release();
});

test('of many at once exactly one wins, each time', async () => {
  const folder = join(base, 'many');
  for (let round = 0; round < 4; round++) {
    const all = await Promise.all(Array.from({ length: 6 }, () => other(folder)));
    const held = all.filter(({ says }) => says === 'held\n');
    assert.equal(held.length, 1, all.map(({ says }) => says).join(''));
    await Promise.all(held.map(({ child }) => kill(child)));
  }
});

test('of many in one process exactly one holds it at a time', async () => {
  const folder = join(base, 'rounds');
  let holders = 0;
  let rounds = 0;
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (let i = 0; i < 20; i++) {
        const lock = await lockDataFolder(folder).catch(() => undefined);
        if (!lock) continue;
        assert.equal(++holders, 1);
        rounds++;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
        holders--;
        await lock.release();
      }
    }),
  );
  assert.ok(rounds > 0);
});

test('a folder whose path is too long for a socket has its sockets elsewhere', async () => {
  const long = join(base, 'п'.repeat(60));
  mkdirSync(long);
  const sockets = socketFolder(long);
  assert.ok(!sockets.startsWith(long));
  assert.equal(socketFolder(long), sockets);
  const path = join(sockets, '.s.PGSQL.5432');
  const server = createServer((socket) => socket.end('here')).listen(path);
  const [answer] = await once(connect(path).setEncoding('utf8'), 'data');
  assert.equal(answer, 'here');
  server.close();
  const lock = await lockDataFolder(long);
  await assert.rejects(lockDataFolder(long), /is in use/);
  await lock.release();
  rmSync(sockets, { recursive: true });
});
