import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '../support/server.js';
import { makeAtlas } from './atlas.js';
import { openPage, startBrowser, until, withoutBrowser } from './browser.js';
import { clickMap, drawn, north, panel } from './mapPage.js';

/** Refused requests, which the browser writes to its console. */
const withoutRefusals = (problems: readonly string[]): string[] =>
  problems.filter((problem) => !/status of 40[13]/.test(problem));

async function signIn(page: Page, login: string, password: string): Promise<void> {
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
}

test('a private map in the browser', { skip: withoutBrowser }, async (t) => {
  const browser = await startBrowser(t); // ends before the server, whose connections it keeps
  const server = await startServer();
  t.after(() => server.stop());
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

  const address = `${server.url}/maps/demo/atlas/?object=towns/1${north}`;
  const { page, problems } = await openPage(browser, address);

  await t.test('a link leads to a page that asks who one is, and after that to the map', async () => {
    await page.getByRole('heading', { name: 'Sign in to see this map' }).waitFor();
    assert.doesNotMatch(await page.content(), /Atlas/, 'its name is not told');
    await signIn(page, 'ann', 'wrong');
    await page.getByRole('alert').getByText('Login or password is wrong').waitFor();
    await signIn(page, 'ann', 'ann-battery-horse');
    await page.getByRole('tree').waitFor();
    assert.ok(page.url().startsWith(address.split('#')[0]!), 'the same address');
    await panel(page).getByRole('heading', { name: 'Middleton' }).waitFor();
    await drawn(page);
    assert.deepEqual(withoutRefusals(problems), []);
  });

  await t.test('tiles, icons, objects and search are there', async () => {
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
  });

  await t.test('a session that has ended is told, and started again at the same place', async () => {
    await page.keyboard.press('Escape');
    await server.admin('PATCH', '/users/ann/', { password: 'new-battery-horse' });
    await page.getByRole('button', { name: 'Zoom in' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    assert.equal(await dialog.getByLabel('Login').inputValue(), 'ann');
    await dialog.getByLabel('Password').fill('new-battery-horse');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('tree').waitFor();
  });

  await t.test(
    'the list shows the own maps to who has signed in, and signing out takes them away',
    async () => {
      await page.goto(`${server.url}/`);
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
    },
  );

  await t.test('who may not see it is told so; by keyboard, from the list', async () => {
    await page.goto(`${server.url}/`);
    await page.getByRole('button', { name: 'Sign in' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign in' }).press('Enter');
    await page.keyboard.type('bob');
    await page.keyboard.press('Tab');
    await page.keyboard.type('bob-battery-horse');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Signed in: BOB' }).waitFor();
    await page.goto(address);
    await page.getByRole('heading', { name: 'You may not see this map' }).waitFor();
    await page.getByRole('button', { name: 'Signed in: BOB' }).waitFor();
  });
});
