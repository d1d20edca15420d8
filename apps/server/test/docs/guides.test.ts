import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { promisify } from 'node:util';
import { sql } from '../../src/db/sql.js';
import { blocksOf, differenceOf, runPage } from '../support/guide.js';
import { startServer, type TestServer } from '../support/server.js';

const folder = 'docs/guide';
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const textOf = (page: string): string => readFileSync(`${folder}/${page}`, 'utf8');

let shared: TestServer;
before(async () => {
  shared = await startServer();
});
after(() => shared.stop());

/** This one sets the password of the administrator anew. */
const alone = 'command-line.md';

for (const page of pages) {
  test(`the commands of ${page} work as they stand, and print what is shown`, async (t) => {
    if (!blocksOf(textOf(page)).length) return t.skip('no commands');
    if (page === alone) {
      const own = await startServer();
      t.after(() => own.stop());
      await runPage(textOf(page), own);
    } else {
      await runPage(textOf(page), shared);
      // Each page is for somebody who has not read the others.
      const maps = await shared.db.query<{ code: string }>(
        sql`select code from cartulary.container where type = 'map'`,
      );
      for (const { code } of maps) await shared.admin('DELETE', `/${code}/`);
      await shared.db.transaction((tx) =>
        tx.query(sql`delete from cartulary.account where login <> 'admin'`),
      );
      await shared.db.transaction((tx) => tx.query(sql`delete from cartulary.user_group`));
    }
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
