import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { fixture } from '../../formats/support.js';
import { adminPassword } from '../../support/settings.js';
import { hostile, makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits, type BrowserProfile, isHacked, type OpenPage, pressItem } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { makeUser, passwordOf, shot, signIn, withoutRefusals, workOf } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
});

async function openWorkspace(login = 'ann', profile: BrowserProfile = {}): Promise<OpenPage> {
  const opened = await site.open('/console/demo/atlas/', profile);
  await signIn(opened.page, login, login === 'admin' ? adminPassword : passwordOf(login));
  await opened.page.getByTestId('files').waitFor({ state: 'attached' });
  return opened;
}

const file = (name: string, text: string | Buffer) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
});

/** A table of towns. */
const towns = (rows = 3): string =>
  `name,people,lon,lat\n${Array.from({ length: rows }, (_, i) => `Town ${i},${i}00,${i % 90},${i % 60}`).join('\n')}\n`;

const dialog = (page: Page) => page.getByRole('dialog', { name: /Import/ });

/** Gives an import up; its upload is removed. */
async function cancel(page: Page): Promise<void> {
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await removed;
}

async function finish({ page, problems }: OpenPage): Promise<void> {
  assert.deepEqual(withoutRefusals(problems), []);
  await page.context().close();
}

pageTest('a file that is chosen becomes a new layer, after a preview that stores nothing', async () => {
  const opened = await openWorkspace('ann');
  const { page } = opened;
  const header = Buffer.from('name,note,lon,lat\n');
  const moscow = Buffer.from([0xcc, 0xee, 0xf1, 0xea, 0xe2, 0xe0]); // Москва in windows-1251
  const rest = Buffer.from(`,${hostile.replaceAll('"', '')},37.6,55.7\n`);
  await page
    .getByTestId('files')
    .setInputFiles(file('города.csv', Buffer.concat([header, moscow, rest, moscow, rest])));
  await dialog(page).getByRole('cell', { name: 'Москва' }).first().waitFor();
  assert.equal(await isHacked(page), false);
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'import-preview');
  assert.equal(await dialog(page).getByLabel('Title of the layer').inputValue(), 'города');
  assert.equal((await site.server.request('GET', '/atlas/layers/goroda/')).status, 404);

  await dialog(page).getByLabel('Encoding of texts').fill('cp866');
  await dialog(page).getByRole('cell', { name: 'Москва' }).first().waitFor({ state: 'detached' });
  await dialog(page).getByRole('cell').first().waitFor();
  // What cannot be read leaves the preview as it was, and nothing is imported with it.
  await dialog(page).getByLabel('Encoding of texts').fill('klingon');
  await dialog(page).getByRole('alert').waitFor();
  assert.equal(await dialog(page).getByRole('button', { name: 'Import' }).isDisabled(), true);
  assert.ok((await dialog(page).getByRole('cell').count()) > 0);
  assert.deepEqual(await findingsOf(page), []);
  await dialog(page).getByLabel('Encoding of texts').fill('windows-1251');
  await dialog(page).getByRole('cell', { name: 'Москва' }).first().waitFor();
  await dialog(page).getByRole('button', { name: 'Import' }).click();
  await dialog(page).getByText('2 objects are stored').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('treeitem', { name: 'города' }).and(page.locator('[aria-selected="true"]')).waitFor();
  await page.getByText('55.7, 37.6 – 55.7, 37.6').waitFor();
  const [first] = await site.server.admin('GET', '/atlas/layers/goroda/objects/?fields=*');
  assert.equal(first.fields.name, 'Москва');
  await finish(opened);
});

pageTest('a file that is dropped is added to a layer, and replaces its objects', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  await page.getByRole('treeitem', { name: 'Towns' }).waitFor();
  const data = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(towns())}], 'more.csv'));
      return transfer;
    })()`,
  );
  await page.getByTestId('map').dispatchEvent('dragover', { dataTransfer: data });
  await page.getByText('Drop the file here to import it').waitFor();
  await page.getByTestId('map').dispatchEvent('drop', { dataTransfer: data });
  const choose = async (how: string): Promise<void> => {
    await dialog(page).getByRole('radio', { name: how }).check();
    await dialog(page).getByRole('combobox', { name: 'Layer' }).selectOption({ label: 'Towns' });
    await dialog(page).getByRole('button', { name: 'Import' }).click();
    await dialog(page).getByText('3 objects are stored').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await dialog(page).waitFor({ state: 'detached' });
  };
  const count = () => site.server.admin('GET', '/atlas/layers/towns/count/?precise=true');
  await dialog(page).getByText('First objects').waitFor();
  await choose('Add to a layer');
  assert.equal(await count(), 6);
  await page.getByTestId('files').setInputFiles(file('new.csv', towns()));
  await dialog(page).getByText('First objects').waitFor();
  await choose('Replace the objects of a layer');
  assert.equal(await count(), 3);
  await finish(opened);
});

/** A folder with tables of the same name in it and in a folder of it. */
async function folderOfTables(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropped-'));
  await mkdir(join(folder, 'inner'));
  for (const path of ['towns.csv', 'inner/towns.csv']) await writeFile(join(folder, path), towns());
  await writeFile(join(folder, '.hidden'), '');
  return folder;
}

pageTest('a folder that is dropped gives its files; a file that is gone meanwhile is told', async (t) => {
  const folder = await folderOfTables();
  t.after(() => rm(folder, { recursive: true }));
  const { page } = await openWorkspace();
  await page.getByRole('treeitem', { name: 'Towns' }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 700, y: 300, data });
  await dialog(page).getByText('1 more file waits.').waitFor();
  await dialog(page).getByRole('cell', { name: 'Town 0' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Give up all 2 files' }).click();
  await dialog(page).waitFor({ state: 'detached' });

  await page.route('**/files/uploads/', async (route) => {
    await rm(join(folder, 'towns.csv'), { force: true });
    await route.continue();
  });
  await page.getByTestId('files').setInputFiles(join(folder, 'towns.csv'));
  await dialog(page).getByText('The file cannot be read: it has been moved').waitFor({ timeout: 5_000 });
  await site.close(page);
});

pageTest('a file is sent again after a failure, and a preview survives a broken connection', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  const busy = JSON.stringify({ error: 'error', code: 'busy', message: 'In words of the service' });
  await page.route(
    '**/files/uploads/',
    (route) => route.fulfill({ status: 503, contentType: 'application/json', body: busy }),
    { times: 1 },
  );
  await page.route('**/import/?*dry_run=1*', (route) => route.abort('internetdisconnected'), { times: 1 });
  await page.getByTestId('files').setInputFiles(file('patient.csv', towns()));
  await dialog(page).getByText('The service is busy. Try again in a moment.').waitFor();
  await dialog(page).getByRole('button', { name: 'Try again' }).click();
  await dialog(page).getByRole('cell', { name: 'Town 0' }).waitFor();
  await page.route('**/import/?*dry_run=1*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await dialog(page).getByLabel('Encoding of texts').first().fill('windows-1251');
  await dialog(page).getByText('The service could not answer. Try again in a moment.').waitFor();
  await page.unrouteAll();
  await cancel(page);
  const others = opened.problems.filter((problem) => !problem.includes('Failed to load resource'));
  await finish({ page, problems: others });
});

pageTest('objects that cannot be stored are listed before and after; other files are refused', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  const features = [7, 7, 8].map((id) => ({
    type: 'Feature',
    id,
    properties: { a: id },
    geometry: { type: 'Point', coordinates: [id, id] },
  }));
  await page
    .getByTestId('files')
    .setInputFiles([
      file('twins.geojson', JSON.stringify({ type: 'FeatureCollection', features })),
      file('nothing.shp', 'no shapefile at all'),
    ]);
  await dialog(page).getByRole('heading', { name: '1 object cannot be stored' }).waitFor();
  await dialog(page).getByText('1 more file waits').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await dialog(page).getByRole('button', { name: 'Import' }).click();
  await dialog(page).getByRole('heading', { name: '1 object was left out' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('dialog', { name: 'Import nothing.shp' }).getByRole('alert').getByText(/./).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await finish(opened);
});

pageTest(
  'an upload goes on after a broken connection and after a new sign-in; a cancelled one is removed',
  async () => {
    const opened = await openWorkspace();
    const { page } = opened;
    let isBroken = false;
    await page.route('**/files/uploads/*/', async (route) => {
      if (route.request().method() !== 'PATCH' || isBroken) return route.fallback();
      isBroken = true;
      await route.abort('connectionreset');
    });
    await page.getByTestId('files').setInputFiles(file('broken.csv', towns(2000)));
    await dialog(page).getByText('First objects').waitFor();
    await cancel(page);

    await site.server.admin('PATCH', '/users/ann/', { password: passwordOf('again') });
    await page.getByTestId('files').setInputFiles(file('session.csv', towns()));
    const signedOut = page.getByRole('dialog', { name: 'Your session has ended' });
    await signedOut.getByLabel('Password').fill(passwordOf('again'));
    await page.keyboard.press('Enter');
    await dialog(page).getByText('First objects').waitFor();
    await cancel(page);
    const token = (
      await site.server.request('POST', '/login/', { body: { login: 'ann', password: passwordOf('again') } })
    ).json.token;
    // The page removes an upload after its dialog is closed. A page that was closed at once has left its own.
    const isKept = async (): Promise<boolean> => {
      const { json } = await site.server.request('GET', '/files/uploads/', { token });
      return json.some(({ name }: { name: string }) => ['broken.csv', 'session.csv'].includes(name));
    };
    for (let tries = 0; (await isKept()) && tries < 300; tries++) await page.waitForTimeout(100);
    assert.equal(await isKept(), false);
    await site.server.admin('PATCH', '/users/ann/', { password: passwordOf('ann') });
    const problems = opened.problems.filter((problem) => !/ERR_CONNECTION_RESET/.test(problem));
    await finish({ page, problems });
  },
);

pageTest('an import that is found wrong later is undone, from the report or from the layer', async (t) => {
  const opened = await openWorkspace();
  const { page } = opened;
  const layers = () => site.server.admin('GET', '/atlas/layers/towns/count/?precise=1');
  await page.getByTestId('files').setInputFiles(file('wrong.csv', towns(2).replace('people', 'rumour')));
  await dialog(page).getByRole('radio', { name: 'Replace the objects of a layer' }).check();
  await dialog(page).getByRole('combobox', { name: 'Layer', exact: true }).selectOption({ label: 'Towns' });
  await dialog(page).getByRole('cell', { name: 'Town 1' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
  await dialog(page).getByText('2 objects are stored').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  assert.equal(await layers(), 2);
  await page.getByText('Last import: wrong.csv').waitFor();
  await page.getByRole('button', { name: 'Undo the import' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Undo the import?' });
  await question.getByText('2 objects that it added will be deleted').waitFor();
  await question.getByText('3 objects that it replaced will come back').waitFor();
  await question.getByText('Columns that it made will be deleted: rumour').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'import-undo');
  await question.getByRole('button', { name: 'Undo the import' }).press('Enter');
  await page.getByRole('status').getByText('The import has been undone').waitFor();
  await page.getByText('Last import').waitFor({ state: 'detached' });
  assert.equal(await layers(), 3);
  t.diagnostic(await workOf(page));
  await finish(opened);
});

pageTest('an image becomes a layer, placed by hand; pictures of another server are another', async () => {
  const opened = await openWorkspace('ann');
  const { page } = opened;
  const { bytes } = await site.server.request('GET', '//tms/demo/atlas/?z=0&x=0&y=0');
  await page.getByTestId('files').setInputFiles(file('old map.png', bytes));
  await dialog(page)
    .getByText(/georeference/)
    .first()
    .waitFor();
  await dialog(page).getByLabel('West, south, east, north').fill('5, 40, 15, 50');
  await dialog(page).getByRole('img', { name: 'Sketch of what the file holds' }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'import-image');
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click();
  await dialog(page).getByText('The image is stored').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('treeitem', { name: 'old map' }).and(page.locator('[aria-selected="true"]')).waitFor();
  const tree: { code: string; type: string }[] = await site.server.admin('GET', '/atlas/layers/?type=full');
  assert.equal(tree.find(({ code }) => code === 'old_map')?.type, 'raster');

  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await pressItem(page, 'Pictures of another server');
  const form = page.getByRole('dialog', { name: 'Pictures of another server' });
  await form.getByLabel('Title').fill('Relief');
  await form.getByLabel('Address').fill('https://tiles.example.org/{z}.png');
  await form.getByLabel('The service draws them').uncheck();
  await page.keyboard.press('Enter');
  await form.getByRole('alert').getByText(/\{x\}/).waitFor();
  await form.getByLabel('Address').fill('https://tiles.example.org/{z}/{x}/{y}.png');
  assert.deepEqual(await findingsOf(page), []);
  await form.getByLabel('Address').press('Enter');
  await page.getByRole('status').getByText('Relief has been added').waitFor();
  const about = page.getByRole('form', { name: 'Where the pictures come from' });
  await about.getByLabel('Attribution').fill('Example');
  await about.getByRole('button', { name: 'Save' }).press('Enter');
  await page.getByRole('status').getByText('Saved: Relief').waitFor();
  assert.deepEqual((await site.server.admin('GET', '/atlas/layers/relief/')).json, {
    type: 'xyz',
    url: 'https://tiles.example.org/{z}/{x}/{y}.png',
    attribution: 'Example',
    fetch: 'client',
  });
  assert.deepEqual(await findingsOf(page), []);
  await finish(opened);
});

pageTest('of 200 files at once each becomes a layer, until one is wrong; the rest is given up', async () => {
  const opened = await openWorkspace('admin');
  const { page } = opened;
  await site.server.admin('POST', '/', { code: 'many', name: 'Many' });
  await page.goto(`${site.server.url}/console/demo/many/`);
  await page.getByTestId('files').waitFor({ state: 'attached' });
  const files = Array.from({ length: 200 }, (_, i) => file(`part ${i}.csv`, i === 2 ? '' : towns(1)));
  // The same file twice: the second is a layer of its own.
  await page.getByTestId('files').setInputFiles([files[0]!, files[0]!, ...files.slice(2)]);
  await dialog(page).getByText('199 more files wait').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await dialog(page).getByRole('button', { name: 'Make a layer of each of the 200 files' }).click();
  const wrong = page.getByRole('dialog', { name: 'Import part 2.csv' });
  await wrong.getByRole('alert').getByText(/./).waitFor();
  await wrong.getByText('197 more files wait').waitFor();
  await wrong.getByRole('button', { name: 'Give up all 198 files' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await page.getByRole('treeitem', { name: 'part 0' }).nth(1).waitFor();
  const made = await site.server.admin('GET', '/many/layers/');
  assert.deepEqual(
    made.map(({ code }: { code: string }) => code),
    ['part_0', 'part_0_2'],
  );
  await finish(opened);
});

/** Its central meridian is 15°. */
const zone33 =
  'PROJCS["WGS_1984_UTM_Zone_33N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",15.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]';

pageTest('files that belong together are one upload: a MIF, its data and its projection', async () => {
  const opened = await openWorkspace('ann');
  const { page } = opened;
  const mif = 'Version 300\nCharset "WindowsLatin1"\nColumns 1\n  name Char(20)\nData\n\nPoint 500000 0\n';
  await page
    .getByTestId('files')
    .setInputFiles([
      file('Posts.mif', Buffer.from(mif)),
      file('Posts.mid', Buffer.from('"Old post"\n')),
      file('Posts.prj', zone33),
    ]);
  await dialog(page).getByRole('cell', { name: 'Old post' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Import' }).click();
  await dialog(page).getByText('1 object is stored').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  const [post] = await site.server.admin('GET', '/atlas/layers/posts/objects/?returnGeom=1');
  const { coordinates } = post.geom;
  assert.ok(Math.abs(coordinates[0] - 15) < 1e-4 && Math.abs(coordinates[1]) < 1e-4, JSON.stringify(post));
  await finish(opened);
});

pageTest('of a file with several layers one is chosen', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  await page.getByTestId('files').setInputFiles(file('places.gpkg', fixture('places.gpkg')));
  await dialog(page).getByRole('cell', { name: 'Москва' }).waitFor();
  await dialog(page)
    .getByText(/The file has 2 layers, and all were read: .*name it/)
    .waitFor();
  await dialog(page).getByLabel('Sheet or layer').fill('2');
  await dialog(page).getByRole('cell', { name: 'Москва' }).waitFor({ state: 'detached' });
  await dialog(page).getByRole('cell', { name: 'Peña Señorío' }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await cancel(page);
  await finish(opened);
});

pageTest('a file that cannot be read as it is found is read with what is chosen', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  const crs = { type: 'name', properties: { name: 'My_own' } };
  const geometry = { type: 'Point', coordinates: [30, 60] };
  const features = [{ type: 'Feature', properties: { name: 'Mine' }, geometry }];
  const text = JSON.stringify({ type: 'FeatureCollection', crs, features });
  await page.getByTestId('files').setInputFiles(file('own.geojson', text));
  await dialog(page).getByRole('alert').getByText(/crs/).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await dialog(page).getByLabel('Projection').fill('EPSG:4326');
  await dialog(page).getByRole('button', { name: 'Read again' }).click();
  await dialog(page).getByRole('cell', { name: 'Mine' }).waitFor();
  // The reason is in view beside the button that it disables.
  await dialog(page).getByLabel('Projection').fill('longitude');
  const reason = dialog(page).getByRole('alert');
  await reason.waitFor();
  assert.ok((await reason.boundingBox())!.y < page.viewportSize()!.height);
  await dialog(page).getByLabel('Projection').fill('EPSG:4326');
  await dialog(page).getByRole('button', { name: 'Import', disabled: false }).waitFor();
  await cancel(page);
  await page
    .getByTestId('files')
    .setInputFiles(file('streets.csv', 'street,town\nMain street,Springfield\n'));
  await dialog(page).getByText('No columns with coordinates were found').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await cancel(page);
  await finish(opened);
});

pageTest('the import on a phone, in the dark, in Russian', async () => {
  const opened = await openWorkspace('admin', { ...phone, dark: true, languages: ['ru'] });
  const { page } = opened;
  const text = `Towns of a test\n${towns()}Wrong,400,no,7\n`;
  await page.getByTestId('files').setInputFiles(file('phone.csv', text));
  const own = page.getByRole('dialog', { name: 'Импорт: phone.csv' });
  await own.getByText('Первые объекты').waitFor();
  await own.getByText('Пропущено над названиями столбцов: 1 строка').waitFor();
  await own.getByText('объект 4 (строка 6): геометрия: «no» — не координата').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'import-phone');
  await assertFits(page);
  await own.getByRole('button', { name: 'Импортировать' }).click();
  await own.getByText('Сохранено: 3 объекта').waitFor();
  await finish(opened);
});
