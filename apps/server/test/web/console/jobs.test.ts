import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { dbfOf, shpOf } from '../../formats/shapefiles/shapefile-bytes.js';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import type { OpenPage } from '../browser.js';
import { pageTest, useSite } from '../site.js';
import { makeUser, passwordOf, shot, signIn, stored, withoutRefusals } from './people.js';

/** The jobs of a person at a city office, from the sign-in to the published map, which is looked at without a session. */

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/rights/': 'view', '/atlas/rights/': 'administer' });
});

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
});
const dialog = (page: Page) => page.getByRole('dialog', { name: /Import/ });
const legend = (page: Page) => page.getByRole('region', { name: 'Legend' });
const rows = (page: Page) => dialog(page).getByRole('region', { name: 'First objects' });

async function openWorkspace(): Promise<OpenPage> {
  const opened = await site.open('/console/demo/atlas/', { density: 1 });
  await signIn(opened.page, 'ann', passwordOf('ann'));
  await opened.page.getByTestId('files').waitFor({ state: 'attached' });
  return opened;
}

async function carryOut(page: Page, objects: string): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
  await dialog(page).getByText(objects).waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await dialog(page).waitFor({ state: 'detached' });
}

/** Saves the style, and opens the map page without a session: new layers are shown there. */
async function publish(page: Page, name: string): Promise<OpenPage> {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').getByText(`Saved: ${name}`).waitFor();
  return site.open('/maps/demo/atlas/');
}

async function finish({ page, problems }: OpenPage): Promise<void> {
  assert.deepEqual(withoutRefusals(problems), []);
  await page.context().close();
}

/** The record of a square in a .shp. */
function square(west: number, south: number): Buffer {
  const corners = [
    [west, south],
    [west, south + 1],
    [west + 1, south + 1],
    [west + 1, south],
    [west, south],
  ] as const;
  const content = Buffer.alloc(48 + 16 * corners.length);
  content.writeInt32LE(5, 0);
  for (const [i, bound] of [west, south, west + 1, south + 1].entries())
    content.writeDoubleLE(bound, 4 + 8 * i);
  content.writeInt32LE(1, 36);
  content.writeInt32LE(corners.length, 40);
  for (const [i, [x, y]] of corners.entries()) {
    content.writeDoubleLE(x, 48 + 16 * i);
    content.writeDoubleLE(y, 56 + 16 * i);
  }
  return content;
}

/** Letters of windows-1251. */
const cyrillic = (text: string): Buffer =>
  Buffer.from([...text].map((c) => (c >= 'А' ? c.charCodeAt(0) - 0x410 + 0xc0 : c.charCodeAt(0))));

pageTest(
  'a shapefile of districts in cp1251 becomes a map with five classes, legend and labels',
  async () => {
    const opened = await openWorkspace();
    const { page } = opened;
    const table = dbfOf(
      [
        ['NAME', 'C', 30],
        ['PEOPLE', 'N', 9],
      ],
      Array.from({ length: 10 }, (_, i) => ({
        mark: ' ',
        values: [cyrillic(`Район ${i + 1}`), String((i + 1) * 1000).padStart(9)],
      })),
    );
    const shapes = shpOf(Array.from({ length: 10 }, (_, i) => square(2 + (i % 5), 42 + Math.floor(i / 5))));
    await page
      .getByTestId('files')
      .setInputFiles([
        file('districts.shp', shapes),
        file('districts.dbf', table),
        file(
          'districts.prj',
          'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
        ),
      ]);
    await rows(page).waitFor();
    await dialog(page).getByLabel('Encoding of texts').fill('cp866');
    await dialog(page).getByRole('button', { name: 'Look again with this' }).click();
    await rows(page).waitFor();
    assert.equal(await rows(page).getByRole('cell', { name: 'Район 1', exact: true }).count(), 0);
    await dialog(page).getByLabel('Encoding of texts').fill('windows-1251');
    await dialog(page).getByRole('button', { name: 'Look again with this' }).click();
    await rows(page).getByRole('cell', { name: 'Район 1', exact: true }).waitFor();
    await dialog(page).getByRole('img', { name: 'Sketch of what the file holds' }).waitFor();
    await carryOut(page, '10 objects are stored');
    // The map shows what has been imported: five by two degrees around 4.5 E, 43 N.
    await page.waitForURL(({ hash }) => /^#[4-9][.\d]*\/4[23][.\d]*\/4[.\d]*/.test(hash));

    await page.getByRole('tab', { name: 'Style' }).click();
    await stored(page, () => page.getByLabel('Drawn as').selectOption('thematic'));
    await legend(page).getByRole('listitem').nth(5).waitFor();
    await page.locator('summary', { hasText: 'Labels' }).click();
    await stored(page, () => page.getByLabel('Written from').selectOption({ label: 'NAME' }));
    await page.waitForLoadState('networkidle');
    await shot(page, 'job-districts');
    const map = await publish(page, 'districts');
    await map.page
      .getByRole('figure', { name: 'Legend of districts' })
      .getByRole('listitem')
      .nth(4)
      .waitFor();
    await finish(map);
    await finish(opened);
  },
);

/** Imports a file that changes one of the addresses, and adds another. */
async function updateByKey(page: Page): Promise<void> {
  await page
    .getByTestId('files')
    .setInputFiles(
      file('news.csv', `address,kind,zip,lat,lon\nStreet 0,cafe,009,45,3\nStreet 9,cafe,010,47,9\n`),
    );
  await rows(page).waitFor();
  await dialog(page).getByRole('radio', { name: 'Update the objects of a layer' }).check();
  await rows(page).waitFor();
  await dialog(page)
    .getByRole('combobox', { name: 'Layer', exact: true })
    .selectOption({ label: 'addresses' });
  await rows(page).waitFor();
  await dialog(page).getByLabel('Same object by').selectOption({ label: 'Where' });
  await dialog(page).getByText('1 are added, 1 are changed').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await carryOut(page, '2 objects are stored');
  const [{ fields }] = await site.server.admin(
    'GET',
    `/atlas/layers/addresses/objects/?fields=*&filter=${encodeURIComponent(JSON.stringify({ op: '=', args: [{ property: 'zip' }, '009'] }))}`,
  );
  assert.deepEqual([fields.address, fields.kind], ['Street 0', 'cafe']);
  assert.equal(await site.server.admin('GET', '/atlas/layers/addresses/count/?precise=true'), 5);
}

pageTest(
  'a table with coordinates in two columns becomes points with icons; a wrong import is mended',
  async () => {
    const opened = await openWorkspace();
    const { page } = opened;
    const places = ['school', 'cafe', 'school', 'cafe'].map(
      (kind, i) => `Street ${i},${kind},00${i},${45 + i},${3 + i},secret`,
    );
    await page
      .getByTestId('files')
      .setInputFiles(file('addresses.csv', `address,kind,zip,north,east,note\n${places.join('\n')}\n`));
    await rows(page).waitFor();
    const { x, y } = { x: page.getByLabel('Longitude or x'), y: page.getByLabel('Latitude or y') };
    await x.selectOption('east');
    await y.selectOption('north');
    await dialog(page).getByLabel('Take note').uncheck();
    await dialog(page).getByLabel('Title of address').fill('Where');
    await dialog(page).getByLabel('Type of zip').selectOption('string');
    assert.equal(await dialog(page).getByRole('button', { name: 'Import', exact: true }).isDisabled(), true);
    await dialog(page).getByRole('button', { name: 'Look again with this' }).first().click();
    await rows(page).getByRole('columnheader', { name: 'Where' }).waitFor();
    await rows(page).getByRole('cell', { name: '003' }).waitFor();
    assert.equal(await rows(page).getByText('secret').count(), 0);
    await dialog(page).getByRole('img', { name: 'Sketch of what the file holds' }).waitFor();
    assert.equal(await dialog(page).getByLabel('Take note').isChecked(), false);
    assert.deepEqual(await findingsOf(page), []);
    await shot(page, 'job-addresses-preview');
    await carryOut(page, '4 objects are stored');

    await page.getByRole('tab', { name: 'Style' }).click();
    await stored(page, () => page.getByLabel('Drawn as').selectOption('categories'));
    await stored(page, () =>
      page.getByRole('combobox', { name: 'Column', exact: true }).selectOption({ label: 'kind' }),
    );
    await stored(page, () => page.getByLabel('Icon of school').selectOption('star'));
    await stored(page, () => page.getByLabel('Icon of cafe').selectOption('square'));
    await page.waitForLoadState('networkidle');
    await shot(page, 'job-addresses');
    const map = await publish(page, 'addresses');
    const shown = map.page.getByRole('figure', { name: 'Legend of addresses' });
    await shown.getByText('school').waitFor();
    await shown.getByText('cafe').waitFor();
    await finish(map);

    await updateByKey(page);
    await finish(opened);
  },
);

pageTest(
  'many files at once become a layer each; one that is broken is told, and the others go on',
  async () => {
    const opened = await openWorkspace();
    const { page } = opened;
    const table = (i: number): string => `name,lon,lat\nPlace ${i},${i},${40 + i}\n`;
    const files = Array.from({ length: 6 }, (_, i) => file(`part ${i}.csv`, table(i)));
    files[3] = file('part 3.shp', 'no shapefile');
    await page.getByTestId('files').setInputFiles(files);
    await dialog(page).getByText('5 more files wait').waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await dialog(page).getByRole('button', { name: 'Make a layer of each of the 6 files' }).click();
    const broken = page.getByRole('dialog', { name: 'Import part 3.shp' });
    await broken.getByRole('alert').getByText(/./).waitFor();
    await broken.getByRole('button', { name: 'Cancel' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    for (const i of [0, 1, 2, 4, 5]) await page.getByRole('treeitem', { name: `part ${i}` }).waitFor();
    await page
      .getByRole('treeitem', { name: 'part 5' })
      .and(page.locator('[aria-selected="true"]'))
      .waitFor();
    await finish(opened);
  },
);

const placeOf = (id: number, lon: number) => ({
  type: 'Feature',
  id,
  properties: { name: `Place ${id}`, kind: 'old', visits: id },
  geometry: { type: 'Point', coordinates: [lon, 50] },
});

pageTest('twenty cells, three shapes and a photograph are corrected in one sitting', async () => {
  const { server } = site;
  await server.admin('POST', '/atlas/layers/', { code: 'places', name: 'Places' });
  const features = Array.from({ length: 10 }, (_, i) => placeOf(i + 1, i));
  await server.admin('POST', '/atlas/layers/places/import/', { type: 'FeatureCollection', features });
  await server.admin('POST', '/atlas/layers/places/structure/', { code: 'photo', type: 'file' });
  const { bytes: picture } = await server.request('GET', '//tms/demo/atlas/?z=0&x=0&y=0');
  const opened = await openWorkspace();
  const { page } = opened;
  await page.getByRole('treeitem', { name: 'Places' }).click();
  await page.getByRole('button', { name: 'Open the table of Places' }).click();
  const cell = (row: number, column: number) =>
    page.locator(`[role=grid] [data-row="${row - 1}"][data-column="${column}"]`);
  // Two columns of ten rows, by keyboard.
  for (const [column, texts] of [
    [3, Array.from({ length: 10 }, (_, i) => `kind ${i}`)],
    [4, Array.from({ length: 10 }, (_, i) => String(1000 + i))],
  ] as const) {
    await cell(1, column).click();
    for (const text of texts) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    }
  }
  await cell(10, 4).getByText('1009').and(page.locator(':not([aria-busy])')).waitFor();
  for (const row of [1, 2, 3]) await moveTo(page, cell(row, 0), row, [20 + row, 30]);
  await cell(1, 5).click();
  await page.keyboard.press('Enter');
  const files = page.getByRole('dialog', { name: 'photo of object 1' });
  await files
    .locator('input[type=file]')
    .setInputFiles({ name: 'place.png', mimeType: 'image/png', buffer: picture });
  await files.getByRole('link', { name: 'place.png' }).locator('img').waitFor();
  await page.keyboard.press('Escape');
  await cell(1, 5).getByRole('img', { name: 'place.png' }).waitFor();
  await shot(page, 'job-corrections');

  const objects = await server.request(
    'GET',
    '/atlas/layers/places/objects/?fields=kind,visits&returnGeom=1',
  );
  const stored = objects.json as {
    fields: { kind: string; visits: number };
    geom: { coordinates: number[] };
  }[];
  assert.deepEqual(
    stored.map(({ fields: { kind, visits } }) => `${kind} ${visits}`),
    Array.from({ length: 10 }, (_, i) => `kind ${i} ${1000 + i}`),
  );
  assert.deepEqual(
    stored.slice(0, 4).map(({ geom }) => geom.coordinates),
    [...[1, 2, 3].map((row) => [20 + row, 30]), [3, 50]],
  );
  const map = await site.open('/maps/demo/atlas/?object=places/1#6/30/21');
  await map.page.getByText('kind 0', { exact: true }).waitFor();
  await map.page.getByRole('img', { name: 'place.png' }).waitFor();
  await finish(map);
  await finish(opened);
});

/** Gives a point other coordinates. */
async function moveTo(page: Page, row: Locator, id: number, to: [number, number]): Promise<void> {
  await row.click();
  await page.getByRole('button', { name: 'Draw the shape' }).click();
  await page.getByText('Coordinates', { exact: true }).press('Enter');
  await page.getByLabel('Geometry as GeoJSON').fill(JSON.stringify({ type: 'Point', coordinates: to }));
  await page.getByRole('button', { name: 'Take over' }).press('Enter');
  await page
    .getByRole('region', { name: /^Shape of object/ })
    .getByRole('button', { name: 'Save', exact: true })
    .press('Enter');
  await page.getByRole('status').getByText(`The shape of object ${id} has been saved`).waitFor();
}

pageTest('nobody sees a style of a published map half done', async () => {
  const seen = async (): Promise<string> => {
    const tile = await fetch(`${site.server.url}/tms/demo/atlas/?z=2&x=2&y=2&layers=${layer.id}`);
    return Buffer.from(await tile.arrayBuffer()).toString('base64');
  };
  const layer = await site.server.admin('GET', '/atlas/layers/lands/');
  const before = await seen();
  const opened = await openWorkspace();
  const { page } = opened;
  await page.getByRole('treeitem', { name: 'Lands' }).click();
  await page.getByRole('tab', { name: 'Style' }).click();
  const editor = page.getByRole('textbox', { name: 'CartoCSS' });
  await editor.click();
  await page.keyboard.press('Control+A');
  await stored(page, () => page.keyboard.insertText('#lands { polygon-fill: #c2255c; }'));
  await page.keyboard.insertText(' #lands { line-wid');
  await page
    .getByRole('button', { name: /^Line 1, column/ })
    .first()
    .waitFor();
  assert.equal(await seen(), before, 'the public sees what is saved');
  await stored(page, () => page.keyboard.insertText('th: 5; line-color: #000; }'));
  assert.equal(await seen(), before);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').getByText('Saved: Lands').waitFor();
  assert.notEqual(await seen(), before);
  await finish(opened);
});
