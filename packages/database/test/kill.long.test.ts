import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { quiet } from '@cartulary/server/support/database.js';
import { rounds } from '@cartulary/server/support/rounds.js';
import { sql } from '@cartulary/sql/internal/sql.js';
import { startEmbedded } from '../src/embedded/embedded.js';
import { lockDataFolder } from '../src/lock.js';
import { openDatabase } from '../src/pool.js';

const base = mkdtempSync(join(tmpdir(), 'cartulary-kill-'));
after(() => rmSync(base, { recursive: true }));

const script = fileURLToPath(new URL('./server-like.js', import.meta.url));
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Writer {
  child: ChildProcess;
  /** Every whole line that it has printed. */
  lines: string[];
  until(start: string): Promise<string>;
  /** Waits until it has printed this number of lines. */
  wrote(lines: number): Promise<void>;
  /** SIGKILL, and everything that it had printed before. */
  kill(): Promise<void>;
}

function startWriter(folder: string, first: number): Writer {
  const child = spawn(process.execPath, [script, folder, String(first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
  });
  const closed = once(child, 'close');
  return {
    child,
    lines,
    async until(start) {
      for (;;) {
        const line = lines.find((text) => text.startsWith(start));
        if (line) return line;
        assert.equal(child.exitCode, null, `it ended before "${start}": ${lines.join(' | ')}`);
        await sleep(10);
      }
    },
    async wrote(count) {
      while (lines.length < count) {
        assert.equal(child.exitCode, null, 'it ended before it wrote enough');
        await sleep(5);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}

const acknowledged = (writer: Writer, kind: string): number[] =>
  writer.lines.filter((line) => line.startsWith(`${kind} `)).map((line) => Number(line.split(' ')[1]));

/** What is in the folder's database, seen by a server that starts after the crash. */
async function stored(dataFolder: string): Promise<{ single: Set<number>; pair: Set<number> }> {
  const lock = await lockDataFolder(dataFolder);
  const database = await startEmbedded({ dataFolder, log: quiet });
  const db = openDatabase(database.target, 'embedded');
  const ids = async (table: 'single' | 'pair'): Promise<Set<number>> => {
    const text =
      table === 'single' ? sql`select id, text from single` : sql`select id, text from pair where half = 1`;
    const rows = await db.query<{ id: number; text: string }>(text);
    for (const { id, text: value } of rows) assert.equal(value.length, (id * 31) % 3_000);
    return new Set(rows.map(({ id }) => id));
  };
  const halves = await db.query(sql`select id from pair group by id having count(*) <> 2`);
  assert.deepEqual(halves, [], 'half a transaction was stored');
  const result = { single: await ids('single'), pair: await ids('pair') };
  await db.close();
  await database.stop();
  await lock.release();
  return result;
}

test('killed at any moment, the database has every write that it acknowledged and no half ones', async () => {
  const folder = join(base, 'data');
  const kept = { single: new Set<number>(), pair: new Set<number>() };
  let first = 1;
  for (let round = 0; round < rounds(4); round++) {
    const writer = startWriter(folder, first);
    const pid = Number((await writer.until('ready')).split(' ')[1]);
    await writer.until('writing');
    await sleep(Math.random() * 100);
    // At once in some rounds, in others in the midst of much.
    await writer.wrote(round % 2 ? 60 + Math.random() * 100 : 0);
    // In every third round the database's process alone is killed first, under a server that lives on.
    if (round % 3 === 1) {
      process.kill(pid, 'SIGKILL');
      const before = writer.lines.length;
      for (let waited = 0; writer.lines.length < before + 20; waited++) {
        assert.ok(waited < 1_500, 'the database did not come back');
        await sleep(10);
      }
    }
    await writer.kill();
    for (const kind of ['single', 'pair'] as const) {
      for (const id of acknowledged(writer, kind)) kept[kind].add(id);
    }
    first += 1_000_000;
    // The next writer starts on the crashed folder: what is lost once is lost at the end.
  }
  const found = await stored(folder);
  for (const kind of ['single', 'pair'] as const) {
    const lost = [...kept[kind]].filter((id) => !found[kind].has(id));
    assert.deepEqual(lost, [], 'acknowledged, but not there');
  }
  assert.ok(kept.single.size > 30 && kept.pair.size > 30, 'too little was written to say anything');
});

test('killed during its first start, it starts the next time', async () => {
  for (const delay of [0, 100, 400]) {
    const folder = join(base, `first-${delay}`);
    const writer = startWriter(folder, 1);
    await writer.until('locked');
    await sleep(delay);
    await writer.kill();
    const again = startWriter(folder, 1);
    await again.until('writing');
    await again.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
