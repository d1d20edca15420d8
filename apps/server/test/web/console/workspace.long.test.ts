import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { pageTest, useSite } from '../site.js';
import { finish, makeUser, openAs, shot } from './people.js';

const row = (page: Page, name: string) => page.getByRole('treeitem', { name });
const news = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
});

/** What tells of the changes of others. */
const othersBar = (page: Page, what: string) =>
  page.getByRole('status').getByText(`Somebody else has changed ${what}.`, { exact: true });

/** Comes back to the page, which then looks for changes. */
async function comeBack(page: Page): Promise<void> {
  // The answer of a request that was sent before may be older than what is looked for.
  const request = page.waitForRequest((one) => one.url().includes('/versions/'));
  await page.evaluate('dispatchEvent(new Event("focus"))');
  await (await request).response();
}

async function showChanges(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show the changes' }).press('Enter');
  await page.getByRole('button', { name: 'Show the changes' }).waitFor({ state: 'detached' });
}

const patchLands = (body: object) => site.server.admin('PATCH', '/atlas/layers/lands/?lng=en', body);

pageTest('what others change of layers and styles is shown on request; what is entered stays', async () => {
  const { server } = site;
  const opened = await openAs(site, 'ann', '/console/demo/atlas/?item=lands');
  const { page } = opened;
  const { name } = await server.admin('GET', '/atlas/layers/lands/?lng=en');
  const { css_style: css } = await server.admin('GET', '/atlas/layers/lands/');
  await page.waitForResponse((one) => one.url().includes('/versions/'));
  await page.getByLabel('Title').fill('Mine');
  await server.admin('POST', '/atlas/folders/', { code: 'woods', name: 'Woods' });
  await patchLands({ css_style: '#lands { polygon-fill: #111111; }' });
  await comeBack(page);
  await othersBar(page, 'the list of layers and the layer or its style').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'others');
  await showChanges(page);
  await row(page, 'Woods').waitFor();
  assert.equal(await page.getByLabel('Title').inputValue(), 'Mine');
  await page.getByLabel('Title').press('Enter');
  await news(page, 'Saved: Mine');
  assert.match((await server.admin('GET', '/atlas/layers/lands/')).css_style, /#111111/);

  await page.getByRole('tab', { name: 'Style' }).click();
  const editor = page.getByRole('textbox', { name: 'CartoCSS' });
  await editor.getByText('#111111').waitFor();
  await patchLands({ css_style: '#lands { polygon-fill: #222222; }' });
  await comeBack(page);
  await othersBar(page, 'the layer or its style').waitFor();
  await showChanges(page);
  await editor.getByText('#222222').waitFor();
  await editor.press('Control+a');
  await page.keyboard.insertText('#lands { polygon-fill: #333333; }');
  await patchLands({ css_style: '#lands { polygon-fill: #444444; }' });
  await comeBack(page);
  await othersBar(page, 'the layer or its style').waitFor();
  await showChanges(page);
  const dialog = page.getByRole('dialog', { name: 'Somebody else has saved this meanwhile' });
  await dialog.getByText('#444444').waitFor();
  await page.keyboard.press('Escape');
  await editor.getByText('#333333').waitFor();
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await patchLands({ name, css_style: css });
  await server.admin('DELETE', '/atlas/folders/woods/');
  await finish(site, opened);
});

pageTest('rows that others change are told, and own ones are not; what is typed is not lost', async () => {
  const opened = await openAs(site, 'ann', '/console/demo/atlas/?item=lands&table=1');
  const { page } = opened;
  const cell = (at: number, column: number) =>
    page.locator(`[role=grid] [data-row="${at}"][data-column="${column}"]`);
  await cell(0, 3).getByText(/./).waitFor();
  await cell(0, 3).click();
  await comeBack(page);
  await page.keyboard.type('4711');
  await page.keyboard.press('Enter');
  await cell(0, 3).getByText('4711').waitFor();
  // A row that is read anew after its change is shown as it is then.
  await cell(0, 3).locator('[aria-busy]').waitFor({ state: 'detached' });
  await page.keyboard.type('12');
  // The layer has another version: the table looks whether its rows are still those that are stored. It need not where it
  // has learnt the version after the write alone.
  const compared = page
    .waitForResponse((one) => one.url().includes('/layers/lands/objects/'), { timeout: 5_000 })
    .catch(() => undefined);
  await comeBack(page);
  await (await compared)?.finished();
  assert.equal(await page.getByRole('button', { name: 'Show the changes' }).count(), 0, 'own changes');
  await site.server.admin('PUT', '/atlas/layers/lands/objects/1/?lng=en', { fields: { population: 99 } });
  await comeBack(page);
  await othersBar(page, 'the objects of the layer').waitFor();
  await shot(page, 'others-rows');
  await showChanges(page);
  await cell(0, 3).getByText('99', { exact: true }).waitFor();
  await cell(1, 3).getByText('12', { exact: true }).waitFor();
  await finish(site, opened);
});

pageTest(
  'what was entered stays while a part cannot be loaded, in another tab, and after the page',
  async () => {
    // In a profile of its own no script has been loaded before.
    const { page } = await openAs(site, 'ann', '/console/demo/atlas/', { width: 1290 });
    await row(page, 'Towns').click();
    await page.getByLabel('Title').fill('Cities');
    await page.route('**/assets/**', (route) => route.abort());
    for (const open of [
      () => page.getByRole('button', { name: 'Share', exact: true }).click(),
      () => page.keyboard.press('Control+k'),
    ]) {
      await open();
      const dialog = page.getByRole('dialog', { name: 'This part of the page could not be loaded' });
      await dialog.getByRole('alert').getByText('Check the connection').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    assert.equal(await page.getByLabel('Title').inputValue(), 'Cities');
    await page.getByRole('tab', { name: 'Columns' }).click();
    await page.getByRole('tab', { name: 'Layer' }).click();
    assert.equal(await page.getByLabel('Title').inputValue(), 'Cities');
    await page.unroute('**/assets/**');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('dialog', { name: /^Share/ }).waitFor();
    await page.reload();
    await page.getByLabel('Title').and(page.locator('[value=Cities]')).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await page.getByLabel('Title').and(page.locator('[value=Towns]')).waitFor();
    await site.close(page);
  },
);

pageTest(
  'details that could not be read are told, and are read again; a long title leaves room',
  async () => {
    const title = 'A long title '.repeat(30).trim();
    await site.server.admin('POST', '/', { code: 'long', name: title });
    await site.server.admin('POST', '/long/layers/', { code: 'one', type: 'layer' });
    let isCut = true;
    const { page, problems } = await openAs(site, 'admin', '/console/demo/long/?item=one', {
      onPage: (one) =>
        one.route(/long\/layers\/one\/(\?.*)?$/, (route) => (isCut ? route.abort() : route.continue())),
    });
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByRole('alert').getByText('The service cannot be reached').waitFor();
    assert.deepEqual(await findingsOf(page), []);
    const headings = await page.getByRole('heading', { name: title }).all();
    assert.ok(headings.length);
    for (const heading of headings)
      assert.ok((await heading.boundingBox())!.height < 120, 'a title takes few lines');
    isCut = false;
    await details.getByRole('button', { name: 'Try again' }).click();
    await details.getByLabel('Title').waitFor();
    await site.server.admin('DELETE', '/long/');
    await finish(site, { page, problems: problems.filter((one) => !/ERR_FAILED/.test(one)) });
  },
);

pageTest('memory stays flat while the map is moved, and layers are opened and closed', async () => {
  const opened = await openAs(site, 'ann', '/console/demo/atlas/#9/50/10');
  const { page } = opened;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  let tiles = 0;
  page.on('response', (response) => response.url().includes('/tms/') && tiles++);
  const map = page.getByRole('region', { name: 'Map', exact: true });
  const drawn = () => map.and(page.locator('[aria-busy="false"]')).waitFor();
  await drawn();
  const { x, y, width, height } = (await map.boundingBox())!;
  const work = async (openings: number, moves: number): Promise<void> => {
    for (let i = 0; i < openings; i++) {
      const name = i % 2 ? 'Towns' : 'Lands';
      await row(page, name).click();
      await page.getByRole('heading', { level: 2, name }).waitFor();
    }
    for (let i = 0; i < moves; i++) {
      await page.mouse.move(x + width * 0.9, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + width * 0.1, y + height / 2, { steps: 2 });
      await page.mouse.up();
      await drawn();
    }
  };
  const used = async (): Promise<Record<string, number>> => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  };
  await work(10, 6);
  const before = await used();
  tiles = 0;
  await work(50, 28);
  assert.ok(tiles >= 200, `${tiles} tiles`);
  const after = await used();
  const grown = (name: string): number => after[name]! - before[name]!;
  assert.ok(grown('JSHeapUsedSize') < 3 * 1024 ** 2, `${grown('JSHeapUsedSize')} bytes more`);
  assert.ok(grown('Nodes') < 500, `${grown('Nodes')} nodes more`);
  assert.ok(grown('JSEventListeners') < 100, `${grown('JSEventListeners')} listeners more`);
  await finish(site, opened);
});
