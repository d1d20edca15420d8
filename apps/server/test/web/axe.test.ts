import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { startServer } from '../support/server.js';
import { makeAtlas } from './atlas.js';
import { findingsOf } from './axe.js';
import { assertFits, type BrowserProfile, openPage } from './browser.js';
import { centerOf, clickMap, drawn, north, panel } from './mapPage.js';
import { pageTest, phone, useSite } from './site.js';

const readers: [string, BrowserProfile][] = [
  ['on a desktop', {}],
  ['on a phone, dark', { ...phone, dark: true }],
];

const site = useSite(async (server) => {
  await makeAtlas(server);
  await server.admin('POST', '/', { code: 'closed', name: 'Closed', has_publication: false });
  await server.admin('PATCH', '/closed/', { has_publication: false });
  await server.admin('POST', '/users/', { login: 'ann', name: 'Ann', password: 'ann-battery-horse' });
});

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Login').fill('ann');
  await page.getByLabel('Password').fill('ann-battery-horse');
  await page.keyboard.press('Enter');
}

type View = [name: string, path: string, prepare?: (page: Page) => Promise<unknown>];

/** Every page in the states that look different: an address and what a reader does there. */
const views: View[] = [
  ['list', '/', (page) => page.getByRole('link', { name: /Atlas/ }).waitFor()],
  [
    'sign-in',
    '/',
    async (page) => {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  ['map', `/maps/demo/atlas/${north}`, drawn],
  [
    'search',
    `/maps/demo/atlas/${north}`,
    async (page) => {
      await drawn(page);
      await page.getByRole('combobox').fill('south');
      await page.getByRole('option').first().waitFor();
      assert.equal(await page.getByRole('combobox').getAttribute('aria-expanded'), 'true');
    },
  ],
  [
    'menu',
    '/',
    async (page) => {
      await page.getByTestId('language').click();
      await page.getByRole('menuitemradio').first().waitFor();
    },
  ],
  [
    'object',
    `/maps/demo/atlas/${north}`,
    async (page) => {
      await drawn(page);
      await clickMap(page, await centerOf(page));
      await panel(page).getByText('1 of 3').waitFor();
    },
  ],
  ['closed', '/maps/demo/closed/', (page) => page.getByLabel('Password').waitFor()],
  [
    'not allowed',
    '/maps/demo/closed/',
    async (page) => {
      await signIn(page);
      await page.getByRole('heading', { name: 'You may not see this map' }).waitFor();
      await page.getByRole('button', { name: 'Signed in: Ann' }).click();
      await page.getByRole('menuitem', { name: 'Sign out Ann' }).waitFor();
    },
  ],
  [
    'docs search',
    '/docs/',
    async (page) => {
      await page.getByRole('combobox').fill('rights');
      await page.getByRole('option').first().waitFor();
    },
  ],
  ['no map', '/maps/demo/nothing/', (page) => page.getByRole('heading').waitFor()],
  ['error', '/nothing/here/', (page) => page.getByRole('heading').waitFor()],
  ['docs', '/docs/guide/styles.html'],
  ['ogc', '/ogc/demo/atlas?f=html'],
  [
    'collection',
    '/ogc/demo/atlas/collections/towns?f=html',
    async (page) => {
      // The tab key reaches each address, and selects it to be copied.
      await page.getByRole('link', { name: 'The whole map' }).focus();
      const selected =
        '(({ value, selectionStart, selectionEnd }) => value?.slice(selectionStart, selectionEnd))(document.activeElement)';
      for (let i = 0; i < 20 && !(await page.evaluate(selected)); i++) await page.keyboard.press('Tab');
      assert.match(await page.evaluate(selected), /^http:[^ ]*\/ogc\/demo\/atlas$/);
    },
  ],
  ['features', '/ogc/demo/atlas/collections/towns/items?f=html'],
  ['docs error', '/docs/nothing.html', (page) => page.getByRole('heading').first().waitFor()],
  ['api', '/api/2.8/docs/', (page) => page.getByRole('heading').first().waitFor()],
];

for (const [reader, profile] of readers)
  for (const [name, path, prepare] of views)
    pageTest(`axe finds nothing: ${name} ${reader}`, async () => {
      const { page } = await site.open(path, profile);
      await prepare?.(page);
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: `${folder}/${name} ${reader}.png`.replaceAll(' ', '-') });
      assert.deepEqual(await findingsOf(page), []);
      await assertFits(page);
      await site.close(page);
    });

pageTest('axe finds nothing on the list without maps', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  for (const [, profile] of readers) {
    const { page } = await openPage(site.browser, `${server.url}/`, profile);
    await page.getByRole('heading', { name: 'No map is published yet' }).waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await page.context().close();
  }
});
