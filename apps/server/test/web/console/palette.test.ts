import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { hostile, makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits, isHacked } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { finish, makeUser, openAs, shot } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await server.admin('POST', '/', { code: 'harbour', name: hostile });
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer', '/harbour/rights/': 'view' });
  await makeUser(server, 'eve', { '/atlas/rights/': 'view' });
});

const palette = (page: Page) => page.getByRole('dialog', { name: 'Find and do' });
const option = (page: Page, name: string) => palette(page).getByRole('option', { name });

/** Types into the palette, which the keys have opened. */
async function find(page: Page, phrase: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await palette(page).getByRole('combobox').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(phrase);
}

pageTest('maps, layers and actions are found by name, by keyboard alone', async () => {
  const { page, problems } = await openAs(site, 'ann', '/console/demo/');
  await page.getByRole('heading', { name: 'Maps of demo' }).waitFor();
  await find(page, 'img');
  await option(page, hostile).waitFor();
  assert.equal(await isHacked(page), false);
  assert.deepEqual(await findingsOf(page), []);
  await page.keyboard.press('Escape');
  await palette(page).waitFor({ state: 'detached' });
  await find(page, 'atl');
  await option(page, 'Atlas').and(page.locator('[data-combobox-selected]')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Atlas' }).waitFor();
  await page.getByRole('treeitem', { name: 'Towns' }).waitFor();
  await find(page, 'land');
  await option(page, 'Lands').waitFor();
  await shot(page, 'palette');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 2, name: 'Lands' }).waitFor();
  await find(page, 'add fol');
  await option(page, 'Add: Folder').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'New folder' }).waitFor();
  await page.keyboard.press('Escape');
  await find(page, 'there is no such thing');
  await palette(page).getByText('Nothing here has this name').waitFor();
  await finish(site, { page, problems });
});

pageTest('the palette that is opened in the moment in which it is closed stays open', async () => {
  const { page, problems } = await openAs(site, 'ann', '/console/demo/');
  await page.getByRole('heading', { name: 'Maps of demo' }).waitFor();
  await find(page, 'img');
  for (let times = 0; times < 5; times++) {
    await Promise.all([page.keyboard.press('Escape'), page.keyboard.press('Control+k')]);
    await palette(page).getByRole('combobox').and(page.locator('[value=""]:focus')).waitFor();
    await page.keyboard.type('img');
  }
  await finish(site, { page, problems });
});

pageTest('what rights do not allow is not offered; a question mark shows the keys', async () => {
  const { page, problems } = await openAs(site, 'eve', '/console/demo/atlas/', {
    languages: ['ru'],
    ...phone,
  });
  await page.getByTestId('map').waitFor();
  await page.getByRole('button', { name: 'Найти и сделать' }).click();
  const found = page.getByRole('dialog', { name: 'Найти и сделать' });
  await found.getByRole('option', { name: 'Показать всю карту' }).waitFor();
  assert.equal(await found.getByRole('option', { name: /^Добавить/ }).count(), 0);
  await found.locator('[role=combobox][aria-controls=palette][aria-expanded=true]').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await found.getByRole('combobox').press('?');
  assert.equal(await found.getByRole('combobox').inputValue(), '?', 'a field takes the question mark');
  await page.keyboard.press('Escape');
  await found.waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Клавиши' }).getByText('переименовать').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await assertFits(page);
  await shot(page, 'keys-phone');
  await finish(site, { page, problems });
});
