import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { allocatorEnvironment } from '../../src/process/allocator.js';
import { launchServer, serverProcess } from '../support/process.js';

const folder = mkdtempSync(join(tmpdir(), 'cartulary-process-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('the process: first start, a second server on the same folder, SIGTERM, a later start', async (t) => {
  const first = await serverProcess(folder);
  t.after(() => first.child.kill('SIGKILL'));
  const password = /password (\S+)/.exec(first.output())?.[1];
  assert.ok(password, 'the first start prints a password once');
  assert.equal((await fetch(`${first.url}/readyz`)).status, 200);

  const second = launchServer(folder);
  const [code] = await once(second.child, 'exit');
  assert.equal(code, 1);
  assert.match(
    second.output(),
    new RegExp(String(first.child.pid)),
    'the refusal names the process that holds the folder',
  );
  assert.ok(!second.output().includes('    at '), 'no stack');

  const login = await fetch(`${first.url}/api/2.8/demo/login/`, {
    method: 'POST',
    body: new URLSearchParams({ login: 'admin', password }),
  });
  assert.equal(login.status, 200);
  const { token } = (await login.json()) as { token: string };

  const exit = once(first.child, 'exit');
  first.child.kill('SIGTERM');
  assert.equal((await exit)[0], 0);

  const later = await serverProcess(folder);
  t.after(() => later.child.kill('SIGKILL'));
  assert.ok(!later.output().includes('password'), 'the password is printed only once');
  const authorized = await fetch(`${later.url}/api/2.8/demo/authorized/?token=${token}`);
  assert.equal(await authorized.json(), true, 'a session survives a restart');

  const killed = once(later.child, 'exit');
  later.child.kill('SIGKILL');
  await killed;
  const again = await serverProcess(folder);
  t.after(() => again.child.kill('SIGKILL'));
  assert.equal((await fetch(`${again.url}/readyz`)).status, 200);
  const ended = once(again.child, 'exit');
  again.child.kill('SIGINT');
  assert.equal((await ended)[0], 0);
});

test('npm start sets the allocator as the service does for its other processes', () => {
  const { start } = JSON.parse(readFileSync('package.json', 'utf8')).scripts as { start: string };
  for (const [name, value] of Object.entries(allocatorEnvironment))
    assert.ok(start.includes(` ${name}=${value} `), name);
});

test('a signal to what npm has started for `npm start` ends the service', async (t) => {
  const { start } = JSON.parse(readFileSync('package.json', 'utf8')).scripts as { start: string };
  // The test runs the build.
  const command = start.replace(/npm run -s build\S*/, 'true');
  const { child, url } = await serverProcess(folder, {}, ['sh', '-c', command]);
  t.after(() => child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
  await assert.rejects(fetch(`${url}/readyz`));
});

test('a terminal that is closed stops the service in order', async (t) => {
  const { child, output } = await serverProcess(folder);
  t.after(() => child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.kill('SIGHUP');
  assert.deepEqual(await exit, [0, null], output());
});

test('wrong settings are said at once', async () => {
  const { child, output } = launchServer(folder, { PORT: 'http' });
  const [code] = await once(child, 'exit');
  assert.equal(code, 1);
  assert.match(output(), /PORT=http: must be a whole number/);
});

test('a folder of fonts that is not there is said at once, before anything is touched', async () => {
  const file = join(folder, 'fonts.txt');
  writeFileSync(file, '');
  for (const [fonts, why] of [
    [join(folder, 'no-fonts'), 'there is no such folder'],
    [file, 'it is a file, not a folder'],
  ] as const) {
    const { child, output } = launchServer(join(folder, 'untouched'), { CARTULARY_FONTS: fonts });
    const [code] = await once(child, 'exit');
    assert.equal(code, 1);
    assert.equal(output().trim(), `Cartulary could not start: CARTULARY_FONTS=${fonts}: ${why}`);
    assert.equal(existsSync(join(folder, 'untouched')), false);
  }
});
