import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findRunningEmbedded } from '@cartulary/database/internal/embedded/embedded.js';
import { type Database, openDatabase, parseDatabaseUrl } from '@cartulary/database/internal/pool.js';
import { sql } from '@cartulary/sql/internal/sql.js';
import { freshPostgres } from '../support/database.js';
import { printed, type ServerProcess, serverProcess } from '../support/process.js';

type Server = ServerProcess & { url: string };

/** Servers on one data folder, each of which loads the demo world. */
async function demoServers(): Promise<{
  start(own?: Record<string, string>): Promise<Server>;
  database(): Promise<Database>;
  remove(): Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'cartulary-demo-'));
  const postgres = process.env.TEST_DATABASE_URL
    ? await freshPostgres(process.env.TEST_DATABASE_URL)
    : undefined;
  // A busy machine takes long to stop.
  const settings = {
    CARTULARY_DEMO: '1',
    CARTULARY_STOP_TIME: '60000',
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  };
  const started: Server[] = [];
  return {
    async start(own) {
      const server = await serverProcess(folder, { ...settings, ...own });
      started.push(server);
      return server;
    },
    async database() {
      const target = postgres ? parseDatabaseUrl(postgres.url) : await findRunningEmbedded(folder);
      return openDatabase(target!, postgres ? 'postgres' : 'embedded', { maxConnections: 1 });
    },
    async remove() {
      for (const { child } of started) child.kill('SIGKILL');
      await postgres?.drop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

test('the process that prints the demo data ends quietly when its reader leaves', async () => {
  const program = fileURLToPath(new URL('../../src/demo/data.js', import.meta.url));
  const { stdout, stderr } = await promisify(execFile)('bash', [
    '-c',
    '"$0" "$1" cities | head -c 1',
    process.execPath,
    program,
  ]);
  assert.equal(stdout, '{');
  assert.equal(stderr, '');
});

test('a stop while the demo world loads is no error', async (t) => {
  const servers = await demoServers();
  t.after(() => servers.remove());
  const stopped = await servers.start({ CARTULARY_LOG_LEVEL: 'info' });
  await printed(stopped, /countries done/);
  const ended = once(stopped.child, 'close');
  stopped.child.kill('SIGTERM');
  assert.equal((await ended)[0], 0, stopped.output().slice(-2_000));
  const said = stopped.output();
  assert.doesNotMatch(said, /is complete/);
  assert.match(said, /"level":30,.*"msg":"the demo world is not complete: the next start loads it anew"/);
  assert.doesNotMatch(said, /"level":50|"err"|stack/);
});

test('the demo world answers while it loads; killed meanwhile, it is complete and published in two languages after the next start', async (t) => {
  const servers = await demoServers();
  t.after(() => servers.remove());
  const killed = await servers.start();
  const early = await fetch(`${killed.url}/readyz`);
  assert.equal(early.status, 200);
  await printed(killed, /cities 20 %/);
  const shown = (await (await fetch(`${killed.url}/api/2.8/demo/world/layers/`)).json()) as {
    code: string;
  }[];
  assert.deepEqual(
    shown.map(({ code }) => code),
    ['countries'],
    'a layer without its style is not shown',
  );
  const gone = once(killed.child, 'exit');
  killed.child.kill('SIGKILL');
  await gone;
  assert.doesNotMatch(killed.output(), /is complete/);

  const again = await servers.start();
  await printed(again, /The demo world is complete/);
  const db = await servers.database();
  const indexes = await db.query(sql`select from pg_class where relname like 'layer\\_%\\_small\\_features'`);
  await db.close();
  assert.ok(indexes.length > 0, 'the first look does not wait for an index');
  await assertComplete(again.url);
  const ended = once(again.child, 'exit');
  again.child.kill('SIGTERM');
  assert.equal((await ended)[0], 0, again.output().slice(-2_000));
});

async function assertComplete(url: string): Promise<void> {
  const json = async (path: string): Promise<any> => (await fetch(`${url}/api/2.8/demo${path}`)).json();
  assert.equal((await json('/world/')).has_publication, true, 'the public may view it');
  const count = (layer: string): Promise<number> => json(`/world/layers/${layer}/count/?precise=true`);
  assert.equal(await count('countries'), 255);
  assert.equal(await count('cities'), 135_233);

  const name = async (lng: string): Promise<string> => {
    const path = `/world/layers/countries/objects/?fields=name,iso_a2&fcode=iso_a2&fval=DE&lng=${lng}`;
    return (await json(path))[0].fields.name;
  };
  assert.equal(await name('en'), 'Germany');
  assert.equal(await name('ru'), 'Германия');
  const [city] = await json('/world/layers/cities/objects/?fields=name,population&sort=population,d&limit=1');
  assert.deepEqual(city.fields, { name: 'Shanghai', population: 22_315_474 });

  const draw = async (path: string): Promise<Buffer> => {
    const tile = await fetch(`${url}/tms/demo/${path}`);
    assert.equal(tile.status, 200, path);
    assert.equal(tile.headers.get('content-type'), 'image/png');
    return Buffer.from(await tile.arrayBuffer());
  };
  const tile = await draw('world/?z=4&x=9&y=10');
  assert.notDeepEqual(await draw('world/?z=4&x=9&y=10&lng=ru'), tile, 'labels follow the language');

  // What a click finds: no land below the country, and the charts of the largest countries have room.
  const foundAt = async (map: string, place: string): Promise<string[]> => {
    const found = (await json(`/${map}/identify/?${place}`)) as { layer: string; svc_id: number }[];
    assert.deepEqual([...new Set(found.map(({ layer }) => layer))], ['shown'], map);
    const objects = found.map(({ svc_id }) => json(`/${map}/layers/shown/objects/${svc_id}/?fields=name`));
    return (await Promise.all(objects)).map(({ fields }) => fields.name);
  };
  assert.deepEqual(await foundAt('density', 'lon=-3.7&lat=40.4&z=4'), ['Spain']);
  for (const map of ['city_shares', 'city_bars', 'city_lines'])
    assert.ok((await foundAt(map, 'lon=80&lat=22&z=2&tolerance=10')).includes('India'), map);

  const legends = [
    'density',
    'cities_by_country',
    'city_sizes',
    'city_shares',
    'city_bars',
    'city_lines',
    'city_heat',
    'city_hexagons',
  ];
  for (const [i, code] of legends.entries()) {
    const legend = await json(`/${code}/layers/shown/legend/?lng=ru`);
    assert.equal(
      legend.type,
      i < 7 ? i + 1 : 'hexbin',
      `${code} is a map of its own kind, that the public may view`,
    );
    const listed = (await json(`/${code}/layers/`)) as unknown[];
    assert.equal(listed.length, 1, `${code}: the land below is no layer of the tree`);
    assert.ok(legend.count > 100 && /[а-я]/.test(legend.name), `${code}: ${legend.name}, ${legend.count}`);
    const drawn = await draw(`${code}/?z=1&x=1&y=1`);
    if (process.env.DEMO_PICTURES) writeFileSync(`${process.env.DEMO_PICTURES}-${code}.png`, drawn);
  }
}
