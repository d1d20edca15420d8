import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { adminPassword, startServer } from '../support/server.js';

test('no rule of the conformance suite fails against this server', async () => {
  const server = await startServer();
  try {
    const program = fileURLToPath(new URL('../../../../../conformance/dist/run.js', import.meta.url));
    for (const rules of [[], ['--ogc']]) {
      const child = spawn(process.execPath, [program, server.url, '--password', adminPassword, ...rules]);
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
      const code = await new Promise((resolve) => child.once('close', resolve));
      assert.equal(code, 0, printed);
    }
    const left = await server.admin<{ code: string }[]>('GET', '/maps/available/');
    assert.deepEqual(left, []);
  } finally {
    await server.stop();
  }
});
