import type { Page } from 'playwright-core';
import type { BrowserProfile, OpenPage } from '../../browser.js';
import type { Site } from '../../site.js';
import { openAs } from '../people.js';

/** Opens the workspace of the map `atlas`, signed in. */
export async function openWorkspace(
  site: Site,
  login = 'ann',
  profile: BrowserProfile = {},
): Promise<OpenPage> {
  const opened = await openAs(site, login, '/console/demo/atlas/', profile);
  await opened.page.getByTestId('files').waitFor({ state: 'attached' });
  return opened;
}

export const file = (name: string, text: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
});

/** A table of towns. */
export const towns = (rows = 3): string =>
  `name,people,lon,lat\n${Array.from({ length: rows }, (_, i) => `Town ${i},${i}00,${i % 90},${i % 60}`).join('\n')}\n`;

export const dialog = (page: Page) => page.getByRole('dialog', { name: /Import/ });

/** Gives an import up; its upload is removed. */
export async function cancel(page: Page): Promise<void> {
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await removed;
}
