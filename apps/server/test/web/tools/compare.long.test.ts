import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { until } from '../browser.js';
import { clickMap, drawn, isTile, north, panel } from '../mapPage.js';
import { pageTest, phone, useSite } from '../site.js';
import { openTool, toolPanel } from './tools.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  const css_style = 'Map { background-color: #ff0000; }';
  await server.admin('POST', '/', { code: 'red', name: '<b>Red</b>', css_style });
  await server.admin('PATCH', '/red/', { json: { attribution: 'Painted for a test' } });
});

/** Waits until the page is red at a place. */
async function redAt(page: Page, x: number, y: number): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    const { data } = PNG.sync.read(await page.screenshot({ clip: { x, y, width: 4, height: 4 } }));
    if (data[0]! > 240 && data[1]! < 20 && data[2]! < 20) return;
    await page.waitForTimeout(100);
  }
  throw new Error('the other map is not seen');
}

pageTest('another map lies right of a line that pointer and keyboard move', async () => {
  const { page, problems } = await site.open(`/maps/demo/atlas/${north}`, { density: 1 });
  await drawn(page);
  await openTool(page, 'Compare');
  await toolPanel(page).getByLabel('Other map').selectOption({ label: '<b>Red</b>' });
  await toolPanel(page).getByText('Painted for a test').waitFor();
  const line = page.getByRole('slider', { name: 'Line between Atlas and <b>Red</b>' });
  await redAt(page, 800, 600);
  assert.deepEqual(await findingsOf(page), []);

  const box = (await line.boundingBox())!;
  await page.mouse.move(box.x + 22, box.y + 22);
  await page.mouse.down();
  await page.mouse.move(500, 300, { steps: 4 });
  await page.mouse.up();
  await redAt(page, 540, 600);
  await line.focus();
  const before = Number(await line.getAttribute('aria-valuenow'));
  await line.press('ArrowRight');
  assert.equal(Number(await line.getAttribute('aria-valuenow')), before + 2);
  await line.press('End');
  assert.equal(await line.getAttribute('aria-valuenow'), '100');
  await line.press('Home');

  const moved = page.waitForResponse(
    (response) => isTile(response) && response.url().includes('/demo/red/') && response.url().includes('z=7'),
  );
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await moved;
  await clickMap(page, { x: 640, y: 500 });
  await panel(page).waitFor();
  assert.equal(await line.count(), 1, 'the comparison stays while an object is open');
  await page.keyboard.press('Escape');
  await page.getByRole('region', { name: 'Compare' }).getByRole('button', { name: 'Close' }).click();
  await until(page, '!document.querySelector("[data-testid=other-map]")');
  assert.deepEqual(problems, []);
});

pageTest('on a phone the line is moved by touch, and a map that is gone harms nothing', async () => {
  const { page } = await site.open(`/maps/demo/atlas/${north}`, {
    ...phone,
    dark: true,
    onPage: (made) => made.route('**/tms/demo/red/**', (route) => route.abort()),
  });
  await drawn(page);
  await openTool(page, 'Compare');
  await toolPanel(page).getByLabel('Other map').selectOption({ label: '<b>Red</b>' });
  const line = page.getByRole('slider', { name: /^Line between/ });
  await line.waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await page.getByRole('button', { name: 'Try again' }).waitFor();
});
