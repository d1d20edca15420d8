import assert from 'node:assert/strict';
import { makeAtlas } from '../atlas.js';
import { deletionButton, makeUser, openAs } from '../console/people.js';
import { pageTest, useSite } from '../site.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/rights/': 'administer' });
  await makeUser(server, 'bob', {});
});

pageTest('a list that waits for its change keeps the focus of the keyboard', async () => {
  const { page } = await openAs(site, 'ann', '/console/demo/atlas/');
  await page.getByRole('button', { name: 'Share', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('tab', { selected: true }).press('ArrowRight');
  const right = dialog.getByLabel('Right of bob on Map', { exact: true });
  for (const level of ['None', 'View']) {
    await right.press('ArrowDown');
    await dialog.getByRole('status').getByText('Saved').waitFor();
    await right.and(page.locator(':focus')).waitFor({ timeout: 5_000 });
    assert.equal(await right.locator('option:checked').textContent(), level);
  }
  await site.close(page);
});

pageTest(
  'a button that waits for its change keeps the focus, and does not take it from another',
  async () => {
    const { page } = await openAs(site, 'ann', '/console/demo/?page=account');
    const save = page.getByRole('button', { name: 'Change the password' });
    await page.getByLabel('Present password').fill('wrong-battery-horse');
    await page.getByLabel('New password').fill('another-battery-horse');
    const isFocused = () => save.and(page.locator(':focus')).waitFor({ timeout: 5_000 });
    await save.press('Enter');
    await page.getByRole('alert').getByText('The password is wrong').waitFor();
    await isFocused();
    let go = (): void => {};
    const answered = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/login/password/**', async (route) => {
      await answered;
      await route.continue();
    });
    await save.press('Enter');
    await save.and(page.locator(':disabled')).waitFor();
    await page.getByLabel('Present password').focus();
    go();
    await save.and(page.locator(':enabled')).waitFor();
    await page.getByLabel('Present password').and(page.locator(':focus')).waitFor({ timeout: 5_000 });
    await site.close(page);
  },
);

pageTest('what is chosen is seen in colours of the user', async () => {
  const { page } = await openAs(site, 'ann', '/console/demo/atlas/?item=towns');
  await page.emulateMedia({ forcedColors: 'active' });
  const [tab, row] = [page.getByRole('tab'), page.getByRole('treeitem')];
  for (const [chosen, other] of [
    [tab.and(page.locator('[aria-selected=true]')), tab.and(page.locator('[aria-selected=false]'))],
    [row.and(page.locator('[aria-selected=true]')), row.and(page.locator('[aria-selected=false]'))],
  ] as const) {
    const ground = 'getComputedStyle(document.activeElement).backgroundColor';
    await chosen.focus();
    const ofChosen = await page.evaluate(ground);
    await other.first().focus();
    assert.notEqual(await page.evaluate(ground), ofChosen);
  }
  await page.emulateMedia({ forcedColors: 'none' });
  await site.close(page);
});

pageTest('where the control that had the focus is deleted with its row, the next one has it', async () => {
  for (const code of ['green', 'red']) await site.server.admin('POST', '/', { code });
  const { page } = await openAs(site, 'ann', '/console/demo/');
  const hasFocus = (name: string) =>
    page.locator(':focus').and(page.getByRole('link', { name })).waitFor({ timeout: 5_000 });
  await page.getByRole('button', { name: 'Delete the map red' }).press('Enter');
  await (await deletionButton(page)).press('Enter');
  await page.getByRole('status').getByText('The map red has been deleted').waitFor();
  await hasFocus('green');
  await site.close(page);
});

pageTest('the key F2 leads to the title from every tab, by one step of the history', async () => {
  const { page } = await openAs(site, 'ann', '/console/demo/atlas/?item=towns&tab=columns');
  await page.getByRole('treeitem', { name: 'Lands' }).press('F2');
  await page.getByLabel('Title').and(page.locator(':focus')).waitFor({ timeout: 5_000 });
  assert.equal(await page.getByLabel('Title').inputValue(), 'Lands');
  await page.goBack();
  await page.getByRole('tab', { name: 'Columns', selected: true }).waitFor();
  await page.getByRole('treeitem', { name: 'Towns', selected: true }).waitFor();
  await site.close(page);
});
