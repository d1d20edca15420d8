import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { sql } from '@cartulary/sql/internal/sql.js';
import type { TestServer } from '../../support/server.js';
import { box, filled } from '../colors.js';
import { allTiles, freshDrawer, lastingPlace, served, watchDrawings } from './kept-support.js';

const most = 2;
const tilesOfAll = 1 + 4 + 16;

/** A data folder on which servers start one after the other. Each is stopped at the end of the test. */
async function placeFor(t: TestContext, isOwn = false) {
  const place = await lastingPlace(isOwn);
  const running = new Set<TestServer>();
  t.after(async () => {
    for (const server of running) await server.stop();
    await place.remove();
  });
  const start = async (own: Record<string, string> = {}): Promise<TestServer> => {
    const server = await place.start(own);
    running.add(server);
    return server;
  };
  const stop = async (server: TestServer): Promise<void> => {
    running.delete(server);
    await server.stop();
  };
  return { folder: place.settings.CARTULARY_DATA!, start, stop };
}

async function makeMap({ admin }: TestServer): Promise<void> {
  await admin('POST', '/', { code: 'm', css_style: 'Map { background-color: #def; }' });
  await admin('POST', '/m/layers/', { code: 'l', css_style: '#l { polygon-fill: #a33; }' });
  await admin('POST', '/m/layers/l/objects/', { fields: {}, geom: box(-30, -20, 25, 35) });
}

/** Requests all tiles of the map, one after the other; asserts that they equal fresh drawings, and returns the number of drawings. */
async function look(server: TestServer, map = 'm'): Promise<number> {
  const drawn = watchDrawings(server);
  const tiles = [];
  for (const place of allTiles(most)) tiles.push({ place, bytes: (await served(server, map, place)).bytes });
  const count = drawn.length;
  const fresh = (await freshDrawer(server))();
  for (const { place, bytes } of tiles) assert.ok(bytes.equals(await fresh(map, place)), place.join('/'));
  return count;
}

/** Tile files. */
const filesIn = (folder: string): string[] =>
  readdirSync(join(folder, 'tiles'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.length === 64)
    .map((entry) => join(entry.parentPath, entry.name));

test('kept tiles outlive the server, and later writes invalidate them', async (t) => {
  // The database restarts, too.
  const { folder, start, stop } = await placeFor(t, true);
  const first = await start();
  await makeMap(first);
  assert.equal(await look(first), tilesOfAll);
  await stop(first);
  assert.equal(filesIn(folder).length, 1, 'one file for all');

  const second = await start();
  assert.equal(await look(second), 0, 'nothing has changed');
  await second.admin('POST', '/m/layers/l/objects/', { fields: {}, geom: box(-170, 60, -165, 65) });
  assert.equal(await look(second), 3, 'one of each level');
});

test('memory alone and disk alone both keep tiles', async (t) => {
  const { start, stop } = await placeFor(t);
  const first = await start();
  await makeMap(first);
  await look(first);
  await first.admin('POST', '/m/layers/l/objects/', { fields: {}, geom: null });
  await stop(first);
  const withoutMemory = await start({ CARTULARY_TILE_CACHE: '0' });
  assert.equal(await look(withoutMemory), 0);
  await stop(withoutMemory);
  const withoutDisk = await start({ CARTULARY_TILE_CACHE_DISK: '0' });
  assert.equal(await look(withoutDisk), tilesOfAll);
  assert.equal(await look(withoutDisk), 0);
});

test('without a cache every tile is drawn, and a client that has it gets 304', async (t) => {
  const { start } = await placeFor(t);
  const server = await start({ CARTULARY_TILE_CACHE: '0', CARTULARY_TILE_CACHE_DISK: '0' });
  await makeMap(server);
  const drawn = watchDrawings(server);
  const { etag } = await served(server, 'm', [1, 0, 0]);
  const ask = (): Promise<{ status: number }> =>
    server.request('GET', '//tms/demo/m/?z=1&x=0&y=1', { headers: { 'if-none-match': etag } });
  assert.equal((await ask()).status, 304);
  await server.admin('PUT', '/m/layers/l/objects/1/', { geom: box(-90, -20, 25, 35) });
  assert.equal((await ask()).status, 200);
  assert.equal(drawn.length, 3);
});

test('truncated, damaged and missing files are drawn again', async (t) => {
  const { folder, start, stop } = await placeFor(t);
  const spoil: ((file: string) => void)[] = [
    () => {},
    (file) => truncateSync(file, 30),
    (file) => writeFileSync(file, 'CTILE 2\n\xff\xff\xff\xff\xff\xff\xff\xff', 'latin1'),
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
  ];
  for (const [i, change] of spoil.entries()) {
    for (const file of i ? filesIn(folder) : []) change(file);
    const server = await start();
    if (i === 0) await makeMap(server);
    assert.equal(await look(server), tilesOfAll);
    await stop(server);
  }
  rmSync(join(folder, 'tiles'), { recursive: true });
  writeFileSync(join(folder, 'tiles'), 'no folder');
  const third = await start();
  assert.equal(await look(third), tilesOfAll, 'kept in memory alone');
});

test('a forgotten change counts as a change of everything', async (t) => {
  const { start, stop } = await placeFor(t);
  const first = await start();
  await makeMap(first);
  await look(first);
  for (let i = 0; i < 3; i++) await first.admin('POST', '/m/layers/l/objects/', { fields: {}, geom: null });
  assert.equal(await look(first), 0, 'nothing that is drawn');
  await first.db.transaction((tx) =>
    tx.query(sql`delete from cartulary.layer_change where data_version = 4`),
  );
  await stop(first);
  const second = await start();
  assert.equal(await look(second), tilesOfAll);
  await second.db.transaction((tx) =>
    tx.query(sql`update cartulary.layer_state set data_version = data_version + 1`),
  );
  assert.equal(await look(second), tilesOfAll, 'a version of which nothing is said');
});

test('the change log is bounded: the oldest entries leave', async (t) => {
  const { start } = await placeFor(t);
  const server = await start();
  await makeMap(server);
  await server.db.transaction(async (tx) => {
    await tx.query(sql`
      insert into cartulary.layer_change select s.layer_id, v, 1, 1, 2, 2 from cartulary.layer_state s, generate_series(10, 6000) v`);
    await tx.query(sql`update cartulary.layer_state set data_version = 6000`);
  });
  const before = await look(server);
  assert.equal(before, tilesOfAll);
  for (let i = 0; i < 70; i++)
    await server.admin('POST', '/m/layers/l/objects/', { fields: {}, geom: box(1, 1, 2, 2) });
  const [kept] = await server.db.query<{ count: number; first: number }>(
    sql`select count(*) as count, min(data_version) as first from cartulary.layer_change`,
  );
  assert.ok(kept!.count >= 5000 && kept!.count <= 5100, `${kept!.count} rows`);
  assert.ok(kept!.first > 900, `from version ${kept!.first}`);
  await look(server);
});

test('a database restored to an earlier state gets no tiles of its later state', async (t) => {
  const { folder, start, stop } = await placeFor(t);
  const first = await start();
  await makeMap(first);
  await look(first);
  await stop(first);
  const mark = join(folder, 'tiles', 'timeline.json');
  const noted = JSON.parse(readFileSync(mark, 'utf8'));
  writeFileSync(
    mark,
    JSON.stringify({ ...noted, transaction: String(BigInt(noted.transaction) + 1_000_000n) }),
  );
  const second = await start();
  assert.equal(await look(second), tilesOfAll);
});

test('rights precede the cache: a withdrawn map and a hidden layer disappear at once', async (t) => {
  const { start, stop } = await placeFor(t);
  const first = await start();
  await makeMap(first);
  await first.admin('POST', '/m/layers/', { code: 'secret', css_style: filled('secret', '#000000') });
  await first.admin('POST', '/m/layers/secret/objects/', { fields: {}, geom: box() });
  const { bytes: shown } = await served(first, 'm', [0, 0, 0]);
  await first.admin('PUT', '/m/layers/secret/rights/', { user: 'public', right: 'none' });
  await look(first);
  await stop(first);
  const second = await start();
  assert.equal(await look(second), 0);
  assert.ok(!(await served(second, 'm', [0, 0, 0])).bytes.equals(shown));
  await second.admin('PUT', '/m/layers/secret/rights/', { user: 'public', right: null });
  assert.ok((await served(second, 'm', [0, 0, 0])).bytes.equals(shown));
  await second.admin('PATCH', '/m/', { publish: false });
  assert.equal((await second.request('GET', '//tms/demo/m/?z=0&x=0&y=0')).status, 403);
  await second.admin('DELETE', '/m/');
  assert.equal((await second.request('GET', '//tms/demo/m/?z=0&x=0&y=0')).status, 404);
});

test('a virtual layer becomes stale with its source layers', async (t) => {
  const { start } = await placeFor(t);
  const server = await start();
  await makeMap(server);
  await server.admin('POST', '/', { code: 'v' });
  await server.admin('POST', '/v/layers/', {
    code: 'all',
    type: 'virtual',
    json: { query: 'select svc_id, geom from m.l' },
    css_style: '#all { polygon-fill: #3a3; }',
  });
  await look(server, 'v');
  await server.admin('PUT', '/m/layers/l/objects/1/', { geom: box(100, 40, 110, 50) });
  assert.equal(await look(server, 'v'), tilesOfAll);
  assert.equal(await look(server, 'v'), 0);
});
