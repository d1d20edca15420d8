import assert from 'node:assert/strict';
import test from 'node:test';
import type { Route } from 'playwright-core';
import { startServer } from '../support/server.js';
import { hostile, makeAtlas } from './atlas.js';
import { isHacked, openPage, startBrowser, withoutBrowser } from './browser.js';
import { coloursIn, drawn, isTile } from './mapPage.js';

test('the page of a map when something is wrong', { skip: withoutBrowser }, async (t) => {
  const browser = await startBrowser(t); // ends before the server, whose connections it keeps
  const server = await startServer();
  t.after(() => server.stop());
  await makeAtlas(server);
  const openWith = (onTile: (route: Route) => Promise<void>) =>
    openPage(browser, `${server.url}/maps/demo/atlas/`, {
      onPage: (page) => page.route('**/tms/**', onTile),
    });

  await t.test('waits for a busy service, and says so', async () => {
    let refused = 0;
    const { page } = await openWith(async (route) => {
      if (refused >= 3) return route.continue();
      refused++;
      await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: '' });
    });
    await page.getByText('The service is busy. Trying again…').waitFor();
    await page.getByText('The service is busy. Trying again…').waitFor({ state: 'detached' });
    await drawn(page);
    assert.equal(refused, 3);
    assert.ok(coloursIn(await page.getByTestId('map').screenshot()) >= 5);
  });

  await t.test('offers to draw again what failed', async () => {
    const { page } = await openWith((route) => route.fulfill({ status: 500, body: '' }));
    await page.getByText('A part of the map could not be drawn').waitFor();
    await page.unroute('**/tms/**');
    const [tile] = await Promise.all([
      page.waitForResponse(isTile),
      page.getByRole('button', { name: 'Try again' }).click(),
    ]);
    assert.equal(tile.status(), 200);
    await page.getByText('A part of the map could not be drawn').waitFor({ state: 'detached' });
  });

  await server.admin('POST', '/', { code: 'closed', name: 'Closed' });
  await server.admin('PATCH', '/closed/', { publish: false });
  await server.admin('POST', '/', { code: 'evil', name: hostile });
  await server.admin('PATCH', '/evil/', { json: { attribution: hostile } });
  await server.admin('POST', '/evil/folders/', { code: 'folder', name: hostile });
  await server.admin('POST', '/evil/layers/', { code: 'layer', name: `"><svg onload="window.hacked=1">` });

  for (const [path, title] of [
    ['closed', 'Sign in to see this map'],
    ['nowhere', 'There is no map at this address'],
  ] as const) {
    await t.test(title, async () => {
      const { page } = await openPage(browser, `${server.url}/maps/demo/${path}/`);
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByRole('link', { name: 'All maps' }).click();
      await page.getByRole('heading', { name: 'Published maps' }).waitFor();
    });
  }

  await t.test('hostile names are shown as they are', async () => {
    const { page, problems } = await openPage(browser, `${server.url}/maps/demo/evil/`);
    await page.getByRole('heading', { name: hostile }).waitFor();
    await page.getByRole('treeitem').first().waitFor();
    assert.equal(await page.getByText(hostile).count(), 3);
    await page.waitForLoadState('networkidle');
    assert.equal(await isHacked(page), false);
    assert.deepEqual(problems, []);
  });
});
