import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits, type BrowserProfile, type OpenPage, pressItem } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { finish, makeUser, openAs, shot, workOf } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  for (const login of ['ann', 'bob']) await makeUser(server, login, { '/atlas/rights/': 'administer' });
});

/** Opens the workspace of the map `atlas`, or of its layer `item`. */
async function openWorkspace(item = '', profile: BrowserProfile = {}, login = 'ann'): Promise<OpenPage> {
  const opened = await openAs(
    site,
    login,
    `/console/demo/atlas/${item && `?item=${item}&tab=query`}`,
    profile,
  );
  return opened;
}

const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL' });
const dialog = (page: Page) => page.getByRole('dialog', { name: 'New query' });
const news = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

/** Replaces the text in the editor. */
async function write(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

const join = `select t.svc_id, t.geom, t.name as town, l.name as land, l.population
from atlas.towns t join atlas.lands l on st_intersects(l.geom, t.geom)`;

pageTest('a stored query joins two layers, is refreshed, and is seen without a session', async (t) => {
  const opened = await openWorkspace('');
  const { page } = opened;
  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await pressItem(page, 'Query');
  await dialog(page).getByLabel('Title').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Towns with lands');
  await dialog(page).getByRole('radio', { name: 'When you refresh it: the result is stored' }).check();
  await editor(page).waitFor();
  await write(page, join.replace('l.population', 'l.people'));
  await dialog(page).getByRole('button', { name: 'Run and add' }).click();
  await dialog(page).getByText('Line 1, column 58').waitFor();
  await dialog(page).locator('.cm-lintRange-error').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'query-mistake');
  await write(page, join);
  await dialog(page).getByRole('button', { name: 'Preview' }).click();
  const tried = dialog(page).getByRole('region', { name: 'Preview: first rows, nothing is stored' });
  await tried.getByRole('cell', { name: 'Southport' }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'query-preview');
  await page.reload();
  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await pressItem(page, 'Query');
  assert.equal(await dialog(page).getByLabel('Title').inputValue(), 'Towns with lands');
  await editor(page).getByText('st_intersects').first().waitFor();
  await dialog(page).getByRole('button', { name: 'Run and add' }).click();
  await news(page, 'Towns with lands has been added');

  await page.getByRole('tab', { name: 'Query' }).click();
  const rows = page.getByRole('region', { name: 'First rows' });
  await rows.getByRole('cell', { name: 'North' }).first().waitFor();
  await page.getByText(', 3 rows').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'query');
  await site.server.admin('PUT', '/atlas/layers/towns/objects/1/?lng=en', { fields: { name: 'Newton' } });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await news(page, 'Towns with lands has been refreshed');
  await page.getByText(/It took \d/).waitFor();
  await rows.getByRole('cell', { name: 'Newton' }).waitFor();

  const published = await site.server.request('GET', '/atlas/layers/towns_with_lands/objects/?fields=*');
  const towns = (published.json as { fields: { town: string; land: string } }[]).map(
    ({ fields: { town, land } }) => `${town} in ${land}`,
  );
  assert.deepEqual(towns.sort(), ['Middleton Station in North', 'Newton in North', 'Southport in South']);
  t.diagnostic(await workOf(page));
  await finish(site, opened);
});

pageTest(
  'layers and columns are suggested; another version of the query is not overwritten unseen',
  async () => {
    const query = 'select svc_id, geom from atlas.towns';
    await site.server.admin('POST', '/atlas/layers/', { code: 'shown', type: 'virtual', json: { query } });
    const opened = await openWorkspace('shown');
    const { page } = opened;
    await editor(page).waitFor();
    await write(page, 'select l. from atlas.lands l');
    await page.keyboard.press('Home');
    for (let i = 0; i < 'select l.'.length; i++) await page.keyboard.press('ArrowRight');
    // The columns of a layer that is written are read first: until then nothing is suggested.
    const suggested = page.getByRole('option', { name: 'population' });
    for (let tries = 0; !(await suggested.isVisible()) && tries < 60; tries++) {
      await page.keyboard.press('Control+Space');
      await suggested.waitFor({ timeout: 1_000 }).catch(() => {});
    }
    await suggested.waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' o');
    await page.getByRole('option', { name: 'order', exact: true }).waitFor();
    const words = await page.getByRole('option').allTextContents();
    assert.ok(words.indexOf('order') < 5 && !words.includes('owner'), `the usual words come first: ${words}`);
    await page.keyboard.press('Escape');
    // The service answers when the user has stopped the query: never.
    await page.route('**/atlas/query/', () => {});
    const left = page.waitForEvent('requestfailed', (one) => one.url().endsWith('/atlas/query/'));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The query has been stopped').waitFor();
    await left;
    const [mine, theirs] = [`${query} where svc_id < 3`, `${query} where svc_id < 2`];
    await write(page, mine);
    await page.reload();
    await editor(page).getByText('where svc_id < 3').waitFor();
    await site.server.admin('PATCH', '/atlas/layers/shown/', { json: { query: theirs } });
    await page.getByRole('button', { name: 'Run and save' }).click();
    const conflict = page.getByRole('dialog', { name: 'Somebody else has saved this meanwhile' });
    await conflict.getByText(theirs).waitFor();
    await conflict.getByRole('button', { name: 'Save this choice' }).click();
    await news(page, 'Saved: shown');
    assert.equal((await site.server.admin('GET', '/atlas/layers/shown/')).json.query, mine);
    await finish(site, opened);
  },
);

pageTest('only the owner refreshes; on a phone, in Russian, axe finds nothing', async () => {
  const query = 'select svc_id, geom, name from atlas.towns';
  await site.server.admin('POST', '/atlas/layers/', { code: 'copy', type: 'material', json: { query } });
  const bob = await openWorkspace('copy', {}, 'bob');
  await bob.page.getByRole('button', { name: 'Refresh' }).click();
  await bob.page.getByText('Only the user who made this layer can refresh it').waitFor();
  await finish(site, bob);
  const profile = { ...phone, dark: true, languages: ['ru'] };
  const opened = await openWorkspace('copy', profile, 'admin');
  const { page } = opened;
  await page.getByRole('button', { name: 'Свойства', exact: true }).click();
  await page.getByRole('region', { name: 'Первые строки' }).waitFor();
  await editor(page).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await assertFits(page);
  await shot(page, 'query-phone');
  const problem = page.getByRole('alert').filter({ hasText: /\p{L}/u });
  for (const [wrong, russian] of [
    ['select svc_id, nmae from atlas.towns', 'столбца «nmae» нет'],
    ['select name from atlas.towns', 'в результате нет столбца svc_id'],
    [' ', 'Запрос пуст'],
  ] as const) {
    await write(page, wrong);
    await page.getByRole('button', { name: 'Предпросмотр' }).click();
    await problem.getByText(russian).waitFor();
  }
  await shot(page, 'query-phone-mistake');
  await finish(site, opened);
});
