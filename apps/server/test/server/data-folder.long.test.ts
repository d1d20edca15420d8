import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { serverProcess } from '../support/process.js';

const parent = mkdtempSync(join(tmpdir(), 'cartulary-folder-'));
test.after(() => rmSync(parent, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('no other user can read a data folder that the service creates', async (t) => {
  const folder = join(parent, 'new', 'data');
  const { child, output } = await serverProcess(folder, { CARTULARY_LOG_LEVEL: 'warn' });
  t.after(() => child.kill('SIGKILL'));
  assert.equal(modeOf(folder), 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) assert.equal(modeOf(join(folder, entry.name)), 0o700, entry.name);
  assert.doesNotMatch(output(), /is open to other users/);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('an existing folder keeps its mode, and the log warns if it is open', async (t) => {
  const folder = join(parent, 'open');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const { child, output } = await serverProcess(folder, { CARTULARY_LOG_LEVEL: 'warn' });
  t.after(() => child.kill('SIGKILL'));
  assert.equal(modeOf(folder), 0o755);
  assert.match(output(), /is open to other users of this machine \(mode 755\)/);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('a password of the administrator that a later start ignores is told, with the command that sets it', async (t) => {
  const folder = join(parent, 'password');
  const passwords = ['battery-horse', 'battery-horse', 'another-horse'];
  for (const [i, CARTULARY_ADMIN_PASSWORD] of passwords.entries()) {
    const settings = { CARTULARY_ADMIN_PASSWORD, CARTULARY_LOG_LEVEL: 'warn' };
    const { child, output } = await serverProcess(folder, settings);
    t.after(() => child.kill('SIGKILL'));
    child.kill('SIGTERM');
    await once(child, 'exit');
    if (i < 2) assert.doesNotMatch(output(), /PASSWORD/);
    else assert.match(output(), /CARTULARY_ADMIN_PASSWORD is ignored.*user passwd admin --admin --password/);
    assert.doesNotMatch(output(), /horse/);
  }
});
