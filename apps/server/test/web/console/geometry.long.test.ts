import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits, type BrowserProfile, type OpenPage } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { finish, makeUser, passwordOf, shot, signIn } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
});

/** Opens the table with the map at a place, and the drawing of the object in a row. */
async function openDrawing(
  row: number,
  profile: BrowserProfile = {},
  prepare?: (page: Page) => Promise<unknown>,
): Promise<OpenPage> {
  const opened = await site.open('/console/demo/atlas/?item=lands&table=1#3/45/10', profile);
  const { page } = opened;
  await prepare?.(page);
  await signIn(page, 'ann', passwordOf('ann'));
  await grid(page)
    .locator(`[data-row="${row - 1}"][data-column="0"]`)
    .click();
  await page.getByRole('button', { name: 'Draw the shape' }).click();
  await page.getByRole('region', { name: /^Shape of object/ }).waitFor();
  await page
    .getByRole('region', { name: 'Map', exact: true })
    .and(page.locator('[aria-busy="false"]'))
    .waitFor();
  return opened;
}

/** Waits until the tools are on the map. */
const ready = (page: Page) =>
  page.getByRole('toolbar', { name: 'Drawing tools' }).and(page.locator('[aria-busy="false"]')).waitFor();

const grid = (page: Page) => page.getByRole('grid');
const news = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
const geometryOf = (id: number) =>
  site.server.admin('GET', `/atlas/layers/lands/objects/${id}/geom/`) as Promise<{
    type: string;
    coordinates: any;
  }>;
const save = (page: Page) =>
  page.getByRole('region', { name: /^Shape of object/ }).getByRole('button', { name: 'Save', exact: true });

/** The place on the screen of a position, by the place of the map in the address. */
async function onScreen(page: Page, lon: number, lat: number): Promise<{ x: number; y: number }> {
  const box = (await page.getByTestId('map').boundingBox())!;
  const [zoom, centerLat, centerLon] = new URL(page.url()).hash.slice(1).split('/').map(Number);
  const size = 512 * 2 ** zoom!;
  const y = (degrees: number): number =>
    (0.5 - Math.log(Math.tan(Math.PI / 4 + (degrees * Math.PI) / 360)) / (2 * Math.PI)) * size;
  return {
    x: box.x + box.width / 2 + ((lon - centerLon!) / 360) * size,
    y: box.y + box.height / 2 + y(lat) - y(centerLat!),
  };
}

async function clickAt(page: Page, lon: number, lat: number): Promise<void> {
  const { x, y } = await onScreen(page, lon, lat);
  await page.mouse.move(x, y, { steps: 3 });
  await page.mouse.click(x, y);
}

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  const [start, end] = [await onScreen(page, ...from), await onScreen(page, ...to)];
  await page.mouse.move(start.x, start.y, { steps: 3 });
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 8 });
  await page.mouse.up();
}

const isNear = (position: number[], [lon, lat]: [number, number]): boolean =>
  Math.abs(position[0]! - lon) < 1 && Math.abs(position[1]! - lat) < 1;

pageTest(
  'a vertex is moved, taken back step by step, and stored; the table takes the change back',
  async () => {
    const opened = await openDrawing(1);
    const { page } = opened;
    await ready(page);
    assert.deepEqual(await findingsOf(page), []);
    const before = await geometryOf(1);
    const undo = page.getByRole('button', { name: 'Undo a step' });
    await drag(page, [20, 40], [26, 44]);
    await undo.and(page.locator(':enabled')).waitFor();
    await shot(page, 'drawing');
    await undo.click();
    await undo.and(page.locator(':disabled')).waitFor();
    await drag(page, [20, 40], [26, 44]);
    await undo.and(page.locator(':enabled')).waitFor();
    await save(page).click();
    await news(page, 'The shape of object 1 has been saved');
    const { coordinates } = await geometryOf(1);
    assert.ok(
      coordinates[0].some((one: number[]) => isNear(one, [26, 44])),
      JSON.stringify(coordinates),
    );
    assert.ok(coordinates[0].some((one: number[]) => one[0] === 20 && one[1] === 60));
    await page.getByRole('button', { name: 'Undo: Shape of object 1' }).click();
    await news(page, 'Undone: Shape of object 1');
    assert.deepEqual(await geometryOf(1), before);
    await finish(site, opened);
  },
);

/** Ctrl Z with Russian letters. */
const pressRussianZ =
  "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'я', code: 'KeyZ', ctrlKey: true, bubbles: true, cancelable: true }))";

pageTest('an area is drawn with a hole and a second part', async () => {
  const { id } = await site.server.admin('POST', '/atlas/layers/lands/objects/', { fields: {} });
  const opened = await openDrawing(3);
  const { page } = opened;
  await page.getByText('What do you want to draw?').waitFor();
  await page.getByRole('button', { name: 'Area', exact: true }).click();
  const draw = async (positions: [number, number][]): Promise<void> => {
    for (const [lon, lat] of [...positions, positions[0]!]) await clickAt(page, lon, lat);
  };
  await page.getByText('Click each corner').waitFor();
  await ready(page);
  await clickAt(page, 22, 40);
  await clickAt(page, 31, 40);
  await clickAt(page, -10, 44);
  await page.getByRole('button', { name: 'Undo a step' }).and(page.locator(':enabled')).waitFor();
  await page.evaluate(pressRussianZ);
  for (const [lon, lat] of [
    [31, 50],
    [22, 50],
    [22, 40],
  ] as const)
    await clickAt(page, lon, lat);
  await page.getByText('Drag vertices').waitFor();
  await page.getByRole('button', { name: 'Cut a hole' }).click();
  await draw([
    [-14, 42],
    [-6, 42],
    [-6, 48],
  ]);
  await page.getByRole('alert').getByText('A hole lies outside of the area').waitFor();
  assert.equal(await save(page).isDisabled(), true);
  await page.getByRole('button', { name: 'Undo a step' }).click();
  await page.getByRole('alert').getByText('A hole lies outside').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cut a hole' }).click();
  await draw([
    [24, 43],
    [29, 43],
    [29, 47],
  ]);
  await page.getByText('Drag vertices').waitFor();
  await page.getByRole('button', { name: 'Add a part' }).click();
  await draw([
    [-14, 42],
    [-6, 42],
    [-6, 48],
  ]);
  await page.getByText('Drag vertices').waitFor();
  await shot(page, 'drawing-parts');
  await save(page).click();
  await news(page, 'has been saved');
  const { type, coordinates } = await geometryOf(id);
  assert.equal(type, 'MultiPolygon');
  assert.deepEqual(
    coordinates.map((part: number[][][]) => part.map((ring) => ring.length)),
    [[5, 4], [4]],
  );
  await finish(site, opened);
});

pageTest('an outline that crosses itself is not stored; coordinates outlive the page', async () => {
  const opened = await openDrawing(2);
  const { page } = opened;
  await ready(page);
  await page.getByText('Coordinates', { exact: true }).press('Enter');
  const text = page.getByLabel('Geometry as GeoJSON');
  const ring = (corners: number[][]) => JSON.stringify({ type: 'Polygon', coordinates: [corners] });
  await text.fill(
    ring([
      [0, 20],
      [20, 40],
      [20, 20],
      [0, 40],
      [0, 20],
    ]),
  );
  await page.getByRole('button', { name: 'Take over' }).press('Enter');
  await page.getByText('The outline crosses itself').waitFor();
  assert.equal(await save(page).isDisabled(), true);
  assert.deepEqual(await findingsOf(page), []);
  await text.fill('{"type": "Point", "coordinates": [1, 2]}');
  await page.getByRole('button', { name: 'Take over' }).press('Enter');
  await page.getByText('This is no geometry of one kind in GeoJSON.').waitFor();
  await text.fill(
    ring([
      [0, 20],
      [21, 20],
      [20, 40],
      [0, 40],
      [0, 20],
    ]),
  );
  await page.getByRole('button', { name: 'Take over' }).press('Enter');
  await page.getByText('The outline crosses itself').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByText('The shape of object 2 that was drawn has not been saved').waitFor();
  await grid(page).getByRole('rowheader', { name: '2', exact: true }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await page.getByRole('button', { name: 'Go on drawing' }).press('Enter');
  await ready(page);
  await save(page).press('Enter');
  await news(page, 'The shape of object 2 has been saved');
  assert.deepEqual((await geometryOf(2)).coordinates[0][1], [21, 20]);
  await page.reload();
  await grid(page).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Go on drawing' }).count(), 0);
  await finish(site, opened);
});

pageTest(
  'coordinates that are entered while the tools are loaded are taken once they are there',
  async () => {
    let load = (): void => {};
    const loading = new Promise<void>((resolve) => {
      load = resolve;
    });
    const opened = await openDrawing(2, {}, (page) =>
      page.route('**/assets/Drawing-*.js', (route) => loading.then(() => route.continue())),
    );
    const { page } = opened;
    await page.getByText('Coordinates', { exact: true }).press('Enter');
    const text = page.getByLabel('Geometry as GeoJSON');
    const entered = '{"type":"Polygon","coordinates":[[[0,0],[7,0],[0,7],[0,0]]]}';
    await text.fill(entered);
    const takeOver = page.getByRole('button', { name: 'Take over' });
    assert.deepEqual([await takeOver.isDisabled(), await save(page).isDisabled()], [true, true]);
    assert.equal(await text.inputValue(), entered);
    load();
    await ready(page);
    await takeOver.press('Enter');
    await save(page).press('Enter');
    await news(page, 'The shape of object 2 has been saved');
    assert.deepEqual((await geometryOf(2)).coordinates[0][1], [7, 0]);
    await finish(site, opened);
  },
);

pageTest('of two who draw one object the second chooses; other values do not disturb', async () => {
  const opened = await openDrawing(1);
  const { page } = opened;
  await ready(page);
  await drag(page, [20, 40], [26, 44]);
  await page.getByRole('button', { name: 'Undo a step' }).and(page.locator(':enabled')).waitFor();
  await site.server.admin('PUT', '/atlas/layers/lands/objects/1/', { fields: { population: 5 } });
  await save(page).click();
  await news(page, 'has been saved');
  await page.getByRole('button', { name: 'Draw the shape' }).click();
  await ready(page);
  await drag(page, [0, 40], [-4, 43]);
  await page.getByRole('button', { name: 'Undo a step' }).and(page.locator(':enabled')).waitFor();
  const theirs = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 40],
        [9, 40],
        [9, 50],
        [0, 40],
      ],
    ],
  };
  await site.server.admin('PUT', '/atlas/layers/lands/objects/1/geom/', theirs);
  await save(page).click();
  const conflict = page.getByRole('dialog', { name: 'Somebody else has saved this meanwhile' });
  await conflict.getByText('4 vertices').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'drawing-conflict');
  await conflict.getByRole('button', { name: 'Save this choice' }).click();
  await conflict.waitFor({ state: 'detached' });
  await page.getByRole('region', { name: /^Shape of object/ }).waitFor({ state: 'detached' });
  assert.equal((await geometryOf(1)).coordinates[0].length, 5);
  await finish(site, opened);
});

pageTest('an area across the antimeridian is stored as two parts, and both are edited there', async () => {
  const { id } = await site.server.admin('POST', '/atlas/layers/lands/objects/', { fields: {} });
  const far = (page: Page) => page.goto(`${site.server.url}/console/demo/atlas/?item=lands&table=1#3/45/178`);
  const opened = await openDrawing(id, {}, far);
  const { page } = opened;
  await page.getByRole('button', { name: 'Area', exact: true }).click();
  await ready(page);
  for (const [lon, lat] of [
    [172, 40],
    [186, 40],
    [186, 50],
    [172, 50],
    [172, 40],
  ] as const)
    await clickAt(page, lon, lat);
  await page.getByText('Drag vertices').waitFor();
  await save(page).click();
  await news(page, 'has been saved');
  const drawn = await geometryOf(id);
  assert.equal(drawn.type, 'MultiPolygon');
  const lngs = (part: number[][][]): number[] =>
    [...new Set(part[0]!.map(([lng]) => Math.round(lng!)))].sort((a, b) => a - b);
  assert.deepEqual(drawn.coordinates.map(lngs), [
    [172, 180],
    [-180, -174],
  ]);
  await page.getByRole('button', { name: 'Draw the shape' }).click();
  await ready(page);
  await clickAt(page, 184, 45);
  await drag(page, [186, 50], [189, 53]);
  const undo = page.getByRole('button', { name: 'Undo a step' }).and(page.locator(':enabled'));
  await undo.click();
  await undo.waitFor({ state: 'detached' });
  await clickAt(page, 184, 45);
  await drag(page, [186, 50], [189, 53]);
  await undo.waitFor();
  await save(page).click();
  await news(page, 'has been saved');
  const { coordinates } = await geometryOf(id);
  assert.deepEqual(coordinates[0], drawn.coordinates[0]);
  assert.ok(coordinates[1][0].some((one: number[]) => isNear(one, [-171, 53])));
  await site.server.admin('DELETE', `/atlas/layers/lands/objects/${id}/`);
  await finish(site, opened);
});

pageTest(
  'the map goes to a shape of which it shows nothing; a text that is refused changes nothing',
  async () => {
    const ring = [
      [0, 20],
      [20, 20],
      [20, 40],
      [0, 20],
    ];
    await site.server.admin('PUT', '/atlas/layers/lands/objects/2/geom/', {
      type: 'Polygon',
      coordinates: [ring],
    });
    const elsewhere = (page: Page) =>
      page.goto(`${site.server.url}/console/demo/atlas/?item=lands&table=1#3/-40/-120`);
    const opened = await openDrawing(2, {}, elsewhere);
    const { page } = opened;
    await ready(page);
    await page.waitForURL(({ hash }) => {
      const [, lat, lon] = hash.slice(1).split('/').map(Number);
      return Math.abs(lat! - 31) < 4 && Math.abs(lon! - 12) < 4;
    });
    await page.getByText('Coordinates', { exact: true }).press('Enter');
    const text = page.getByLabel('Geometry as GeoJSON');
    const before = await text.inputValue();
    await text.fill('{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,95],[0,0]]]}');
    await page.getByRole('button', { name: 'Take over' }).press('Enter');
    await page.getByText('This is no geometry of one kind in GeoJSON.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo a step' }).isDisabled(), true);
    // What was drawn is still there: another tool reads it from the map.
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('toolbar', { name: 'Drawing tools' }).getByText('km²').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Draw the shape' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Go on drawing' }).count(), 0);
    assert.deepEqual(JSON.parse(before), await geometryOf(2));
    await finish(site, opened);
  },
);

pageTest('drawing: axe finds nothing on a phone, in the dark', async () => {
  const opened = await openDrawing(1, { ...phone, dark: true });
  const { page } = opened;
  await ready(page);
  assert.deepEqual(await findingsOf(page), []);
  await assertFits(page);
  await shot(page, 'drawing-phone');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('region', { name: /^Shape of object/ }).waitFor({ state: 'detached' });
  await finish(site, opened);
});
