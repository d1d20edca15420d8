/** The next start removes what a killed server was writing, and keeps what it has acknowledged. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownName } from '@cartulary/runtime/internal/own-names.js';
import { ident, literal, sql } from '@cartulary/sql/internal/sql.js';
import { zipOf } from '../formats/archives.js';
import { dbfOf, shpOf, shpPoint } from '../formats/shapefiles/shapefile-bytes.js';
import { type InstalledServer, installation } from '../support/installation.js';
import { rounds } from '../support/rounds.js';

const isPostgres = process.env.TEST_DATABASE_URL !== undefined;

/** A name such as a process makes. */
function nameOf(pid: number): string {
  const [time, rest] = ownName().split('_');
  return `${time}_${rest!.slice(0, 8)}${pid.toString(16).padStart(8, '0')}${rest!.slice(16)}`;
}

/** A name such as an ended process has. */
const nameOfDead = (): string => nameOf(spawnSync('true').pid);

/** Serving processes of a supervisor. */
const workersOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((child) => child && readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('worker-process'))
    .map(Number);

/** A process may have ended already. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has.
  }
}

async function done({ ask }: InstalledServer, method: string, path: string, body?: object): Promise<any> {
  const { status, json } = await ask(method, path, body && JSON.stringify(body));
  assert.ok(status < 300, `${method} ${path}: ${JSON.stringify(json)}`);
  return json;
}

const isFinal = ({ state }: { state: string }): boolean => !['queued', 'running'].includes(state);

test('everything that an ended process has left is swept by the next start, and nothing of one that lives', async (t) => {
  const { folder, start } = await installation(t);
  const first = await start();
  await done(first, 'POST', '/', { code: 'm' });
  const { id } = await done(first, 'POST', '/m/layers/', { code: 'l' });
  const job = await done(first, 'GET', '/m/layers/l/export/?format=geojson&async=1');
  while (!isFinal(await done(first, 'GET', `/jobs/${job.id}/`))) await sleep(20);
  const db = await first.database();
  const layer = ident('cartulary_data', `layer_${id}`);
  const installed = await db.query<{ id: string }>(sql`select id::text from cartulary.installation`);
  const leave = async (name: string, column: string): Promise<void> => {
    for (const path of [
      join('tmp', `job_${name}`, 'file'),
      join('files', installed[0]!.id, 'unfinished', name),
      join('icons', `${name}.part`),
      join('tiles', `${name}.json`),
    ]) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), 'half');
    }
    await db.transaction(async (tx) => {
      await tx.query(sql`create table ${ident('cartulary_data', `staging_${name}`)} (n bigint)`);
      await tx.query(sql`alter table ${layer} add column ${ident(column)} text`);
      await tx.query(sql`comment on column ${layer}.${ident(column)} is ${literal(`made by ${name}`)}`);
    });
  };
  const [dead, living] = [nameOfDead(), ownName()];
  await leave(dead, 'c900001');
  await leave(living, 'c900002');
  // Killed between the file of an export and the end of its job.
  await db.transaction((tx) => tx.query(sql`update cartulary.job set state = 'failed', file = null`));
  if (isPostgres) {
    const half = sql`create unique index concurrently layer_half on ${layer} ((geom is null))`;
    for (let i = 0; i < 2; i++) await done(first, 'POST', '/m/layers/l/objects/', { fields: {} });
    await assert.rejects(db.query(half));
  } else writeFileSync(join(folder, 'run', 'new.12345678'), '');
  await db.close();
  const of = (lines: readonly string[], name: string): string[] =>
    lines.filter((line) => line.includes(name));
  const before = await first.leftovers();
  assert.equal(of(before, dead).length, 5, before.join('\n'));
  assert.ok(before.length >= 14, before.join('\n'));
  await first.kill();

  const second = await start();
  const after = await second.leftovers();
  // On an embedded database no other process can be at work, but for what draws tiles beforehand.
  assert.deepEqual(
    after.filter((line) => !line.includes(living)),
    isPostgres ? [`column layer_${id}.c900002`] : [],
  );
  assert.deepEqual(of(after, living), isPostgres ? of(before, living) : [join('tiles', `${living}.json`)]);
  await second.stop();
});

const point = (i: number): string =>
  `{"type":"Feature","geometry":{"type":"Point","coordinates":[${i % 180},${i % 90}]},"properties":{"i":${i},"p${i % 50}":"text"}}`;
const points = (count: number): string =>
  `{"type":"FeatureCollection","features":[${Array.from({ length: count }, (_, i) => point(i)).join(',')}]}`;

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

const form = (fields: Record<string, string>, file: Buffer, name: string): FormData => {
  const body = new FormData();
  for (const [key, value] of Object.entries(fields)) body.set(key, value);
  body.set('file', new Blob([new Uint8Array(file)]), name);
  return body;
};

interface Writing {
  /** Requests that were answered. */
  answers: number;
  /** Objects that were acknowledged. */
  ids: number[];
}

/** Writes of each kind, one after the other each, until the server has gone. */
async function writeAll({ ask }: InstalledServer, map: string, writing: Writing): Promise<void> {
  const count = 5_000;
  const shapefile = await zipOf({
    'p.shp': shpOf(Array.from({ length: count }, (_, i) => shpPoint(i % 180, i % 90))),
    'p.dbf': dbfOf(
      [['n', 'N', 8]],
      Array.from({ length: count }, (_, i) => ({ mark: ' ', values: [String(i).padStart(8)] })),
    ),
  });
  const make = async (path: string, body: object): Promise<any> =>
    (await ask('POST', path, JSON.stringify(body))).json;
  await make('/', { code: map });
  for (const code of ['objects', 'jobs', 'merged', 'direct']) await make(`/${map}/layers/`, { code });
  await make(`/${map}/layers/`, { code: 'image', type: 'raster' });
  await make(`/${map}/layers/objects/structure/`, { code: 'f', type: 'file' });
  const { id: object } = await make(`/${map}/layers/objects/objects/`, { fields: {} });
  const box = encodeURIComponent('BOX(0 0,10 10)');
  const kinds: ((n: number) => Promise<unknown>)[] = [
    async () => {
      const { status, json } = await ask('POST', `/${map}/layers/objects/objects/`, '{"fields":{}}');
      if (status === 200) writing.ids.push(json.id);
    },
    () => ask('POST', `/${map}/layers/jobs/import/?async=1`, points(2_000)),
    (n) => ask('POST', `/${map}/layers/merged/import/?action=${1 + (n % 2)}`, points(2_000)),
    () => ask('POST', `/${map}/layers/direct/import/?action=1`, new Uint8Array(shapefile)),
    () => ask('POST', `/${map}/layers/image/import/?raster_bbox=${box}`, new Uint8Array(pixel)),
    () =>
      ask(
        'POST',
        `/${map}/layers/objects/objects/${object}/files/`,
        form({ field: 'f' }, Buffer.alloc(3_000_000, 'x'), 'x.txt'),
      ),
    (n) => ask('POST', '/icons/', form({ name: `${map}-${n}` }, pixel, 'x.png')),
    () => ask('GET', `/${map}/layers/merged/export/?format=geojson&async=1`),
    () => ask('GET', `/${map}/layers/merged/export/?format=gpkg&async=1`),
    async (n) => {
      await make(`/${map}/layers/`, { code: `l${n}` });
      await make(`/${map}/layers/l${n}/structure/`, { code: 'c', type: 'string' });
      await ask('DELETE', `/${map}/layers/l${n}/`);
    },
    () => ask('GET', `/${map}/layers/objects/objects/?sort=svc_id`),
  ];
  const repeat = async (kind: (n: number) => Promise<unknown>): Promise<void> => {
    for (let n = 0; ; n++) {
      await kind(n);
      writing.answers++;
    }
  };
  await Promise.allSettled(kinds.map(repeat));
}

/** Leftovers after the resumed jobs and the cleanup of the start have ended, which looks again after 15 s. */
async function settledLeftovers(server: InstalledServer): Promise<string[]> {
  const jobs = (): Promise<{ state: string }[]> => done(server, 'GET', '/jobs/?limit=1000');
  while (!(await jobs()).every(isFinal)) await sleep(100);
  for (let look = 0; ; look++) {
    const left = await server.leftovers();
    if (!left.length || look === 200) return left;
    await sleep(100);
  }
}

test('killed in the midst of writes of all kinds it leaves nothing that the next start does not sweep', async (t) => {
  const { start } = await installation(t, { CARTULARY_PROCESSES: '2', CARTULARY_JOBS_PER_USER: '50' });
  let server = await start();
  for (let round = 0; round < rounds(2); round++) {
    const writing: Writing = { answers: 0, ids: [] };
    const end = writeAll(server, `m${round}`, writing);
    while (writing.answers < 25) await sleep(20);
    await sleep(Math.random() * 300);
    await server.kill();
    await end;
    server = await start();
    assert.deepEqual(await settledLeftovers(server), []);
    const { json } = await server.ask('GET', `/m${round}/layers/objects/objects/?limit=100000`);
    const stored = new Set((json as { id: number }[]).map(({ id }) => id));
    assert.deepEqual(
      writing.ids.filter((id) => !stored.has(id)),
      [],
      'acknowledged, but not there',
    );
  }
  await server.stop();
});

test('what a serving process leaves that outlives its supervisor and the next start is removed', {
  skip: !isPostgres && 'on the embedded database a start removes everything',
}, async (t) => {
  const { folder, start } = await installation(t, { CARTULARY_PROCESSES: '2' });
  const first = await start();
  const workers = workersOf(first.child.pid!);
  assert.equal(workers.length, 2);
  t.after(() => {
    for (const pid of workers) kill(pid, 'SIGKILL');
  });
  const left = join(folder, 'tmp', `job_${nameOf(workers[0]!)}`);
  mkdirSync(left, { recursive: true });
  for (const pid of workers) kill(pid, 'SIGSTOP');
  await first.kill();
  const second = await start();
  assert.ok(existsSync(left));
  for (const pid of workers) kill(pid, 'SIGCONT');
  for (let look = 0; look < 1_200 && existsSync(left); look++) await sleep(100);
  assert.equal(existsSync(left), false);
  await second.stop();
});
