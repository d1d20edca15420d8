import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { clickMap, drawn, north, panel } from '../mapPage.js';
import { pageTest, phone, useSite } from '../site.js';
import { openTool, toolPanel } from './tools.js';

const site = useSite(makeAtlas);

/** At zoom 5 the world is 16,384 pixels wide: degrees of longitude in pixels of the screen. */
const pixelsPerDegree = 16_384 / 360;
const result = (page: Page) => toolPanel(page).getByRole('status').locator('strong');

pageTest('distances and areas are those of the ellipsoid', async () => {
  const { page, problems } = await site.open(`/maps/demo/atlas/#5/0/10`);
  await drawn(page);
  await openTool(page, 'Measure');
  await toolPanel(page).getByText('Set 2 more points').waitFor();
  await clickMap(page, { x: 640, y: 400 });
  await toolPanel(page).getByText('Set 1 more point').waitFor();
  await clickMap(page, { x: 640 + 4 * pixelsPerDegree, y: 400 });
  // Four degrees of the equator are 4 · 111.3195 km, within the width of a pixel.
  await result(page).filter({ hasText: 'km' }).waitFor();
  const length = Number((await result(page).textContent())!.replace(' km', ''));
  assert.ok(Math.abs(length - 445.278) < 2.5, `${length} km`);
  assert.equal(await panel(page).count(), 0, 'objects are not looked for meanwhile');

  await toolPanel(page).getByText('Area', { exact: true }).click();
  await clickMap(page, { x: 640 + 4 * pixelsPerDegree, y: 400 - 2 * pixelsPerDegree });
  // Half of 4° × 2° at the equator: 445.3 km × 221.1 km / 2.
  await result(page).filter({ hasText: 'km²' }).waitFor();
  const area = Number((await result(page).textContent())!.replace(/[^\d.]/g, ''));
  assert.ok(Math.abs(area - 49_230) < 600, `${area} km²`);
  assert.deepEqual(await findingsOf(page), []);

  await toolPanel(page).getByRole('button', { name: 'Undo the last point' }).click();
  await toolPanel(page).getByText('Set 1 more point').waitFor();
  await toolPanel(page).getByRole('button', { name: 'Start again' }).click();
  await toolPanel(page).getByText('Set 3 more points').waitFor();
  await page.keyboard.press('Escape');
  await toolPanel(page).waitFor({ state: 'detached' });
  await clickMap(page, { x: 640, y: 400 });
  await panel(page).waitFor();
  assert.deepEqual(problems, []);
});

pageTest('measuring works by keyboard, and on a phone in Russian', async () => {
  const { page, problems } = await site.open(`/maps/demo/atlas/${north}`, {
    ...phone,
    dark: true,
    languages: ['ru'],
  });
  await drawn(page);
  await openTool(page, 'Измерить');
  await toolPanel(page).getByText('Поставьте ещё 2 точки').waitFor();
  await page.touchscreen.tap(150, 200);
  await toolPanel(page).getByText('Поставьте ещё 1 точку').waitFor();
  await page.touchscreen.tap(250, 300);
  await result(page).filter({ hasText: 'км' }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await toolPanel(page).getByRole('button', { name: 'Сначала' }).tap();
  await page.getByLabel(/^Карта\. Стрелки/).press('Enter');
  await toolPanel(page).getByText('Поставьте ещё 1 точку').waitFor();
  assert.deepEqual(problems, []);
});
