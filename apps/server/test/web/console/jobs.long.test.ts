import assert from 'node:assert/strict';
import { ident, sql } from '@cartulary/sql/internal/sql.js';
import type { Locator, Page } from 'playwright-core';
import { dbfOf, shpOf } from '../../formats/shapefiles/shapefile-bytes.js';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import type { BrowserProfile, OpenPage } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { finger, type Hands, keyboard, mouse } from './hands.js';
import { finish, makeUser, openAs, passwordOf, shot, signIn, stored, workOf } from './people.js';

/** The jobs of a person at a city office, from the sign-in to the published map, which is looked at without a session. */

const site = useSite(async (server) => {
  await makeAtlas(server);
  // She may make maps, and is no administrator of the project.
  await makeUser(server, 'ann', { '/rights/': 'edit', '/atlas/rights/': 'administer' });
  await server.admin('POST', '/users/', { login: 'bob', password: passwordOf('bob') });
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
  const opened = await site.open('/console/demo/atlas/');
  await signIn(opened.page, 'ann', passwordOf('ann'));
  await opened.page.getByTestId('files').waitFor({ state: 'attached' });
  return opened;
}

/** Waits until the preview is that of what is chosen. */
const followed = (page: Page) => dialog(page).locator('[aria-busy="false"]').waitFor();

async function carryOut(page: Page, hands: Hands, objects: string): Promise<void> {
  await followed(page);
  await hands.press(dialog(page).getByRole('button', { name: 'Import', exact: true }));
  await dialog(page).getByText(objects).waitFor();
  await hands.press(dialog(page).getByRole('button', { name: 'Close' }).last());
  await dialog(page).waitFor({ state: 'detached' });
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

/** The files of ten districts with windows-1251 texts, which nothing in the files says. */
const districts = (): ReturnType<typeof file>[] => [
  file(
    'districts.shp',
    shpOf(Array.from({ length: 10 }, (_, i) => square(2 + (i % 5), 42 + Math.floor(i / 5)))),
  ),
  file(
    'districts.dbf',
    dbfOf(
      [
        ['NAME', 'C', 30],
        ['PEOPLE', 'N', 9],
      ],
      Array.from({ length: 10 }, (_, i) => ({
        mark: ' ',
        values: [cyrillic(`Район ${i + 1}`), String((i + 1) * 1000).padStart(9)],
      })),
    ),
  ),
  file(
    'districts.prj',
    'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]',
  ),
];

/** The persons who do the first jobs. */
const persons: [string, BrowserProfile, (page: Page) => Hands][] = [
  ['by keyboard alone', { density: 1 }, keyboard],
  ['on a phone', { ...phone }, finger],
];

/** Opens one of the panels, which on a phone are drawers. */
async function openPanel(page: Page, hands: Hands, name: 'Layers' | 'Details'): Promise<void> {
  if (await page.getByRole('region', { name, exact: true }).isVisible()) return;
  await hands.press(page.getByRole('button', { name, exact: true }));
}

/** Makes a map in the catalog, and gives it files. */
async function newMapOf(
  page: Page,
  hands: Hands,
  { name, files }: { name: string; files: ReturnType<typeof file>[] },
): Promise<void> {
  await hands.press(page.getByRole('button', { name: 'New map' }));
  await hands.write(page.getByRole('dialog').getByLabel('Name'), name);
  await hands.press(page.getByRole('button', { name: 'Make the map' }));
  await page.getByRole('heading', { level: 1, name, includeHidden: true }).waitFor({ state: 'attached' });
  await openPanel(page, hands, 'Layers');
  await hands.press(page.getByRole('button', { name: 'Add', exact: true }));
  const chooser = page.waitForEvent('filechooser');
  await hands.press(page.getByRole('menuitem', { name: 'Data or an image from a file' }));
  await (await chooser).setFiles(files);
  await rows(page).waitFor();
}

for (const [how, profile, handsOf] of persons)
  pageTest(
    `districts in cp1251 become a map of five classes, shared with one colleague: ${how}`,
    async (t) => {
      const opened = await site.open('/console/demo/', profile);
      const { page } = opened;
      const hands = handsOf(page);
      await signIn(page, 'ann', passwordOf('ann'));
      const name = `Districts ${how}`;
      await newMapOf(page, hands, { name, files: districts() });
      const encoding = dialog(page).getByLabel('Encoding of texts');
      await hands.write(encoding, 'cp866');
      await rows(page).getByRole('cell', { name: 'Район 1', exact: true }).waitFor({ state: 'detached' });
      await hands.write(encoding, 'windows-1251');
      await rows(page).getByRole('cell', { name: 'Район 1', exact: true }).waitFor();
      await dialog(page).getByRole('img', { name: 'Sketch of what the file holds' }).waitFor();
      await carryOut(page, hands, '10 objects are stored');
      // The map shows what has been imported: five by two degrees around 4.5 E, 43 N.
      await page.waitForURL(({ hash }) => /^#[4-9][.\d]*\/4[23][.\d]*\/4[.\d]*/.test(hash));

      await openPanel(page, hands, 'Details');
      await hands.press(page.getByRole('tab', { name: 'Style' }));
      await stored(page, () => hands.choose(page.getByLabel('Drawn as'), 'Thematic'));
      await legend(page).getByRole('listitem').nth(5).waitFor();
      await hands.press(page.locator('summary', { hasText: 'Labels' }));
      await stored(page, () =>
        hands.choose(page.getByRole('combobox', { name: 'Written from', exact: true }), 'NAME'),
      );
      await page.waitForLoadState('networkidle');
      await shot(page, `job-districts ${how}`);
      await hands.press(page.getByRole('button', { name: 'Save', exact: true }));
      await page.getByRole('status').getByText('Saved: districts').waitFor();

      const share = page.getByRole('dialog', { name: `Share ${name}` });
      if (profile.touch) await hands.press(page.getByRole('region', { name: 'Details' }).getByLabel('Close'));
      await openPanel(page, hands, 'Layers');
      await hands.press(page.getByRole('button', { name: 'Share', exact: true }));
      await hands.press(share.getByRole('tab', { name: 'Rights' }));
      await hands.write(share.getByLabel('Login of the user'), 'nobody');
      await hands.press(share.getByRole('button', { name: 'Give the right' }));
      await share.getByText('The project has no user or group of this name').waitFor();
      await hands.write(share.getByLabel('Login of the user'), 'bob');
      await hands.press(share.getByRole('button', { name: 'Give the right' }));
      await share.getByRole('status').getByText('Saved').waitFor();
      assert.deepEqual(await findingsOf(page), []);
      await shot(page, `job-share ${how}`);

      const address = `/maps/demo/${new URL(page.url()).pathname.split('/').at(-2)}/`;
      const map = await openAs(site, 'bob', address);
      await map.page
        .getByRole('figure', { name: 'Legend of districts' })
        .getByRole('listitem')
        .nth(4)
        .waitFor();
      t.diagnostic(await workOf(page));
      const others = await site.open(address);
      await others.page.locator('input[name=login]').waitFor();
      for (const one of [others, map, opened]) await finish(site, one);
    },
  );

const addressRows = ['school', 'cafe', 'school', 'cafe'].map(
  (kind, i) => `Street ${i},${kind},00${i},${45 + i},${3 + i},secret`,
);
const addressTable = () =>
  file('addresses.csv', `address,kind,zip,north,east,note\n${addressRows.join('\n')}\n`);

/** Says which columns hold the coordinates. */
async function chooseCoordinates(page: Page, hands: Hands): Promise<void> {
  await hands.choose(page.getByLabel('Longitude or x'), 'east');
  await hands.choose(page.getByLabel('Latitude or y'), 'north');
}

/** Draws the imported addresses with an icon for each kind. */
async function drawKinds(page: Page, hands: Hands): Promise<void> {
  await hands.press(page.getByRole('tab', { name: 'Style' }));
  await stored(page, () => hands.choose(page.getByLabel('Drawn as'), 'Categories'));
  await stored(page, () => hands.choose(page.getByRole('combobox', { name: 'Column', exact: true }), 'kind'));
  await stored(page, () => hands.choose(page.getByLabel('Icon of school'), 'star'));
  await stored(page, () => hands.choose(page.getByLabel('Icon of cafe'), 'square'));
  await page.waitForLoadState('networkidle');
}

for (const [how, profile, handsOf] of persons)
  pageTest(`a table with coordinates in two columns becomes points with icons: ${how}`, async (t) => {
    const opened = await site.open('/console/demo/', profile);
    const { page } = opened;
    const hands = handsOf(page);
    await signIn(page, 'ann', passwordOf('ann'));
    await newMapOf(page, hands, { name: `Addresses ${how}`, files: [addressTable()] });
    await chooseCoordinates(page, hands);
    await followed(page);
    await rows(page).getByRole('cell', { name: 'Street 3' }).waitFor();
    await dialog(page).getByRole('img', { name: 'Sketch of what the file holds' }).waitFor();
    await carryOut(page, hands, '4 objects are stored');
    await openPanel(page, hands, 'Details');
    await drawKinds(page, hands);
    await hands.press(page.getByRole('button', { name: 'Save', exact: true }));
    await page.getByRole('status').getByText('Saved: addresses').waitFor();
    if (profile.touch) await hands.press(page.getByRole('region', { name: 'Details' }).getByLabel('Close'));
    await openPanel(page, hands, 'Layers');
    await hands.press(page.getByRole('button', { name: 'Share', exact: true }));
    await hands.press(page.getByRole('dialog').getByLabel('Everybody'));
    await page.getByRole('dialog').getByRole('status').getByText('Saved').waitFor();
    const map = await site.open(`/maps/demo/${new URL(page.url()).pathname.split('/').at(-2)}/`);
    await map.page.getByRole('figure', { name: 'Legend of addresses' }).getByText('cafe').waitFor();
    t.diagnostic(await workOf(page));
    for (const one of [map, opened]) await finish(site, one);
  });

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
  await carryOut(page, mouse, '2 objects are stored');
  const [{ fields }] = await site.server.admin(
    'GET',
    `/atlas/layers/addresses/objects/?fields=*&filter=${encodeURIComponent(JSON.stringify({ op: '=', args: [{ property: 'zip' }, '009'] }))}`,
  );
  assert.deepEqual([fields.address, fields.kind], ['Street 0', 'cafe']);
  assert.equal(await site.server.admin('GET', '/atlas/layers/addresses/count/?precise=true'), 5);
}

pageTest('a wrong import is mended in the preview; later its objects are updated by their key', async (t) => {
  const opened = await openWorkspace();
  const { page } = opened;
  await page.getByTestId('files').setInputFiles(addressTable());
  await rows(page).waitFor();
  await chooseCoordinates(page, mouse);
  await dialog(page).getByLabel('Take note').uncheck();
  await dialog(page).getByLabel('Title of address').fill('Where');
  await dialog(page).getByLabel('Type of zip').selectOption('string');
  assert.equal(await dialog(page).getByRole('button', { name: 'Import', exact: true }).isDisabled(), true);
  await rows(page).getByRole('columnheader', { name: 'Where' }).waitFor();
  await rows(page).getByRole('cell', { name: '003' }).waitFor();
  assert.equal(await rows(page).getByText('secret').count(), 0);
  const sketch = dialog(page).getByRole('img', { name: 'Sketch of what the file holds' });
  await sketch.locator('[data-kind=land][d^=M]').first().waitFor();
  assert.equal(await dialog(page).getByLabel('Take note').isChecked(), false);
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'job-addresses-preview');
  await carryOut(page, mouse, '4 objects are stored');
  t.diagnostic(await workOf(page));
  await updateByKey(page);
  await finish(site, opened);
});

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
    await finish(site, opened);
  },
);

/** Objects of the layer that is corrected. With TEST_PLACES=1000000 the layer alone takes longer than all else here. */
const manyPlaces = Number(process.env.TEST_PLACES ?? 100_000);
const partPlaces = 50_000;

/** Makes a layer of points with the columns `name`, `kind`, `visits` and `photo`. */
async function makePlaces(): Promise<void> {
  const { server } = site;
  const { id } = await server.admin('POST', '/atlas/layers/', { code: 'places', name: 'Places' });
  const columns: string[] = [];
  for (const [code, type] of [
    ['name', 'string'],
    ['kind', 'string'],
    ['visits', 'number'],
    ['photo', 'file'],
  ]) {
    const made = await server.admin('POST', '/atlas/layers/places/structure/', { code, type });
    columns.push(`c${made.id}`);
  }
  const [name, kind, visits] = columns.map((column) => ident(column));
  // In parts, each well within the time of a statement.
  for (let from = 1; from <= manyPlaces; from += partPlaces)
    await server.db.transaction((tx) =>
      tx.query(sql`insert into ${ident('cartulary_data', `layer_${id}`)} (geom, ${name}, ${kind}, ${visits})
        select ST_SetSRID(ST_MakePoint((i % 1000) / 10.0, 50 - (i / 1000) / 50.0), 4326), 'Place ' || i, 'old', i
        from generate_series(${from}::integer, ${from + partPlaces - 1}::integer) i`),
    );
}

pageTest('of many objects, twenty cells, three shapes and a photograph are corrected', async (t) => {
  const { server } = site;
  const { bytes: picture } = await server.request('GET', '//tms/demo/atlas/?z=0&x=0&y=0');
  await makePlaces();
  const opened = await openWorkspace();
  const { page } = opened;
  await page.getByRole('treeitem', { name: 'Places' }).click();
  await page.getByRole('button', { name: 'Open the table of Places' }).click();
  const cell = (row: number, column: number) =>
    page.locator(`[role=grid] [data-row="${row - 1}"][data-column="${column}"]`);
  // What is typed before there is a row is not taken.
  await cell(10, 3).getByText('old').waitFor();
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
    '/atlas/layers/places/objects/?fields=kind,visits&returnGeom=1&limit=10',
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
    [...[1, 2, 3].map((row) => [20 + row, 30]), [0.4, 50]],
  );
  const map = await site.open('/maps/demo/atlas/?object=places/1#6/30/21');
  await map.page.getByText('kind 0', { exact: true }).waitFor();
  await map.page.getByRole('img', { name: 'place.png' }).waitFor();
  t.diagnostic(await workOf(page));
  await finish(site, map);
  await finish(site, opened);
});

/** Gives a point other coordinates. */
async function moveTo(page: Page, row: Locator, id: number, to: [number, number]): Promise<void> {
  await row.click();
  await page.getByRole('button', { name: 'Draw the shape' }).click();
  await page.getByText('Coordinates', { exact: true }).press('Enter');
  await page.getByLabel('Geometry as GeoJSON').fill(JSON.stringify({ type: 'Point', coordinates: to }));
  await page.locator('[aria-busy="false"][aria-label="Drawing tools"]').waitFor();
  await page.getByRole('button', { name: 'Take over' }).press('Enter');
  await page
    .getByRole('region', { name: /^Shape of object/ })
    .getByRole('button', { name: 'Save', exact: true })
    .press('Enter');
  await page.getByRole('status').getByText(`The shape of object ${id} has been saved`).waitFor();
}

pageTest('nobody sees a style of a published map half done', async (t) => {
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
  t.diagnostic(await workOf(page));
  await finish(site, opened);
});
