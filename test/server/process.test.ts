import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'cartulary-process-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

interface Started {
  child: ChildProcessWithoutNullStreams;
  output: () => string;
  url: string;
}

function launch(settings: Record<string, string> = {}): {
  child: ChildProcessWithoutNullStreams;
  output: () => string;
} {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    CARTULARY_DATA: folder,
    CARTULARY_DEMO: '0',
    CARTULARY_LOG_LEVEL: 'error',
    ...settings,
  };
  const child = spawn(process.execPath, ['dist/src/main.js'], { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child, output: () => text };
}

async function started(settings?: Record<string, string>): Promise<Started> {
  const { child, output } = launch(settings);
  const ended = once(child, 'exit');
  for (;;) {
    const url = /(http:\/\/[^/\s]+)\//.exec(output())?.[1];
    if (url) return { child, output, url };
    const done = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
    if (done) throw new Error(output());
  }
}

test('the process: first start, a second server on the same folder, SIGTERM, a later start', async (t) => {
  const first = await started();
  t.after(() => first.child.kill('SIGKILL'));
  const password = /password (\S+)/.exec(first.output())?.[1];
  assert.ok(password, 'the first start prints a password once');
  assert.equal((await fetch(`${first.url}/readyz`)).status, 200);

  const second = launch();
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

  const later = await started();
  t.after(() => later.child.kill('SIGKILL'));
  assert.ok(!later.output().includes('password'), 'the password is printed only once');
  const authorized = await fetch(`${later.url}/api/2.8/demo/authorized/?token=${token}`);
  assert.equal(await authorized.json(), true, 'a session survives a restart');

  const killed = once(later.child, 'exit');
  later.child.kill('SIGKILL');
  await killed;
  const again = await started();
  t.after(() => again.child.kill('SIGKILL'));
  assert.equal((await fetch(`${again.url}/readyz`)).status, 200);
  const ended = once(again.child, 'exit');
  again.child.kill('SIGINT');
  assert.equal((await ended)[0], 0);
});

test('wrong settings are said at once', async () => {
  const { child, output } = launch({ PORT: 'http' });
  const [code] = await once(child, 'exit');
  assert.equal(code, 1);
  assert.match(output(), /PORT=http: must be a whole number/);
});
