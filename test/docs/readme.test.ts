import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { runPage } from '../support/guide.js';
import { startServer } from '../support/server.js';

/** The part of the README that is a tour. */
function tour(): string {
  const readme = readFileSync('README.md', 'utf8');
  return readme.split('\n## ').find((part) => part.startsWith('Five minutes with curl')) ?? '';
}

test('the tour of the README works as it stands', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const output = await runPage(tour(), server);
  const order = ['Jardin des Tuileries', 'Jardin du Luxembourg', 'Parc Montsouris'].map((name) =>
    output.lastIndexOf(name),
  );
  assert.deepEqual(
    order.toSorted((a, b) => a - b),
    order,
    'largest first',
  );
  const empty = await server.request('GET', '//tms/demo/parks/?z=12&x=0&y=0');
  assert.ok(readFileSync('/tmp/parks.png').length > empty.bytes.length, 'the tile shows the gardens');
});
