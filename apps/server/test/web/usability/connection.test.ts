import assert from 'node:assert/strict';
import { makeAtlas } from '../atlas.js';
import { makeUser, openAs } from '../console/people.js';
import { pageTest, useSite } from '../site.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/rights/': 'administer' });
});

pageTest(
  'the console tells that the service does not answer, until it does, and above a dialog',
  async () => {
    const { page } = await openAs(site, 'ann', '/console/demo/atlas/?item=towns');
    const note = page.getByText('The service does not answer yet. Trying again…');
    await page.route(/\/structure\//, (route) => route.abort());
    await page.getByRole('tab', { name: 'Columns' }).click();
    await note.waitFor({ timeout: 5_000 });
    await page.unroute(/\/structure\//);
    await note.waitFor({ state: 'detached' });

    await page.route(/\/rights\//, (route) => route.abort());
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await page.getByRole('dialog').getByRole('tab', { selected: true }).press('ArrowRight');
    // In the top layer, to which the dialog belongs.
    await page.locator(':popover-open').and(note.locator('..')).waitFor({ timeout: 5_000 });
    await site.close(page);
  },
);

pageTest('who cannot be known is not asked to sign in; a dialog does not outlive its place', async () => {
  const { page } = await openAs(site, 'ann', '/console/demo/');
  await page.route('**/pages/session/', (route) => route.fulfill({ status: 500, body: '' }));
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Password' }).count(), 0);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: 'Atlas', exact: true }).click();
  const layer = (name: string) => page.getByRole('treeitem', { name });
  await layer('Towns').click();
  await layer('Lands').click();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await layer('Towns').getAttribute('aria-selected'), 'true');
  await site.close(page);
});
