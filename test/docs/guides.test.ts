import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { promisify } from 'node:util';
import { blocksOf, differenceOf, runPage } from '../support/guide.js';
import { startServer } from '../support/server.js';

const folder = 'docs/guide';
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const textOf = (page: string): string => readFileSync(`${folder}/${page}`, 'utf8');

for (const page of pages) {
  test(`the commands of ${page} work as they stand, and print what is shown`, async (t) => {
    if (!blocksOf(textOf(page)).length) return t.skip('no commands');
    const server = await startServer();
    t.after(() => server.stop());
    await runPage(textOf(page), server);
  });
}

test('the index names every page, and what pages link to inside the project is there', () => {
  const index = textOf('index.md');
  for (const page of pages) if (page !== 'index.md') assert.ok(index.includes(`(${page})`), page);
  for (const page of pages) {
    if (page === 'index.md') continue;
    for (const [, target] of textOf(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      const isPage = index.includes(`(${target})`);
      assert.ok(isPage || existsSync(`${folder}/${target}`), `${page} links to ${target}`);
    }
  }
});

test('the tables of settings are those of the examples, and each row has its picture', async () => {
  const script = new URL('../../../dist/scripts/pictures/run.js', import.meta.url).pathname;
  await promisify(execFile)(process.execPath, [script, '--check']);
  for (const page of pages)
    for (const [, source] of textOf(page).matchAll(/<img src="([^"]+)"/g))
      assert.ok(existsSync(`${folder}/${source}`), `${page} shows ${source}`);
});

test('what a page shows is compared: other values, keys and elements are found', () => {
  assert.equal(differenceOf({ id: '…', a: [1, '…'] }, { id: 7, a: [1, 2] }, ''), undefined);
  assert.equal(differenceOf({ a: 1, '…': '…' }, { a: 1, b: 2 }, ''), undefined);
  for (const [shown, actual] of [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: 1, b: 1 }],
    [{ a: 1, b: 1 }, { a: 1 }],
    [[1], [1, 2]],
    [[1, 2], [1]],
    [true, false],
    [{}, null],
  ])
    assert.notEqual(differenceOf(shown, actual, ''), undefined);
});
