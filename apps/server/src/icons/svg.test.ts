import assert from 'node:assert/strict';
import test from 'node:test';
import { cleanSvgInThread } from './svg-in-thread.js';

const svg = (shapes: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">${shapes}</svg>`;

test('a large picture is read while others have their turn, and comes out whole', async () => {
  const shapes = Array.from(
    { length: 4_000 },
    (_, i) => `<path d="M${i % 32} 0L${i % 7} 9.${i}" fill="#0${i % 10}f"></path>`,
  ).join('');
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const { text, width } = await cleanSvgInThread(svg(shapes), { side: 512 });
  isDone = true;
  assert.ok(turns >= 100, `${turns} turns`);
  assert.equal(width, 32);
  assert.equal(text.slice(text.indexOf('>') + 1, -'</svg>'.length), shapes);
});

test('a mistake is told with its line, wherever it lies', async () => {
  const shapes = '<rect width="1" height="1"/>\n'.repeat(3_000);
  await assert.rejects(cleanSvgInThread(svg(`${shapes}<script/>`), { side: 512 }), {
    code: 'bad_request',
    message: /line 3001: <script> is not allowed/,
  });
});
