import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import pg from 'pg';
import { type EmbeddedEngine, serveWire } from '../src/embedded/wire/wire-server.js';
import { describedAs, message, rowOf } from './fake-server.js';

const greeting = Buffer.concat([
  message('R', '\0\0\0\0'),
  message('K', '\0\0\0\x01\0\0\0\x01'),
  message('Z', 'I'),
]);
const [read, bound, done, ready] = [
  message('1'),
  message('2'),
  message('C', 'SELECT 1\0'),
  message('Z', 'I'),
];
const failed = message('E', 'SERROR\0VERROR\0C22012\0Mdivision by zero\0\0');
const started = [read, bound, describedAs('n'), rowOf('7')];

interface Trial {
  /** What the engine answers to Parse, Bind, Describe, Execute and Sync, in pieces. */
  answer: Buffer[];
  damage?: string;
}

/** Answer to a client of an engine that sends these chunks, and the reason for which the engine was ended. */
async function ask({ answer, damage }: Trial): Promise<{ told: unknown; reason: string | undefined }> {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-damage-'));
  let reason: string | undefined;
  const server = await serveWire({
    path: join(folder, '.s.PGSQL.5432'),
    engine: {
      greeting,
      execute: (_messages, write) => {
        for (const piece of answer) write(piece);
      },
      isInTransaction: () => false,
      damage: () => damage,
      // The real one does not come back.
      fail: ((why) => {
        reason ??= why;
        server.breakOff();
      }) as EmbeddedEngine['fail'],
    },
    watch: { begin() {}, end() {} },
    statementLimitMs: 0,
    silenceLimitMs: 10_000,
    refuses: () => false,
  });
  const client = new pg.Client({ host: folder, port: 5432, user: 'postgres', database: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  const told = await client.query({ text: 'select 7', queryMode: 'extended' } as pg.QueryConfig).then(
    ({ rows }) => rows,
    ({ code }) => code,
  );
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  await server.close();
  rmSync(folder, { recursive: true });
  return { told, reason };
}

const broken: Record<string, Trial> = {
  'a suspended portal without a limit': { answer: [...started, message('s'), ready] },
  'no end of the statement': { answer: [...started, ready] },
  'ReadyForQuery alone': { answer: [ready] },
  'no ReadyForQuery': { answer: [...started, done] },
  'a message of no known type': { answer: [...started, message('y'), done, ready] },
  'signs in its log': { answer: [...started, done, ready], damage: 'snapshot 0x1 still active' },
};

for (const [name, trial] of Object.entries(broken))
  test(`an engine that answers with ${name} is ended, and the statement is rejected`, async () => {
    const { told, reason } = await ask(trial);
    assert.equal(told, 'CA001');
    assert.ok(reason);
  });

test('an answer in any chunks is passed on, with one ReadyForQuery', async () => {
  const whole = Buffer.concat([...started, done, ready]);
  for (const size of [1, 2, 3, 5, 7, whole.length]) {
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
      whole.subarray(i * size, (i + 1) * size),
    );
    assert.deepEqual(await ask({ answer: pieces }), { told: [{ n: '7' }], reason: undefined });
  }
  for (const answer of [[read, failed, ready, ready], [Buffer.concat([read, failed, ready, ready])]])
    assert.deepEqual(await ask({ answer }), { told: '22012', reason: undefined });
});
