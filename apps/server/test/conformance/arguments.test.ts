/** The programs that check and measure a service answer wrong arguments in a sentence, without a stack. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const fileOf = (program: string): string =>
  fileURLToPath(new URL(`../../../../../${program}/dist/run.js`, import.meta.url));

/** Runs a program, and gives its status and all that it prints. */
const run = (program: string, ...args: string[]): Promise<{ status: number; said: string }> =>
  new Promise((resolve) =>
    execFile(process.execPath, [fileOf(program), ...args], (error, out, err) =>
      resolve({ status: Number(error?.code ?? 0), said: out + err }),
    ),
  );

for (const program of ['conformance', 'soak', 'bench'])
  test(`${program}: help, and an unknown option`, async () => {
    const help = await run(program, '--help');
    assert.equal(help.status, 0, help.said);
    assert.match(help.said, new RegExp(`^npm run ${program} -- `));
    const wrong = await run(program, '--nonsense');
    assert.ok(wrong.status > 0);
    assert.match(wrong.said, /Unknown option '--nonsense'/);
    assert.doesNotMatch(wrong.said, /^ {4}at /m);
  });

test('conformance: an address that is none, or where nothing answers', async () => {
  for (const [args, says] of [
    [[], /address of one server is needed/],
    [['localhost:8080'], /address of one server is needed/],
    [['http://127.0.0.1:2'], /The server at http:\/\/127\.0\.0\.1:2 cannot be reached: connect ECONNREFUSED/],
  ] as const) {
    const { status, said } = await run('conformance', ...args);
    assert.equal(status, 2);
    assert.match(said, says);
  }
});
