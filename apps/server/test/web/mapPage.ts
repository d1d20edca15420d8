import assert from 'node:assert/strict';
import type { Locator, Page, Response } from 'playwright-core';
import { PNG } from 'pngjs';

/** The view of the northern land's centre, the position of two towns. */
export const north = '#5/50/10';

export const isTile = (response: Response): boolean => response.url().includes('/tms/');
export const layersOf = (url: string): string[] =>
  new URL(url).searchParams.get('layers')?.split(',').filter(Boolean) ?? [];

/** Number of colours in an image, at most 20. */
export function coloursIn(picture: Buffer): number {
  const { data } = PNG.sync.read(picture);
  const colours = new Set<number>();
  for (let i = 0; i < data.length && colours.size < 20; i += 4) colours.add(data.readUInt32BE(i));
  return colours.size;
}

/** Waits until the map is completely drawn. */
export async function drawn(page: Page): Promise<void> {
  await page.locator('main[aria-busy="false"]').waitFor();
}

/** The next response with a tile of this number of layers. */
export const tileOf = (page: Page, layers: number): Promise<Response> =>
  page.waitForResponse((response) => isTile(response) && layersOf(response.url()).length === layers);

export const clickMap = (page: Page, { x, y }: { x: number; y: number }): Promise<void> =>
  page.mouse.click(x, y);

/** The centre of the map on the screen. On a phone the map begins below the bar. */
export async function centerOf(page: Page): Promise<{ x: number; y: number }> {
  const box = (await page.getByRole('main').boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Whether two elements do not overlap. */
export async function areApart(one: Locator, other: Locator): Promise<boolean> {
  const a = (await one.boundingBox())!;
  const b = (await other.boundingBox())!;
  return a.y + a.height <= b.y || b.y + b.height <= a.y || a.x + a.width <= b.x || b.x + b.width <= a.x;
}

export const panel = (page: Page) => page.getByTestId('object');
export const field = (page: Page, name: string) =>
  panel(page)
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: name }) })
    .locator('dd');

/** Checks that touch targets are at least 44 pixels high and wide. */
export async function checkTargets(page: Page): Promise<void> {
  const targets = page.locator('button:visible, a:visible, [role=treeitem]:visible');
  for (const target of await targets.all()) {
    const box = await target.boundingBox();
    const isInText = await target.evaluate((one) => one.closest('dl') !== null);
    if (!box || box.y < 0 || isInText) continue; // the skip link is above the screen
    const name = (await target.getAttribute('aria-label')) ?? (await target.textContent());
    assert.ok(box.height >= 43.9 && box.width >= 43.9, `${name}: ${box.width} × ${box.height}`);
  }
}
