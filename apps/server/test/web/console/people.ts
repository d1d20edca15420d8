import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { TestServer } from '../../support/server.js';
import { adminPassword } from '../../support/settings.js';
import type { Cookie, OpenPage } from '../browser.js';
import type { Site } from '../site.js';

/** Counts what the user does in a page and its later ones. A choice from a list counts as a field. */
const counting = `{
  const done = JSON.parse(sessionStorage.getItem('work') ?? 'null') ?? { began: Date.now(), clicks: 0, fields: 0, keys: 0 };
  const count = (what) => { done[what]++; sessionStorage.setItem('work', JSON.stringify(done)); };
  addEventListener('click', ({ detail }) => detail > 0 && count('clicks'), true);
  addEventListener('change', () => count('fields'), true);
  addEventListener('keydown', () => count('keys'), true);
}`;

/** What the user has done since the page opened, and how long it took. */
export async function workOf(page: Page): Promise<string> {
  const done = JSON.parse(await page.evaluate<string>("sessionStorage.getItem('work')"));
  const seconds = ((Date.now() - done.began) / 1000).toFixed(1);
  return `${done.clicks} clicks, ${done.fields} fields, ${done.keys} keys, ${seconds} s`;
}

/** Fills and sends the sign-in form. */
export async function signIn(page: Page, login: string, password: string): Promise<void> {
  await page.addInitScript(counting);
  await page.evaluate(counting);
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill(password);
  await page.keyboard.press('Enter');
}

/** Opens a path for a user who has signed in before; what the user does there is counted. */
export async function openAs(
  site: Site,
  login: string,
  path: string,
  profile: Parameters<Site['open']>[1] = {},
): Promise<OpenPage> {
  const onPage = async (page: Page): Promise<void> => {
    await page.addInitScript(counting);
    await profile.onPage?.(page);
  };
  return site.open(path, { ...profile, onPage, cookie: await sessionCookie(site.server, login) });
}

/** Closes a page, which must have written no problem but refused requests to its console. */
export async function finish(site: Site, { page, problems }: OpenPage): Promise<void> {
  assert.deepEqual(withoutRefusals(problems), []);
  await site.close(page);
}

async function sessionCookie({ url }: TestServer, login: string): Promise<Cookie> {
  const password = login === 'admin' ? adminPassword : passwordOf(login);
  const answer = await fetch(`${url}/pages/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ project: 'demo', login, password }),
  });
  const [pair] = answer.headers.getSetCookie()[0]!.split(';');
  const [name, value] = pair!.split('=');
  return { name: name!, value: value!, url };
}

/** Makes a user of the console with rights on paths. The password is that of `passwordOf`. */
export async function makeUser(
  server: TestServer,
  login: string,
  rights: Readonly<Record<string, string>>,
): Promise<void> {
  await server.admin('POST', '/users/', { login, guiAccess: true, password: passwordOf(login) });
  for (const [path, right] of Object.entries(rights)) await server.admin('PUT', path, { user: login, right });
}

export const passwordOf = (login: string): string => `${login}-battery-horse`;

/** Refused requests, which the browser writes to its console. */
export const withoutRefusals = (problems: readonly string[]): string[] =>
  problems.filter((problem) => !/status of (40[0-4]|412|429|500|503)/.test(problem));

/** Writes a picture of the page into the folder `SCREENSHOTS`, where that is set. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/console-${name}.png` });
}

/** Waits for the draft that an action stores. */
export async function stored(page: Page, act: () => Promise<unknown>): Promise<void> {
  const answer = page.waitForResponse(
    (one) => one.url().endsWith('/draft/') && one.request().method() === 'PUT' && one.status() === 200,
  );
  await act();
  await answer;
}

/** The button that carries a deletion out, once it is known what the deletion takes: until then it is disabled. */
export async function deletionButton(page: Page): Promise<Locator> {
  const button = page.getByRole('button', { name: 'Delete for good', disabled: false });
  await button.waitFor();
  return button;
}
