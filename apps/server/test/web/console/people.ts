import type { Page } from 'playwright-core';
import type { TestServer } from '../../support/server.js';

/** Fills and sends the sign-in form. */
export async function signIn(page: Page, login: string, password: string): Promise<void> {
  await page.locator('input[name=login]').fill(login);
  await page.locator('input[name=password]').fill(password);
  await page.keyboard.press('Enter');
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
