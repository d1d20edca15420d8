/** The output of a start with wrong settings: one sentence, status 1, no stack. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { launchServer, serverProcess } from '../support/process.js';

const parent = mkdtempSync(join(tmpdir(), 'cartulary-wrong-'));
test.after(() => rmSync(parent, { recursive: true, force: true }));
writeFileSync(join(parent, 'file'), '');
mkdirSync(join(parent, 'with-file'), { mode: 0o700 });
writeFileSync(join(parent, 'with-file', 'files'), '');

/** The output of a server that cannot start. */
async function said(settings: Record<string, string>, dataFolder = join(parent, 'data')): Promise<string> {
  const { child, output } = launchServer(dataFolder, settings);
  // A server that starts nevertheless fails the test without delaying it.
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const [status] = await once(child, 'close');
  clearTimeout(timer);
  assert.equal(status, 1, output());
  assert.doesNotMatch(output(), /\n\s+at |node_modules|secret/, 'neither stack nor password');
  assert.match(output(), /^Cartulary could not start: /m);
  return output();
}

test('a number, a word or an address that is none', async () => {
  const wrong = await said({
    PORT: 'x',
    HOST: 'localhost:8080',
    CARTULARY_RENDERERS: '0x2',
    CARTULARY_TILE_CACHE: ' ',
    CARTULARY_LOG_LEVEL: 'loud',
    CARTULARY_BASE_URL: 'maps',
  });
  for (const part of [
    /PORT=x: must be a whole number/,
    /HOST=localhost:8080: must be an address such as/,
    /RENDERERS=0x2: must be a whole number/,
    /TILE_CACHE= : must be a whole number/,
    /LOG_LEVEL=loud: must be one of/,
    /BASE_URL=maps: must be/,
  ])
    assert.match(wrong, part);
});

test('hosts that never match', async () => {
  const wrong = await said({
    CARTULARY_HOSTS: 'http://maps.example.org',
    CARTULARY_EXTERNAL_HOSTS: 'tiles.example.org/tiles',
    CARTULARY_EXTERNAL_PRIVATE: 'tiles.example.org',
  });
  for (const part of [
    /_HOSTS=http:.*: 'http:\/\/maps.example.org' must be a host such as/,
    /_EXTERNAL_HOSTS=.*: 'tiles.example.org\/tiles' must be a host such as/,
    /_EXTERNAL_PRIVATE=.*: 'tiles.example.org' must be a host with its port/,
  ])
    assert.match(wrong, part);
});

test('a folder of grid files that cannot be read', async () => {
  assert.match(
    await said({ CARTULARY_PROJ_GRIDS: join(parent, 'none') }),
    /CARTULARY_PROJ_GRIDS=.*none: there is no such folder/,
  );
});

test('a data folder that cannot be', async () => {
  for (const [folder, reason] of [
    [join(parent, 'file'), 'it is a file, not a folder'],
    [join(parent, 'file', 'below'), 'what should be a folder above it is a file'],
    ['/proc/cartulary/data', 'it cannot be made there'],
    [join(parent, 'with-file'), 'with-file/files cannot be used: it is a file, not a folder'],
  ] as const)
    assert.match(await said({}, folder), new RegExp(`${reason}. Set CARTULARY_DATA`), folder);
});

test('a database that cannot be reached', async () => {
  assert.match(
    await said({ DATABASE_URL: 'postgres://anna:secret@127.0.0.1:1/maps' }),
    /'maps' as user 'anna' at 127\.0\.0\.1:1 cannot be used: nothing listens there. Check/,
  );
  assert.match(
    await said({ DATABASE_URL: 'mysql://anna:secret@127.0.0.1/maps' }),
    /must begin with postgres:/,
  );
});

test('an address to listen on that is taken, or of another machine, with one process and with several', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  assert.match(
    await said({ CARTULARY_PROCESSES: '2', PORT: String(port) }),
    new RegExp(
      `It cannot listen on 127.0.0.1, port ${port}: another program listens there. Stop it, or set PORT`,
    ),
  );
  assert.match(await said({ HOST: '192.0.2.1' }), /no such address. Set HOST/);
});

test('a first start that makes the administrator and fails afterwards tells the password, which is valid', async (t) => {
  for (const processes of ['1', '2']) {
    const folder = join(parent, `first-${processes}`);
    const failed = await said({ HOST: '192.0.2.1', CARTULARY_PROCESSES: processes }, folder);
    const password = /password (\S+) \(shown only this once\)/.exec(failed)?.[1];
    assert.ok(password, failed);
    const { child, url, output } = await serverProcess(folder);
    t.after(() => child.kill('SIGKILL'));
    assert.doesNotMatch(output(), /password/);
    const body = new URLSearchParams({ login: 'admin', password });
    assert.equal((await fetch(`${url}/api/2.8/demo/login/`, { method: 'POST', body })).status, 200);
    child.kill('SIGKILL');
  }
});

test('a second server on one data folder names the first', async (t) => {
  const folder = join(parent, 'two');
  const { child } = await serverProcess(folder);
  t.after(() => child.kill('SIGKILL'));
  assert.match(
    await said({}, folder),
    new RegExp(`${folder} is in use by process ${child.pid}. Stop that one first`),
  );
});

test('the programs want the version of Node.js that package.json names', () => {
  const { engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [, major, minor] = /^>=(\d+)\.(\d+)\.0$/.exec(engines.node)!;
  assert.ok(
    readFileSync('apps/server/src/node-version.ts', 'utf8').includes(`wanted = [${major}, ${minor}]`),
  );
  assert.ok(scripts['node-version'].includes(`major < ${major} || (major === ${major} && minor < ${minor})`));
  for (const program of ['main', 'cli/cli']) {
    const [first] = readFileSync(`apps/server/dist/src/${program}.js`, 'utf8').match(/^import .*/m)!;
    assert.match(
      first,
      /^import '\.{1,2}\/node-version\.js';$/,
      `${program} looks at it before anything else`,
    );
  }
});
