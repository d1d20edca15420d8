import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { promisify } from 'node:util';
import { blocksOf, differenceOf, runPage } from '../support/guide.js';
import { startServer, type TestServer } from '../support/server.js';

const folder = 'docs/guide';
const pages = readdirSync(folder).filter((name) => name.endsWith('.md'));
const textOf = (page: string): string => readFileSync(`${folder}/${page}`, 'utf8');

let shared: TestServer;
before(async () => {
  shared = await startServer();
  await shared.admin('POST', '/', { code: 'parks' });
});
after(() => shared.stop());

/** This page changes the administrator's password. */
const alone = 'command-line.md';

// All pages run on one server with the map `parks` of the README, as for somebody who reads them in sequence.
for (const page of pages) {
  test(`the commands of ${page} work as printed, and print what the page shows, also when they run again`, async (t) => {
    if (!blocksOf(textOf(page)).length) return t.skip('no commands');
    if (page !== alone) {
      await runPage(textOf(page), shared);
      await runPage(textOf(page), shared);
      return;
    }
    const own = await startServer();
    t.after(() => own.stop());
    await runPage(textOf(page), own);
  });
}

test('pages show errors, ask for the password in the same way, and use separate maps', () => {
  const owners = new Map<string, string>();
  for (const page of pages) {
    const commands = blocksOf(textOf(page))
      .map((block) => block.commands)
      .join('');
    assert.doesNotMatch(commands, /curl -s?f/, `${page}: an error of the service would not be seen`);
    assert.doesNotMatch(commands, /password=\$CARTULARY/, page);
    for (const [, code] of commands.matchAll(/DELETE [^\n]*"\$(?:API|api|V20)\/([a-z_]+)\//g)) {
      if (code === 'users' || code === 'icons') continue;
      assert.equal(owners.get(code!) ?? page, page, `the map ${code} is of one page`);
      owners.set(code!, page);
    }
  }
});

test('the index names every page, and links within the project are valid', () => {
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
  const script = new URL('../../../../../scripts/dist/pictures/run.js', import.meta.url).pathname;
  await promisify(execFile)(process.execPath, [script, '--check']);
  for (const page of pages)
    for (const [, source] of textOf(page).matchAll(/<img src="([^"]+)"/g))
      assert.ok(existsSync(`${folder}/${source}`), `${page} shows ${source}`);
});

test('the output of a page is compared: other values, keys and elements are found', () => {
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
