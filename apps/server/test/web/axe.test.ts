import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '../support/server.js';
import { makeAtlas } from './atlas.js';
import { findingsOf } from './axe.js';
import { type BrowserProfile, openPage, startBrowser, withoutBrowser } from './browser.js';
import { centerOf, clickMap, drawn, north, panel } from './mapPage.js';

const readers: [string, BrowserProfile][] = [
  ['on a desktop', { density: 1 }],
  ['on a phone, dark', { width: 390, height: 844, touch: true, dark: true, density: 1 }],
];

test('axe finds nothing on any page', { skip: withoutBrowser }, async (t) => {
  const browser = await startBrowser(t); // ends before the server, whose connections it keeps
  const server = await startServer();
  t.after(() => server.stop());
  for (const [reader, how] of readers)
    await t.test(`first steps ${reader}`, async () => {
      const { page } = await openPage(browser, `${server.url}/`, how);
      await page.getByRole('heading', { name: 'No map is published yet' }).waitFor();
      assert.deepEqual(await findingsOf(page), []);
      await page.context().close();
    });

  await makeAtlas(server);
  await server.admin('POST', '/', { code: 'closed', name: 'Closed', has_publication: false });
  await server.admin('PATCH', '/closed/', { has_publication: false });
  await server.admin('POST', '/users/', { login: 'ann', name: 'Ann', password: 'ann-battery-horse' });
  const signIn = async (page: Page): Promise<void> => {
    await page.getByLabel('Login').fill('ann');
    await page.getByLabel('Password').fill('ann-battery-horse');
    await page.keyboard.press('Enter');
  };

  for (const [reader, how] of readers) {
    const folder = process.env.SCREENSHOTS;
    const check = async (name: string, path: string, prepare?: (page: Page) => Promise<unknown>) => {
      await t.test(`${name} ${reader}`, async () => {
        const { page } = await openPage(browser, server.url + path, how);
        await prepare?.(page);
        if (folder) await page.screenshot({ path: `${folder}/${name} ${reader}.png`.replaceAll(' ', '-') });
        assert.deepEqual(await findingsOf(page), []);
        const width = how.width ?? 1280;
        assert.equal(await page.evaluate(`document.documentElement.scrollWidth <= ${width}`), true);
        await page.context().close();
      });
    };
    await check('list', '/', (page) => page.getByRole('link', { name: /Atlas/ }).waitFor());
    await check('sign-in', '/', async (page) => {
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('dialog').waitFor();
    });
    await check('map', `/maps/demo/atlas/${north}`, drawn);
    await check('search', `/maps/demo/atlas/${north}`, async (page) => {
      await drawn(page);
      await page.getByRole('combobox').fill('south');
      await page.getByRole('option').first().waitFor();
      assert.equal(await page.getByRole('combobox').getAttribute('aria-expanded'), 'true');
    });
    await check('menu', '/', async (page) => {
      await page.getByTestId('language').click();
      await page.getByRole('menuitemradio').first().waitFor();
    });
    await check('object', `/maps/demo/atlas/${north}`, async (page) => {
      await drawn(page);
      await clickMap(page, await centerOf(page));
      await panel(page).getByText('1 of 3').waitFor();
    });
    await check('closed', '/maps/demo/closed/', (page) => page.getByLabel('Password').waitFor());
    await check('not allowed', '/maps/demo/closed/', async (page) => {
      await signIn(page);
      await page.getByRole('heading', { name: 'You may not see this map' }).waitFor();
      await page.getByRole('button', { name: 'Signed in: Ann' }).click();
      await page.getByRole('menuitem', { name: 'Sign out Ann' }).waitFor();
    });
    await check('docs search', '/docs/', async (page) => {
      await page.getByRole('combobox').fill('rights');
      await page.getByRole('option').first().waitFor();
    });
    await check('no map', '/maps/demo/nothing/', (page) => page.getByRole('heading').waitFor());
    await check('error', '/nothing/here/', (page) => page.getByRole('heading').waitFor());
    await check('docs', '/docs/guide/styles.html');
    await check('docs error', '/docs/nothing.html', (page) => page.getByRole('heading').first().waitFor());
    await check('api', '/api/2.8/docs/', (page) => page.getByRole('heading').first().waitFor());
  }
});
