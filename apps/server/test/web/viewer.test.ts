import assert from 'node:assert/strict';
import type { Response } from 'playwright-core';
import { hostile, makeAtlas } from './atlas.js';
import { assertFits, type BrowserProfile, isHacked, until } from './browser.js';
import {
  centerOf,
  checkTargets,
  clickMap,
  coloursIn,
  drawn,
  field,
  isTile,
  layersOf,
  north,
  panel,
  tileOf,
} from './mapPage.js';
import { pageTest, phone, useSite } from './site.js';

const site = useSite(makeAtlas);
const open = async (place = '', profile?: BrowserProfile) => {
  const opened = await site.open(`/maps/demo/atlas/${place}`, profile);
  await opened.page.getByRole('tree', { includeHidden: true }).waitFor({ state: 'attached' });
  return opened;
};

pageTest('the map draws tiles of the visible layers', async () => {
  const tiles: Response[] = [];
  const { page, problems } = await site.open('/maps/demo/atlas/', {
    moving: true,
    density: 1,
    onPage: (made) => made.on('response', (response) => isTile(response) && tiles.push(response)),
  });
  await page.getByRole('tree').waitFor();
  await drawn(page);
  const name = await page.getByRole('heading', { level: 1 }).boundingBox();
  assert.ok(name!.width > 250, 'the name has the width of the panel, not the rest beside the buttons');
  assert.ok(tiles.length > 0);
  for (const tile of tiles) assert.equal(tile.status(), 200, tile.url());
  assert.equal(layersOf(tiles[0]!.url()).length, 2);
  assert.ok(coloursIn(await page.getByTestId('map').screenshot()) >= 5, 'the map is not blank');
  const [zoom, latitude, longitude] = new URL(page.url()).hash.slice(1).split('/').map(Number);
  assert.ok(
    zoom! > 2 && latitude! > 20 && latitude! < 60 && Math.abs(longitude!) < 25,
    'it starts at its data',
  );
  assert.deepEqual(problems, []);

  const towns = page.getByRole('treeitem', { name: 'Towns' });
  await Promise.all([tileOf(page, 1), towns.click()]);
  assert.equal(await towns.getAttribute('aria-checked'), 'false');
  await Promise.all([tileOf(page, 0), page.getByRole('treeitem', { name: 'Lands' }).click()]);
  await Promise.all([tileOf(page, 1), page.getByRole('treeitem', { name: 'Lands' }).click()]);
  await Promise.all([tileOf(page, 2), towns.click()]);
});

pageTest('a click shows what lies there, the topmost first', async () => {
  const { page, problems } = await open(north);
  await drawn(page);
  await clickMap(page, { x: 640, y: 400 });
  await panel(page).getByText('1 of 3').waitFor();
  // Of two objects at one position the one drawn last is on top.
  await panel(page).getByRole('heading', { name: 'Middleton Station' }).waitFor();
  await page.getByRole('button', { name: 'Next object' }).click();
  await panel(page).getByRole('heading', { name: 'Middleton', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Next object' }).click();
  await panel(page).getByRole('heading', { name: 'North' }).waitFor();
  assert.equal(await field(page, 'Population').textContent(), '1,234,567');
  assert.equal(await field(page, 'Founded').textContent(), 'March 1, 1922');
  assert.equal(await field(page, 'Open').textContent(), 'Yes');
  assert.equal(await field(page, 'Site').getByRole('link').getAttribute('href'), 'https://example.org/north');
  assert.equal(await field(page, 'Note').textContent(), hostile, 'hostile values are shown as they are');
  assert.equal(await panel(page).getByText('Blank').count(), 0, 'what is empty is left out');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });

  await page.getByRole('treeitem', { name: 'Towns' }).click();
  await clickMap(page, { x: 640, y: 400 });
  await panel(page).getByRole('heading', { name: 'North' }).waitFor();
  assert.equal(await panel(page).getByText('1 of').count(), 0, 'a layer that is off is not asked');
  await page.keyboard.press('Escape');
  await clickMap(page, { x: 1150, y: 400 });
  await panel(page).getByText('There is no object here').waitFor();
  await page.getByRole('treeitem', { name: 'Towns' }).click();
  assert.equal(await isHacked(page), false);
  assert.deepEqual(problems, []);
});

pageTest('the language switch changes data and texts', async () => {
  const { page, problems } = await open(north);
  await drawn(page);
  await clickMap(page, { x: 640, y: 400 });
  await panel(page).getByRole('heading', { name: 'Middleton' }).waitFor();
  await page.getByTestId('language').click();
  await Promise.all([
    page.waitForResponse((response) => isTile(response) && response.url().includes('lng=ru')),
    page.getByRole('menuitemradio', { name: 'Русский' }).click(),
  ]);
  await page.getByRole('treeitem', { name: 'Города' }).waitFor();
  await panel(page).getByRole('heading', { name: 'Мидлтон' }).waitFor();
  await panel(page).getByText('1 из 3').waitFor();
  await field(page, 'Название').waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru');
  await page.reload();
  await page.getByRole('treeitem', { name: 'Города' }).waitFor();
  assert.deepEqual(problems, []);
});

pageTest('the keyboard reaches layers, map and objects', async () => {
  const { page, problems } = await open(north);
  await drawn(page);
  const focused = () =>
    page.evaluate<string>(
      "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
    );
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to the map');
  for (let i = 0; i < 10 && !/^Towns/.test(await focused()); i++) await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Towns', 'Tab reaches the tree');
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
  assert.equal(outline, 'solid', 'the focus is visible');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(), 'Lands');
  await Promise.all([tileOf(page, 1), page.keyboard.press('Space')]);
  assert.equal(await page.getByRole('treeitem', { name: 'Lands' }).getAttribute('aria-checked'), 'false');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  assert.match(await focused(), /^Map\. The arrow keys/);
  await drawn(page);
  await page.keyboard.press('Enter');
  await panel(page).getByText('1 of 3').waitFor();
  assert.equal(await focused(), 'Middleton Station', 'the focus goes to what was found');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  assert.match(await focused(), /^Map\./, 'and back to the map');
  const before = page.url();
  await page.keyboard.press('ArrowRight');
  await until(page, `location.href !== ${JSON.stringify(before)}`);
  assert.deepEqual(problems, []);
});

pageTest('the address contains the view, and the map starts with it', async () => {
  const { page } = await open('#6/30/5');
  await drawn(page);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await until(page, 'location.hash.startsWith("#7/")');
  await clickMap(page, { x: 640, y: 400 });
  await panel(page).getByRole('heading', { name: 'Southport' }).waitFor();
});

pageTest('layers and objects are sheets on a phone', async () => {
  const { page, problems } = await open(north, phone);
  await drawn(page);
  const tree = page.getByRole('tree');
  assert.equal(await tree.isVisible(), false, 'the map has the screen');
  await page.getByRole('button', { name: 'Show layers' }).tap();
  await page.getByRole('treeitem', { name: 'Lands' }).tap();
  assert.equal(await page.getByRole('treeitem', { name: 'Lands' }).getAttribute('aria-checked'), 'false');
  await page.getByRole('treeitem', { name: 'Lands' }).tap();
  await checkTargets(page);
  await page.locator('#layers').getByRole('button', { name: 'Close' }).tap();
  await tree.waitFor({ state: 'hidden' });
  const { x, y } = await centerOf(page);
  await page.touchscreen.tap(x, y);
  await panel(page).getByText('1 of 3').waitFor();
  const box = (await panel(page).boundingBox())!;
  assert.ok(box.y > 300 && Math.round(box.y + box.height) === 844 && box.width === 390, 'a sheet from below');
  await checkTargets(page);
  await assertFits(page);
  assert.deepEqual(problems, []);
});
