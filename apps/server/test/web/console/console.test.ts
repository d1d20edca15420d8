import assert from 'node:assert/strict';
import { adminPassword } from '../../support/settings.js';
import { hostile, makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits, type BrowserProfile, isHacked } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { deletionButton, finish, shot, signIn, withoutRefusals } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await server.admin('POST', '/', { code: 'hostile', name: hostile });
  for (const [login, guiAccess] of [
    ['ann', true],
    ['bob', false],
  ] as const)
    await server.admin('POST', '/users/', { login, guiAccess, password: `${login}-battery-horse` });
  await server.admin('PUT', '/rights/', { user: 'ann', right: 'administer' });
});
const path = '/console/demo/';

pageTest('the console is sent with a strict policy, at every address below it', async () => {
  for (const address of ['//console', '//console/', '//console/demo/atlas/towns/']) {
    const { status, headers, text } = await site.server.request('GET', address);
    assert.equal(status, 200);
    assert.match(headers.get('content-security-policy')!, /frame-ancestors 'none'/);
    assert.doesNotMatch(headers.get('content-security-policy')!, /unsafe/);
    assert.doesNotMatch(text, /__[A-Z]+__/);
  }
});

pageTest(
  'the console opens for users with access to it only; the list of maps shows its link to them',
  async () => {
    const { page, problems } = await site.open(path);
    await signIn(page, 'bob', 'bob-battery-horse');
    await page.getByRole('heading', { name: 'You have no access to the console' }).waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await page.goto(`${site.server.url}/`);
    await page.getByRole('button', { name: 'Signed in: bob' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Console' }).count(), 0);
    await page.getByRole('button', { name: 'Signed in: bob' }).click();
    await page.getByRole('menuitem', { name: 'Sign out bob' }).click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signIn(page, 'ann', 'ann-battery-horse');
    await page.getByRole('link', { name: 'Console' }).first().click();
    await page.getByRole('heading', { name: 'Maps of demo' }).waitFor();
    await page.getByRole('button', { name: 'Signed in: ann' }).click();
    await page.getByRole('menuitem', { name: 'Sign out ann' }).click();
    await page.getByText('Sign in to make, fill and look after maps.').waitFor();
    await finish(site, { page, problems });
  },
);

pageTest('a map is made and deleted by keyboard; the list shows what is stored', async () => {
  const { page, problems } = await site.open(path);
  await signIn(page, 'ann', 'ann-battery-horse');
  await page.getByRole('heading', { name: 'Maps of demo' }).waitFor();
  assert.equal(await page.title(), 'Maps of demo · Console · Cartulary');
  await page.getByText(hostile).waitFor();
  assert.equal(await isHacked(page), false);

  await page.getByRole('button', { name: 'New map' }).press('Enter');
  const title = page.getByRole('textbox', { name: 'Name', exact: true });
  const code = page.getByRole('textbox', { name: 'Code' });
  await title.fill('Straße, Łódź, Київ, Αθήνα');
  assert.equal(await code.inputValue(), 'strasse_lodz_kiyiv_athina');
  await title.fill('Районы города');
  assert.equal(await code.inputValue(), 'rayony_goroda');
  await page.getByRole('textbox', { name: 'Code' }).fill('atlas');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Another map has this code').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'make');
  await page.getByRole('textbox', { name: 'Code' }).fill('rayony');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Районы города' }).waitFor();
  await page.getByText('Drop a file with data here').waitFor();
  assert.equal(await page.getByLabel('The base map: land and borders').isChecked(), true);
  await page.goBack();
  await page.getByRole('link', { name: 'Look at the map Районы города' }).waitFor();
  const made = await site.server.admin('GET', '/rayony/');
  assert.deepEqual([made.name, made.has_publication], ['Районы города', false]);

  const names = await page.getByRole('heading', { level: 2 }).allTextContents();
  assert.equal(names[0], 'Районы города', 'what was changed last comes first');
  await page.getByRole('searchbox').fill('ATLAS');
  await page.getByText('5 objects').waitFor();
  await page.getByRole('link', { name: 'Look at the map Районы города' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Delete the map Atlas' }).press('Enter');
  await page.getByRole('dialog').getByText('2 layers').waitFor();
  await page
    .getByRole('dialog')
    .getByText(/^\d+ objects$/)
    .waitFor();
  await deletionButton(page);
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'delete');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('');
  await page.getByRole('button', { name: 'Delete the map Районы города' }).press('Enter');
  await page.getByRole('button', { name: 'Delete for good', disabled: false }).press('Enter');
  await page.getByRole('status').getByText('has been deleted').waitFor();
  await page.getByRole('link', { name: 'Look at the map Районы города' }).waitFor({ state: 'detached' });
  assert.equal((await site.server.request('GET', '/rayony/')).status, 404);
  await finish(site, { page, problems });
});

pageTest('what is chosen below the layers is what the map page shows', async () => {
  await site.server.admin('POST', '/', { code: 'lower', name: 'Lower', css_style: '' });
  const { page, problems } = await site.open(`${path}lower/`);
  await signIn(page, 'ann', 'ann-battery-horse');
  const ground = async (label: string): Promise<string> => {
    await page.getByRole('group', { name: 'Below the layers' }).getByLabel(label).press('Space');
    // It is checked as soon as it is stored.
    await page.getByRole('radio', { name: label, checked: true }).waitFor();
    return (await site.server.admin('GET', '/lower/')).css_style;
  };
  const isOverBaseMap = async (): Promise<boolean> => {
    const list = "fetch('/pages/maps.json?project=demo&map=lower').then((answer) => answer.json())";
    return (await page.evaluate<{ ground: boolean }[]>(list))[0]!.ground;
  };
  await page.getByRole('radio', { name: 'The base map: land and borders', checked: true }).waitFor();
  assert.equal(await isOverBaseMap(), true, 'the map page shows what is chosen here');
  assert.equal(await ground('One colour'), 'Map { background-color: #eef2f4; }');
  assert.equal(await isOverBaseMap(), false);
  await page.getByLabel('Colour below the layers').waitFor();
  assert.equal(await ground('The base map: land and borders'), '');
  // A program that makes a map without a style means the base map, too.
  await site.server.admin('PATCH', '/lower/', { css_style: 'Map { background-color: #eef2f3; }' });
  await page.reload();
  await page.getByRole('radio', { name: 'The base map: land and borders', checked: true }).waitFor();
  assert.equal(await isOverBaseMap(), true);
  await site.server.admin('DELETE', '/lower/');
  await finish(site, { page, problems });
});

pageTest('what a program has set below the layers is shown, and its other settings are kept', async () => {
  const { admin } = site.server;
  const css_style = 'Map { background-color: #aabbcc; }';
  await admin('POST', '/', { code: 'grounds', name: 'Grounds', css_style });
  const layer = await admin('POST', '/grounds/layers/', { code: 'relief', name: 'Relief' });
  await admin('PATCH', '/grounds/', { json: { ground: true, attribution: 'Me' } });
  const { page, problems } = await site.open(`${path}grounds/`);
  await signIn(page, 'ann', 'ann-battery-horse');
  const radio = (name: string, checked = true) => page.getByRole('radio', { name, checked });
  const settings = async (): Promise<object> =>
    (await admin<{ json: object }>('GET', '/grounds/?returnJson=1')).json;
  await radio('The base map: land and borders').waitFor();
  await radio('One colour', false).press('Space');
  await radio('One colour').waitFor();
  assert.equal(await page.getByLabel('Colour below the layers').inputValue(), '#aabbcc');
  assert.deepEqual(await settings(), { attribution: 'Me' });
  await admin('PATCH', '/grounds/', { css_style: '', json: { ground: false, attribution: 'Me' } });
  await page.reload();
  await radio('Nothing').waitFor();
  await radio('The base map: land and borders', false).press('Space');
  await radio('The base map: land and borders').waitFor();
  assert.deepEqual(await settings(), { attribution: 'Me' });
  await admin('PATCH', '/grounds/', { json: { base_layer: layer.id } });
  await page.reload();
  await radio('The layer “Relief”').waitFor();
  await radio('The base map: land and borders', false).press('Space');
  await radio('The base map: land and borders').waitFor();
  assert.deepEqual(await settings(), { base_layer: layer.id, ground: true });
  assert.deepEqual(withoutRefusals(problems), []);
  await admin('DELETE', '/grounds/');
  await site.close(page);
});

pageTest('a session that ends under an open form: sign in again, and the request goes on', async () => {
  const { page, problems } = await site.open(path);
  await signIn(page, 'ann', 'ann-battery-horse');
  await page.getByRole('button', { name: 'New map' }).click();
  await page.keyboard.type('Kept');
  await site.server.admin('PATCH', '/users/ann/', { password: 'new-battery-horse' });
  await page.keyboard.press('Enter');
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.waitFor();
  assert.equal(await again.getByLabel('Login').inputValue(), 'ann');
  assert.deepEqual(await findingsOf(page), []);
  await again.getByLabel('Password').fill('new-battery-horse');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Kept' }).waitFor();
  assert.equal((await site.server.admin('GET', '/kept/')).name, 'Kept');
  await finish(site, { page, problems });
});

pageTest('what one user has begun is closed, not sent, when another signs in on another page', async () => {
  const { page } = await site.open(path);
  await signIn(page, 'ann', 'new-battery-horse');
  await page.getByRole('button', { name: 'New map' }).click();
  await page.keyboard.type('Begun');
  await site.server.admin('PATCH', '/users/ann/', { password: 'third-battery-horse' });
  await page.keyboard.press('Enter');
  const ended = page.getByRole('dialog', { name: 'Your session has ended' });
  await ended.waitFor();
  const other = await page.context().newPage();
  await other.goto(site.server.url + path);
  await signIn(other, 'admin', adminPassword);
  await other.getByRole('heading', { name: 'Maps of demo' }).waitFor();
  // Nor can the other go on with what is open.
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Maps of demo' }).waitFor();
  assert.equal((await site.server.request('GET', '/begun/', { token: site.server.adminToken })).status, 404);
  await site.close(page);
});

const readers: [string, BrowserProfile, string][] = [
  ['desktop', {}, 'Maps of demo'],
  ['phone', { ...phone, dark: true, languages: ['ru'] }, 'Карты проекта demo'],
];
for (const [name, how, heading] of readers)
  pageTest(`console: axe finds nothing, and nothing is too wide: ${name}`, async () => {
    const { page, problems } = await site.open(path, how);
    await page.locator('input[name=password]').waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await shot(page, `sign-in-${name}`);
    await signIn(page, 'admin', adminPassword);
    await page.getByRole('heading', { name: heading }).waitFor();
    await page
      .getByRole('link', { name: /Atlas|Атлас/ })
      .first()
      .waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await page.waitForLoadState('networkidle');
    await shot(page, `catalog-${name}`);
    await assertFits(page);
    // As wide as a page of 1280 pixels at a zoom of 400 %.
    await page.setViewportSize({ width: 320, height: 640 });
    await assertFits(page);
    await page.goto(`${site.server.url}${path}nothing/here/too/`);
    await page.getByRole('link', { name: /start of the console|начало консоли/ }).waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await finish(site, { page, problems });
  });
