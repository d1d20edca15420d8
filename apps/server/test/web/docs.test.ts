import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer } from '../support/server.js';
import { assertFits, openPage, startBrowser, withoutBrowser } from './browser.js';

/** Targets of a page's links and images, without those on other hosts. */
const addressesOf = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)]
    .map(([, address]) => address!)
    .filter((one) => !/^[a-z]+:/.test(one));

test('every link and picture of the documentation leads somewhere', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const start = await fetch(`${server.url}/docs`);
  assert.equal(start.url, `${server.url}/docs/index.html`);
  for (const path of ['docs/', 'docs/guide', 'docs/guide/', 'docs/guide/index.html'])
    assert.equal((await fetch(`${server.url}/${path}`)).url, start.url, path);
  assert.match(start.headers.get('content-security-policy')!, /default-src 'none'/);
  const seen = new Map<string, string>();
  const hashes: [from: string, target: string, id: string][] = [];
  const waiting = [start.url];
  const dead: string[] = [];
  for (const url of waiting) {
    const answer = await fetch(url);
    const isPage = /text\/html/.test(answer.headers.get('content-type')!);
    seen.set(url, isPage ? await answer.text() : '');
    if (!answer.ok) dead.push(url);
    if (!url.startsWith(`${server.url}/docs/`) || !isPage) continue;
    for (const address of addressesOf(seen.get(url)!)) {
      const { href, hash } = new URL(address, url);
      const target = href.replace(/#.*$/, '');
      if (!waiting.includes(target)) waiting.push(target);
      if (hash) hashes.push([url, target, decodeURIComponent(hash.slice(1))]);
    }
  }
  assert.deepEqual(dead, []);
  assert.ok(waiting.length > 80);
  for (const [from, target, id] of hashes)
    assert.ok(seen.get(target)!.includes(`id="${id}"`), `${from} links to #${id} of ${target}`);
  const found = (await (await fetch(`${server.url}/docs/search.json`)).json()) as { url: string }[];
  assert.ok(found.length > 80);
  for (const { url } of found) assert.ok(seen.has(`${server.url}/docs/${url.replace(/#.*$/, '')}`), url);
});

test('the documentation in a browser', { skip: withoutBrowser }, async (t) => {
  const browser = await startBrowser(t);
  const server = await startServer();
  t.after(() => server.stop());

  await t.test('is searched by keyboard', async () => {
    const { page, problems } = await openPage(browser, `${server.url}/docs/`);
    await page.keyboard.press('/');
    await page.keyboard.type('grant');
    const field = page.getByRole('combobox', { name: 'Search the documentation' });
    const first = page.getByRole('option').first();
    await first.waitFor();
    assert.equal(await field.getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('ArrowDown');
    assert.equal(await first.getAttribute('aria-selected'), 'true');
    assert.equal(await field.getAttribute('aria-activedescendant'), await first.getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/guide/rights.html**');
    assert.equal(await page.locator('[aria-current="page"]').textContent(), 'Rights');
    await page.getByRole('combobox').fill('zzzzqqq');
    await page.getByText('Nothing was found').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByText('Nothing was found').isVisible(), false);
    assert.deepEqual(problems, []);
  });

  await t.test('fits a phone, its contents folded', async () => {
    const { page, problems } = await openPage(browser, `${server.url}/docs/settings.html`, {
      width: 390,
      touch: true,
    });
    await assertFits(page);
    const cut = await page
      .locator('main td')
      .evaluateAll((all) => all.filter((cell) => cell.getBoundingClientRect().right > 390).length);
    assert.equal(cut, 0, 'texts of tables are not cut');
    const link = page.getByRole('link', { name: 'Styles', exact: true });
    assert.equal(await link.isVisible(), false);
    await page.getByText('Contents', { exact: true }).click();
    await link.click();
    await page.waitForURL('**/docs/guide/styles.html');
    const button = await page.getByRole('button', { name: 'Copy' }).first().boundingBox();
    const code = await page.locator('.code code').first().boundingBox();
    assert.ok(button!.y + button!.height <= code!.y, 'the button covers no code');
    assert.deepEqual(problems, []);
  });

  await t.test('is where errors lead to', async () => {
    const { page } = await openPage(browser, `${server.url}/maps/../nothing/here/`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    assert.equal(
      await page.evaluate('getComputedStyle(document.querySelector("main")).borderRadius'),
      '14px',
    );
    await page.getByRole('link', { name: 'Documentation' }).click();
    await page.waitForURL(`${server.url}/docs/index.html`);
  });
});
