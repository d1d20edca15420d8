import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '../support/server.js';
import { makeAtlas } from './atlas.js';
import { openPage, type Reader, startBrowser, withoutBrowser } from './browser.js';
import { drawn, north, panel } from './mapPage.js';

test('the page of a map on a phone', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const browser = await startBrowser(t);
  await makeAtlas(server);
  const open = async (place = '', reader?: Reader) => {
    const opened = await openPage(browser, `${server.url}/maps/demo/atlas/${place}`, reader);
    await opened.page.getByRole('tree', { includeHidden: true }).waitFor({ state: 'attached' });
    return opened;
  };

  await t.test('on a phone', async () => {
    const { page, problems } = await open(north, { width: 390, height: 844, touch: true });
    await drawn(page);
    const tree = page.getByRole('tree');
    assert.equal(await tree.isVisible(), false, 'the map has the screen');
    await page.getByRole('button', { name: 'Show layers' }).tap();
    await page.getByRole('treeitem', { name: 'Lands' }).tap();
    assert.equal(await page.getByRole('treeitem', { name: 'Lands' }).getAttribute('aria-checked'), 'false');
    await page.getByRole('treeitem', { name: 'Lands' }).tap();
    await checkTargets(page);
    await page.locator('#layers').getByRole('button', { name: 'Close' }).tap();
    await tree.waitFor({ state: 'hidden' });
    await page.touchscreen.tap(195, 422);
    await panel(page).getByText('1 of 3').waitFor();
    const box = (await panel(page).boundingBox())!;
    assert.ok(
      box.y > 300 && Math.round(box.y + box.height) === 844 && box.width === 390,
      'a sheet from below',
    );
    await checkTargets(page);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    assert.deepEqual(problems, []);
  });
});

/** Whatever is tapped is at least 44 pixels high and wide. */
async function checkTargets(page: Page): Promise<void> {
  const targets = page.locator('button:visible, a:visible, [role=treeitem]:visible');
  for (const target of await targets.all()) {
    const box = await target.boundingBox();
    const isInText = await target.evaluate((one) => one.closest('dl') !== null);
    if (!box || box.y < 0 || isInText) continue; // the skip link waits above the screen
    const name = (await target.getAttribute('aria-label')) ?? (await target.textContent());
    assert.ok(box.height >= 43.9 && box.width >= 43.9, `${name}: ${box.width} × ${box.height}`);
  }
}
