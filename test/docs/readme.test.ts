import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { adminPassword, startServer } from '../support/server.js';

/** The commands of the README's tour, as they stand. */
function tour(): string {
  const readme = readFileSync('README.md', 'utf8');
  const section = readme.split('\n## ').find((part) => part.startsWith('Five minutes with curl'));
  return [...(section ?? '').matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]).join('\n');
}

test('the tour of the README works as it stands', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const script = tour();
  assert.match(script, /curl/);
  const shell = spawn(
    'bash',
    ['-euo', 'pipefail', '-c', `${script}\necho; file=$(wc -c < /tmp/parks.png); echo "bytes $file"`],
    {
      env: { ...process.env, BASE: server.url, CARTULARY_ADMIN_PASSWORD: adminPassword },
    },
  );
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(shell, 'close');
  assert.equal(code, 0, output);
  const order = ['Jardin des Tuileries', 'Jardin du Luxembourg', 'Parc Montsouris'].map((name) =>
    output.lastIndexOf(name),
  );
  assert.deepEqual(
    order.toSorted((a, b) => a - b),
    order,
    'largest first',
  );
  const empty = await server.request('GET', '//tms/demo/parks/?z=12&x=0&y=0');
  const bytes = Number(/bytes (\d+)/.exec(output)?.[1]);
  assert.ok(bytes > empty.bytes.length, 'the tile shows the gardens');
});
