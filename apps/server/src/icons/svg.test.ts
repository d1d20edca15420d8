import assert from 'node:assert/strict';
import test from 'node:test';
import { cleanSvg } from './svg.js';

const svg = (shapes: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">${shapes}</svg>`;

test('a large picture is parsed in slices, between which others have their turn, and comes out whole', async () => {
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
  const { text, width } = await cleanSvg(svg(shapes), { side: 512 });
  isDone = true;
  assert.ok(turns >= 3, `${turns} turns`);
  assert.equal(width, 32);
  assert.equal(text.slice(text.indexOf('>') + 1, -'</svg>'.length), shapes);
});

test('a mistake is told with its line, wherever it lies', async () => {
  const shapes = '<rect width="1" height="1"/>\n'.repeat(3_000);
  await assert.rejects(
    cleanSvg(svg(`${shapes}<script/>`), { side: 512 }),
    /line 3001: <script> is not allowed/,
  );
});
