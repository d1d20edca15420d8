import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import type { OpenPage } from '../browser.js';
import { pageTest, useSite } from '../site.js';
import { finish, makeUser, openAs, shot } from './people.js';

const towns = '#towns {\n  marker-width: 14;\n  [name = "Southport"] {\n    marker-fill: #ff0000;\n  }\n}';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
  await server.admin('PATCH', '/atlas/layers/towns/', { css_style: towns });
});

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'CartoCSS' });

/** Opens the style of a layer, and waits until the map is drawn. */
async function openStyle(item: string): Promise<OpenPage> {
  const opened = await openAs(site, 'ann', `/console/demo/atlas/?item=${item}&tab=style#4/30/5`);
  await editorOf(opened.page).waitFor();
  await opened.page.locator('[aria-busy="false"] [data-testid="map"]').waitFor();
  return opened;
}

/** Clicks the middle of the map, which the address has put there. */
async function clickMiddle(page: Page): Promise<void> {
  const box = (await page.getByTestId('map').boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

pageTest('a click on the map finds layer and rule, and puts the cursor there', async () => {
  const opened = await openStyle('lands');
  const { page } = opened;
  await clickMiddle(page);
  await page.getByRole('treeitem', { name: 'Towns' }).and(page.locator('[aria-selected="true"]')).waitFor();
  await page.locator('.cm-activeLine', { hasText: '[name = "Southport"]' }).waitFor();
  assert.match(page.url(), /item=towns/);
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'pointing');
  await finish(site, opened);
});

pageTest('the class of a visualization is marked; where nothing is drawn it is said', async () => {
  await site.server.admin('PATCH', '/atlas/layers/towns/', {
    visualSettings: { type: 2, columnCode: 'name' },
  });
  const opened = await openStyle('lands');
  const { page } = opened;
  await clickMiddle(page);
  const current = page.getByRole('region', { name: 'Legend' }).locator('li[aria-current="true"]');
  await current.getByText('Southport', { exact: true }).first().waitFor();
  const box = (await page.getByTestId('map').boundingBox())!;
  await page.mouse.click(box.x + 20, box.y + 20);
  await page.getByText('Nothing that is shown is drawn there.').waitFor();
  await site.server.admin('PATCH', '/atlas/layers/towns/', { visualSettings: null });
  await finish(site, opened);
});

pageTest('a style is copied to another layer as a draft', async () => {
  const opened = await openStyle('lands');
  const { page } = opened;
  await page.getByText('Copy this style to another layer').click();
  await page.getByLabel('Layer that gets it').selectOption({ label: 'Towns' });
  assert.deepEqual(await findingsOf(page), []);
  await page.getByRole('button', { name: 'Copy as a draft' }).click();
  await page.getByRole('treeitem', { name: 'Towns' }).and(page.locator('[aria-selected="true"]')).waitFor();
  await editorOf(page).getByText('#towns').waitFor();
  await editorOf(page).getByText('polygon-fill').waitFor();
  const { css_style } = await site.server.admin('GET', '/atlas/layers/towns/');
  assert.equal(css_style, towns, 'the saved style stays');
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await finish(site, opened);
});
