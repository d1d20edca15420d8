import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeAtlas } from './atlas.js';
import { type OpenPage, until } from './browser.js';
import { clickMap, drawn, north, panel } from './mapPage.js';
import { pageTest, useSite } from './site.js';

/** Refused requests, which the browser writes to its console. */
const withoutRefusals = (problems: readonly string[]): string[] =>
  problems.filter((problem) => !/status of 40[13]/.test(problem));

async function signIn(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

const site = useSite(async (server) => {
  await makeAtlas(server);
  await server.admin('PATCH', '/atlas/', { has_publication: false });
  await server.admin('POST', '/', { code: 'open', name: 'Open' });
  for (const login of ['ann', 'bob'])
    await server.admin('POST', '/users/', {
      login,
      name: login.toUpperCase(),
      password: `${login}-battery-horse`,
    });
  await server.admin('PUT', '/atlas/rights/', { user: 'ann', right: 'view' });
});
const path = `/maps/demo/atlas/?object=towns/1${north}`;

pageTest('a private map in the browser', async (t) => {
  const opened = await site.open(path);
  await t.test('a link leads to a page that asks for login and password, and after that to the map', () =>
    followLink(opened),
  );
  await t.test('tiles, icons, objects and search are there', () => useMap(opened));
  await t.test('a link on a page of another site leads to the map as well', () => comeFromElsewhere(opened));
  await t.test('an ended session is reported, and started again at the same place', () =>
    signInAgain(opened),
  );
  await t.test('the list shows own maps to a signed-in user, and signing out takes them away', () =>
    signOut(opened),
  );
  await t.test('a user without the right is told so; by keyboard, from the list', () =>
    signInWithoutRight(opened),
  );
});

async function followLink({ page, problems }: OpenPage): Promise<void> {
  await page.getByRole('heading', { name: 'Sign in to see this map' }).waitFor();
  assert.doesNotMatch(await page.content(), /Atlas/, 'its name is not told');
  await signIn(page, 'ann', 'wrong');
  await page.getByRole('alert').getByText('Login or password is wrong').waitFor();
  await signIn(page, 'ann', 'ann-battery-horse');
  await page.getByRole('tree').waitFor();
  assert.ok(page.url().startsWith(site.server.url + path.split('#')[0]!), 'the same address');
  await panel(page).getByRole('heading', { name: 'Middleton' }).waitFor();
  await drawn(page);
  assert.deepEqual(withoutRefusals(problems), []);
}

async function useMap({ page, problems }: OpenPage): Promise<void> {
  const icons = await page.getByRole('tree').locator('img').count();
  await until(
    page,
    `[...document.querySelectorAll('[role=tree] img')].filter((img) => img.naturalWidth > 0).length === ${icons}`,
  );
  await page.keyboard.press('Escape');
  await clickMap(page, { x: 640, y: 400 });
  await panel(page).getByText('1 of 3').waitFor();
  await page.getByRole('combobox').fill('south');
  await page.getByRole('option').first().waitFor();
  assert.equal(await page.evaluate('document.cookie'), '', 'no script sees the session');
  assert.deepEqual(withoutRefusals(problems), []);
}

async function comeFromElsewhere({ page }: OpenPage): Promise<void> {
  const elsewhere = 'http://elsewhere.test/';
  const body = `<a href="${site.server.url}${path}">Our map</a>`;
  await page.route(elsewhere, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(elsewhere);
  const arriving = page.waitForRequest((request) => request.isNavigationRequest());
  await page.getByRole('link').click();
  const sent = await (await arriving).allHeaders();
  assert.equal(sent.cookie, undefined, 'the other site cannot send the session');
  await page.getByRole('tree').waitFor();
  await panel(page).getByRole('heading', { name: 'Middleton' }).waitFor();
  await drawn(page);
}

async function signInAgain({ page }: OpenPage): Promise<void> {
  await page.keyboard.press('Escape');
  await site.server.admin('PATCH', '/users/ann/', { password: 'new-battery-horse' });
  await page.getByRole('button', { name: 'Zoom in' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  assert.equal(await dialog.getByLabel('Login').inputValue(), 'ann');
  await dialog.getByLabel('Password').fill('new-battery-horse');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('tree').waitFor();
}

async function signOut({ page }: OpenPage): Promise<void> {
  await page.goto(`${site.server.url}/`);
  const card = page.getByRole('link', { name: /Atlas/ });
  await card.waitFor();
  assert.match((await card.textContent())!, /Not public/);
  await until(
    page,
    `[...document.querySelectorAll('a[href*="/atlas/"] img')].some((img) => img.naturalWidth === 512)`,
  );
  await page.getByRole('button', { name: 'Signed in: ANN' }).click();
  await page.getByRole('menuitem', { name: 'Sign out ANN' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.getByRole('link', { name: /Open/ }).waitFor();
  assert.equal(await card.count(), 0);
  await page.goBack();
  await page.getByRole('heading', { name: 'Sign in to see this map' }).waitFor();
}

async function signInWithoutRight({ page }: OpenPage): Promise<void> {
  await page.goto(`${site.server.url}/`);
  await page.getByRole('button', { name: 'Sign in' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sign in' }).press('Enter');
  await page.getByRole('dialog').getByLabel('Login').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('bob');
  await page.keyboard.press('Tab');
  await page.keyboard.type('bob-battery-horse');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Signed in: BOB' }).waitFor();
  await page.goto(site.server.url + path);
  await page.getByRole('heading', { name: 'You may not see this map' }).waitFor();
  await page.getByRole('button', { name: 'Signed in: BOB' }).waitFor();
}
