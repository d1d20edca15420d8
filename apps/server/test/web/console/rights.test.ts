import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { hostile, makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits, type BrowserProfile, isHacked, type OpenPage } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { makeUser, openAs, passwordOf, shot, withoutRefusals, workOf } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/rights/': 'administer' });
  await makeUser(server, 'eve', { '/atlas/rights/': 'edit' });
  const password = passwordOf('bob');
  await server.admin('POST', '/users/', { login: 'bob', name: hostile, password, publicAccess: false });
});

/** Opens the share dialog of the map `atlas`, signed in. */
async function openShare(login: string, profile: BrowserProfile = {}): Promise<OpenPage> {
  const opened = await openAs(site, login, '/console/demo/atlas/', profile);
  const { page } = opened;
  await page.getByTestId('map').waitFor();
  if (profile.touch) await page.getByRole('button', { name: /^(Layers|Слои)$/ }).click();
  await page.getByRole('button', { name: /^(Share|Поделиться)$/ }).click();
  await dialog(page).waitFor();
  return opened;
}

const dialog = (page: Page) => page.getByRole('dialog');
const right = (page: Page, who: string, place: string) =>
  dialog(page).getByLabel(`Right of ${who} on ${place}`, { exact: true });
const saved = (page: Page) => dialog(page).getByRole('status').getByText('Saved').waitFor();

pageTest('a map is made private and public, and shown in the preview of its embedding', async () => {
  const { page, problems } = await openShare('ann');
  const link = dialog(page).getByLabel('Link', { exact: true });
  assert.equal(await link.inputValue(), `${site.server.url}/maps/demo/atlas/`);
  const xyz = await dialog(page).getByLabel('Tiles (XYZ)', { exact: true }).inputValue();
  assert.equal(xyz, `${site.server.url}/tiles/demo/atlas/{z}/{x}/{y}.png`);
  const preview = page.frameLocator('iframe[title="Preview of Atlas"]');
  await preview.getByRole('main').waitFor();
  await preview.getByRole('link', { name: 'Atlas: open the map in a new tab' }).waitFor();
  await shot(page, 'share');
  assert.deepEqual(await findingsOf(page), []);

  await dialog(page).getByLabel('Only users with a right of their own').check();
  await saved(page);
  await dialog(page).getByText('cannot be shown in another page').waitFor();
  assert.equal((await fetch(`${site.server.url}/api/2.8/demo/atlas/`)).status, 403);
  await dialog(page).getByLabel('Everybody').check();
  await saved(page);
  assert.equal((await fetch(`${site.server.url}/api/2.8/demo/atlas/`)).status, 200);
  assert.deepEqual(withoutRefusals(problems), []);
});

pageTest('a group gets a right on one layer, and the dialog tells why somebody sees it', async (t) => {
  const { page, problems } = await openShare('ann');
  await dialog(page).getByRole('tab', { name: 'Groups' }).click();
  await dialog(page).getByLabel('New group').last().fill('staff');
  await dialog(page).getByLabel(hostile).check();
  await saved(page);

  await dialog(page).getByRole('tab', { name: 'Rights' }).click();
  const why = dialog(page).getByRole('group', { name: 'Why can somebody see it, or not?' });
  await why.getByLabel('User').selectOption('bob');
  await why.getByLabel('Place').selectOption({ label: 'Towns' });
  await why.getByText('Nothing is granted to the user').waitFor();
  await right(page, 'Group staff', 'Towns').selectOption({ label: 'Edit' });
  await saved(page);
  await why.getByText('It is granted to the group staff on the layer.').waitFor();
  await why.getByText('bob has the right “Edit” on the layer.').waitFor();
  await shot(page, 'rights');
  t.diagnostic(await workOf(page));
  assert.deepEqual(await findingsOf(page), []);

  await right(page, 'Group staff', 'Project').selectOption({ label: 'View' });
  await saved(page);
  const lands = right(page, 'Group staff', 'Lands');
  assert.equal(await lands.locator('option:checked').textContent(), 'View (inherited)');
  await right(page, 'Group staff', 'Project').selectOption({ label: 'Not granted' });
  await saved(page);
  const grants = await site.server.admin('GET', '/atlas/layers/towns/rights/');
  assert.deepEqual(grants, [{ group: 'staff', right: 'edit' }]);
  assert.deepEqual(await site.server.admin('GET', '/rights/'), [{ user: 'ann', right: 'administer' }]);
  assert.equal(await isHacked(page), false);
  assert.deepEqual(withoutRefusals(problems), []);
});

pageTest('what a user may not change is said; the dialog opens by keyboard alone', async () => {
  const { page, problems } = await openShare('eve');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await dialog(page).getByRole('combobox').fill('Share');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Share Atlas' }).waitFor();
  await dialog(page).getByText('Only those who administer the map can change this').waitFor();
  assert.equal(await dialog(page).getByLabel('Everybody').isDisabled(), true);
  await dialog(page).getByRole('tab', { name: 'Rights' }).click();
  await dialog(page).getByText('Only administrators of the project see and change its rights').waitFor();
  assert.deepEqual(withoutRefusals(problems), []);
});

pageTest('a right that is taken away while the dialog is open, and a service without answer', async () => {
  await makeUser(site.server, 'max', { '/rights/': 'administer' });
  const { page } = await openShare('max');
  await dialog(page).getByRole('tab', { name: 'Rights' }).click();
  const ofBob = right(page, `${hostile} (bob)`, 'Map');
  await page.route('**/atlas/rights/**', (route) => route.abort());
  await ofBob.selectOption({ label: 'View' });
  await dialog(page).getByRole('status').getByText('The service cannot be reached').waitFor();
  // What is shown is what is stored.
  await ofBob.locator('option:checked', { hasText: 'inherited' }).waitFor({ state: 'attached' });
  await page.locator('select:enabled').first().waitFor();
  await page.unroute('**/atlas/rights/**');
  await site.server.admin('PUT', '/rights/', { user: 'max', right: 'view' });
  await ofBob.selectOption({ label: 'View' });
  await dialog(page).getByText('Only administrators of the project see and change its rights').waitFor();
});

pageTest('the dialog fits a phone, in the dark, in Russian', async () => {
  const { page, problems } = await openShare('ann', { ...phone, dark: true, languages: ['ru'] });
  assert.deepEqual(await findingsOf(page), []);
  await dialog(page).getByRole('tab', { name: 'Права' }).click();
  await dialog(page).getByLabel('Право: ann, Проект').selectOption({ label: 'Просмотр' });
  await dialog(page).getByText('Лишить вас управления проектом может только другой администратор.').waitFor();
  await dialog(page).getByRole('table').waitFor();
  await shot(page, 'rights-phone');
  const cut =
    "[...document.querySelectorAll('.mantine-Button-label')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)";
  assert.deepEqual(await page.evaluate(cut), [], 'texts of buttons are whole');
  assert.deepEqual(await findingsOf(page), []);
  await assertFits(page);
  assert.deepEqual(withoutRefusals(problems), []);
});
