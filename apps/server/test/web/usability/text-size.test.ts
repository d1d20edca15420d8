import assert from 'node:assert/strict';
import { makeAtlas } from '../atlas.js';
import { assertFits, until } from '../browser.js';
import { makeUser, openAs } from '../console/people.js';
import { pageTest, useSite } from '../site.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/rights/': 'administer' });
});

/** Labels that are cut at the right. */
const cutLabels = `[...document.querySelectorAll('button > span > span, li')]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')
  .map((one) => one.textContent)`;

pageTest('text follows the size that the browser is set to, and is not cut', async () => {
  const { page } = await openAs(site, 'ann', '/console/demo/atlas/');
  await page.getByRole('treeitem', { name: 'Towns' }).waitFor();
  const enlarge = (): Promise<unknown> => page.evaluate("document.documentElement.style.fontSize = '200%'");
  await enlarge();
  // 15 pixels, doubled.
  await until(page, "getComputedStyle(document.querySelector('[role=treeitem]')).fontSize === '30px'");
  for (const [path, sight] of [
    ['/console/demo/?page=account', 'Change the password'],
    ['/console/demo/', 'Delete the map Atlas'],
  ] as const) {
    await page.goto(site.server.url + path);
    await page.getByRole('button', { name: sight }).waitFor();
    await enlarge();
    assert.deepEqual(await page.evaluate(cutLabels), [], path);
  }
  await site.close(page);
});

pageTest('the list of maps fits into 320 pixels for users of the console', async () => {
  const { page } = await openAs(site, 'ann', '/', { width: 320, languages: ['ru'] });
  await page.getByRole('link', { name: /Atlas/ }).waitFor();
  await assertFits(page);
  await site.close(page);
});
