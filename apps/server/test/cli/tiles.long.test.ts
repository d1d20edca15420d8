import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import type { Box } from '@cartulary/geo/internal/bbox.js';
import type { Config } from '../../src/config.js';
import { countTiles, rangeAt } from '../../src/tiles/render/fill.js';
import { newDatabaseHost } from '../support/here.js';
import { startServer } from '../support/server.js';
import { served, watchDrawings } from '../tiles/cache/kept-support.js';
import { box } from '../tiles/colors.js';

interface Ended {
  status: number;
  out: string;
  err: string;
}

test('the tiles that an extent meets', () => {
  const world: Box = { west: -180, south: -85.06, east: 180, north: 85.06 };
  assert.deepEqual(rangeAt(world, 3), { z: 3, west: 0, north: 0, east: 7, south: 7 });
  assert.equal(countTiles({ extent: world, zooms: { first: 0, last: 5 } }), 1365);
  const quarter: Box = { west: 0, south: 0, east: 180, north: 85.06 };
  assert.deepEqual(rangeAt(quarter, 1), { z: 1, west: 1, north: 0, east: 1, south: 0 });
  const point: Box = { west: 13.4, south: 52.5, east: 13.4, north: 52.5 };
  assert.deepEqual(rangeAt(point, 12), { z: 12, west: 2200, north: 1343, east: 2200, south: 1343 });
  assert.deepEqual(rangeAt({ west: -180, south: -90, east: -180, north: -89 }, 2), {
    z: 2,
    west: 0,
    north: 3,
    east: 0,
    south: 3,
  });
});

/** The command `tiles fill` on the data of a server. */
function fillCommand({ dataFolder, databaseUrl }: Config) {
  const env = { CARTULARY_DATA: dataFolder, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
  return async (line: string, own: Record<string, string> = {}): Promise<Ended> => {
    const child = spawn(
      process.execPath,
      ['apps/server/dist/src/cli/cli.js', 'tiles', 'fill', ...line.split(' ')],
      {
        env: { PATH: process.env.PATH, ...env, ...own },
      },
    );
    const ended: Ended = { status: -1, out: '', err: '' };
    child.stdout.on('data', (chunk) => (ended.out += chunk));
    child.stderr.on('data', (chunk) => (ended.err += chunk));
    [ended.status] = (await once(child, 'close')) as [number];
    return ended;
  };
}

test('tiles fill: public content is rendered in advance, and existing tiles are not rendered again', async (t) => {
  // The command finds the database in the data folder.
  const host = await newDatabaseHost(true);
  const server = await startServer({}, host);
  t.after(async () => {
    await server.stop();
    await host.end();
  });
  const run = fillCommand(server.server.services.config);
  await server.admin('POST', '/', { code: 'm', css_style: 'Map { background-color: #def; }' });
  await server.admin('POST', '/m/layers/', { code: 'l', css_style: '#l { polygon-fill: #a33; }' });
  await server.admin('POST', '/m/layers/l/objects/', { fields: {}, geom: box(-30, -20, 25, 35) });

  const first = await run('demo m --zooms 0-3');
  assert.deepEqual([first.status, first.out], [0, '85 tiles: 0 were there, 85 are drawn\n'], first.err);
  const drawn = watchDrawings(server);
  for (const place of [
    [0, 0, 0],
    [3, 4, 4],
    [3, 7, 0],
  ] as const)
    await served(server, 'm', place);
  assert.equal(drawn.length, 0, 'the server finds them');

  await server.admin('PUT', '/m/layers/l/objects/1/', { geom: box(-30, -20, 25, 34) });
  const again = await run('demo m --zooms 3 --extent -180,-80,-100,80');
  assert.equal(again.out, '16 tiles: 16 were there, 0 are drawn\n', again.err);
  const part = await run('demo m --zooms 0-2');
  assert.match(part.out, /^21 tiles: \d+ were there, [1-9]\d* are drawn\n$/);
  assert.equal((await run('demo m --zooms 1 --retina')).out, '4 tiles: 0 were there, 4 are drawn\n');

  const fails = async (line: string, status: number, said: RegExp, own = {}): Promise<void> => {
    const ended = await run(line, own);
    assert.deepEqual([ended.status, ended.out], [status, ''], line);
    assert.match(ended.err, said);
    assert.doesNotMatch(ended.err, /\n\s+at |select /, 'neither stack nor SQL');
  };
  await fails('demo m --zooms 0-12', 1, /22369621 tiles.*--yes/);
  await fails('demo nowhere', 1, /The map 'nowhere' does not exist/);
  await fails('nowhere m', 1, /nowhere/);
  await fails('demo m --layers 999999', 1, /no layer 999999/);
  for (const wrong of [
    '--zooms 5-2',
    '--zooms 25',
    '--zooms x',
    '--extent 1,2,3',
    '--extent 9,0,1,1',
    '--layers a',
  ])
    await fails(`demo m ${wrong}`, 2, /It must be/);
  await fails('demo m', 1, /CARTULARY_TILE_CACHE_DISK/, { CARTULARY_TILE_CACHE_DISK: '0' });
  await server.admin('PATCH', '/m/', { render_settings: { cache: false } });
  await fails('demo m --zooms 0', 1, /are not kept/);
  await server.admin('PATCH', '/m/', { publish: false });
  await fails('demo m --zooms 0', 1, /is not published/);
});
