import assert from 'node:assert/strict';
import type { Page, Response } from 'playwright-core';
import { PNG } from 'pngjs';

/** The middle of the northern land, where two towns lie. */
export const north = '#5/50/10';

export const isTile = (response: Response): boolean => response.url().includes('/tms/');
export const layersOf = (url: string): string[] =>
  new URL(url).searchParams.get('layers')?.split(',').filter(Boolean) ?? [];

/** How many colours a picture has, up to a few. */
export function coloursIn(picture: Buffer): number {
  const { data } = PNG.sync.read(picture);
  const colours = new Set<number>();
  for (let i = 0; i < data.length && colours.size < 20; i += 4) colours.add(data.readUInt32BE(i));
  return colours.size;
}

/** Waits until the map has drawn all that it shows. */
export async function drawn(page: Page): Promise<void> {
  await page.locator('main[aria-busy="false"]').waitFor();
}

/** The next tile of a number of layers. */
export const tileOf = (page: Page, layers: number): Promise<Response> =>
  page.waitForResponse((response) => isTile(response) && layersOf(response.url()).length === layers);

export const clickMap = (page: Page, { x, y }: { x: number; y: number }): Promise<void> =>
  page.mouse.click(x, y);
export const panel = (page: Page) => page.getByTestId('object');
export const field = (page: Page, name: string) =>
  panel(page)
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: name }) })
    .locator('dd');

/** Whatever is tapped is at least 44 pixels high and wide. */
export async function checkTargets(page: Page): Promise<void> {
  const targets = page.locator('button:visible, a:visible, [role=treeitem]:visible');
  for (const target of await targets.all()) {
    const box = await target.boundingBox();
    const isInText = await target.evaluate((one) => one.closest('dl') !== null);
    if (!box || box.y < 0 || isInText) continue; // the skip link waits above the screen
    const name = (await target.getAttribute('aria-label')) ?? (await target.textContent());
    assert.ok(box.height >= 43.9 && box.width >= 43.9, `${name}: ${box.width} × ${box.height}`);
  }
}
