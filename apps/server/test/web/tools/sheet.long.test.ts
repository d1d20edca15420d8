import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { PNG } from 'pngjs';
import { hostile, makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits } from '../browser.js';
import { coloursIn, drawn, north } from '../mapPage.js';
import { pageTest, phone, useSite } from '../site.js';
import { openTool, toolPanel } from './tools.js';

const site = useSite(makeAtlas);

pageTest('the map is saved as a picture and printed, with title, scale, legend and attribution', async () => {
  /** Positions of tiles of single and of double density. */
  const tiles = { single: new Set<string>(), double: new Set<string>() };
  const { page, problems } = await site.open(`/maps/demo/atlas/${north}`, {
    density: 1,
    onPage: async (made) => {
      await made.addInitScript('window.print = () => { window.printed = true; }');
      made.on('requestfinished', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (!pathname.startsWith('/tms/')) return;
        const [z, x, y] = ['z', 'x', 'y'].map((name) => searchParams.get(name));
        tiles[searchParams.get('retina') === '2' ? 'double' : 'single'].add(`${z}/${x}/${y}`);
      });
    },
  });
  await drawn(page);
  await openTool(page, 'Print and picture');
  const sheet = toolPanel(page).locator('svg[viewBox^="0 0 1000"]');
  await sheet.waitFor();
  // The events of requests may come after what they have caused.
  for (let tries = 0; tries < 100 && tiles.double.size < tiles.single.size; tries++)
    await page.waitForTimeout(100);
  assert.deepEqual([...tiles.double].sort(), [...tiles.single].sort(), 'all tiles with twice the pixels');
  for (const text of [/^\d+ km$/, 'Towns', 'Lands', /^Made for a test · /])
    await sheet.getByText(text).waitFor();
  await toolPanel(page).getByLabel('Title').fill(hostile);
  await sheet.getByText('onerror').waitFor();
  assert.deepEqual(await findingsOf(page), []);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    toolPanel(page).getByRole('button', { name: 'Save as picture' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'atlas.png');
  const picture = await readFile(await download.path());
  assert.equal(PNG.sync.read(picture).width, 2000);
  assert.ok(coloursIn(picture) >= 5, 'the picture shows the map');

  await toolPanel(page).getByRole('button', { name: 'Print or save as PDF' }).click();
  assert.equal(await page.evaluate('window.printed'), true);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 1, 'one page');
  const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf)!;
  assert.ok(Number(width) > Number(height), 'across, as the map is wider than high');

  await toolPanel(page).getByLabel('Legend').uncheck();
  await sheet.getByText('Towns').waitFor({ state: 'detached' });
  assert.deepEqual(problems, []);
});

pageTest('the sheet works on a phone', async () => {
  const { page, problems } = await site.open(`/maps/demo/atlas/${north}`, { ...phone, dark: true });
  await drawn(page);
  await openTool(page, 'Print and picture');
  await toolPanel(page).locator('svg[viewBox^="0 0 1000"]').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await assertFits(page);
  assert.deepEqual(problems, []);
});
