import assert from 'node:assert/strict';
import type { Route } from 'playwright-core';
import { hostile, makeAtlas } from './atlas.js';
import { isHacked } from './browser.js';
import { coloursIn, drawn, isTile } from './mapPage.js';
import { pageTest, useSite } from './site.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await server.admin('POST', '/', { code: 'closed', name: 'Closed' });
  await server.admin('PATCH', '/closed/', { publish: false });
  await server.admin('POST', '/', { code: 'evil', name: hostile });
  await server.admin('PATCH', '/evil/', { json: { attribution: hostile } });
  await server.admin('POST', '/evil/folders/', { code: 'folder', name: hostile });
  await server.admin('POST', '/evil/layers/', { code: 'layer', name: `"><svg onload="window.hacked=1">` });
});
const openWith = (onTile: (route: Route) => Promise<void>) =>
  site.open('/maps/demo/atlas/', { onPage: (page) => page.route('**/tms/**', onTile) });

pageTest('the map waits for a busy service, and says so', async () => {
  let refused = 0;
  const { page } = await openWith(async (route) => {
    if (refused >= 3) return route.continue();
    refused++;
    await route.fulfill({ status: 503, headers: { 'retry-after': '1' }, body: '' });
  });
  await page.getByText('The service does not answer yet. Trying again…').waitFor();
  await page.getByText('The service does not answer yet. Trying again…').waitFor({ state: 'detached' });
  await drawn(page);
  assert.equal(refused, 3);
  assert.ok(coloursIn(await page.getByTestId('map').screenshot()) >= 5);
});

pageTest('the map offers to draw again what failed', async () => {
  const { page } = await openWith((route) => route.fulfill({ status: 500, body: '' }));
  await page.getByText('A part of the map could not be drawn').waitFor();
  await page.unroute('**/tms/**');
  await Promise.all([
    // An answer of the first attempt may still come.
    page.waitForResponse((answer) => isTile(answer) && answer.status() === 200),
    page.getByRole('button', { name: 'Try again' }).click(),
  ]);
  await page.getByText('A part of the map could not be drawn').waitFor({ state: 'detached' });
});

for (const [path, title] of [
  ['closed', 'Sign in to see this map'],
  ['nowhere', 'There is no map at this address'],
] as const) {
  pageTest(title, async () => {
    const { page } = await site.open(`/maps/demo/${path}/`);
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('link', { name: 'All maps' }).click();
    await page.getByRole('heading', { name: 'Published maps' }).waitFor();
  });
}

pageTest('where a layer has not answered, the page does not say that nothing is there', async () => {
  const { page } = await site.open('/maps/demo/atlas/');
  await drawn(page);
  await page.route('**/api/**', (route) => route.fulfill({ status: 500, body: '' }));
  await page.getByTestId('map').locator('canvas').click();
  await page.getByTestId('object').getByText('No answer for:').waitFor();
  assert.equal(await page.getByText('There is no object here').count(), 0);
});

pageTest('hostile names are shown as they are', async () => {
  const { page, problems } = await site.open('/maps/demo/evil/');
  await page.getByRole('heading', { name: hostile }).waitFor();
  await page.getByRole('treeitem').first().waitFor();
  assert.equal(await page.getByText(hostile).count(), 3);
  await page.waitForLoadState('networkidle');
  assert.equal(await isHacked(page), false);
  assert.deepEqual(problems, []);
});
