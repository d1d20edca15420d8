import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { hostile, makeAtlas } from '../../atlas.js';
import { findingsOf } from '../../axe.js';
import { assertFits, isHacked, pressItem } from '../../browser.js';
import { pageTest, phone, useSite } from '../../site.js';
import { finish, makeUser, shot } from '../people.js';
import { cancel, dialog, file, openWorkspace, towns } from './dialog.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
});

pageTest('a file that is chosen becomes a new layer, after a preview that stores nothing', async () => {
  const opened = await openWorkspace(site, 'ann');
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
  await finish(site, opened);
});

pageTest('a file that is dropped is added to a layer, and replaces its objects', async () => {
  const opened = await openWorkspace(site);
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
  await finish(site, opened);
});

/** A folder with tables of the same name in it and in a folder of it. */
async function folderOfTables(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dropped-'));
  await mkdir(join(folder, 'inner'));
  for (const path of ['towns.csv', 'inner/towns.csv']) await writeFile(join(folder, path), towns());
  await writeFile(join(folder, '.hidden'), '');
  return folder;
}

/** Drops a folder on the map. */
async function drop(page: Page, folder: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [folder], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 700, y: 300, data });
}

pageTest('a folder that is dropped gives its files; a file that is gone meanwhile is told', async (t) => {
  const folder = await folderOfTables();
  t.after(() => rm(folder, { recursive: true }));
  const { page } = await openWorkspace(site);
  await page.getByRole('treeitem', { name: 'Towns' }).waitFor();
  await drop(page, folder);
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

pageTest('what cannot be read of a dropped folder is told, and how large a file may be', async (t) => {
  const folder = await folderOfTables();
  t.after(() => rm(folder, { recursive: true }));
  const { page } = await openWorkspace(site);
  await page.getByRole('treeitem', { name: 'Towns' }).waitFor();
  await page.evaluate(`DataTransferItem.prototype.webkitGetAsEntry = () => ({
    isDirectory: true,
    createReader: () => ({ readEntries: (done, fail) => fail(new DOMException('gone', 'NotReadableError')) }),
  })`);
  await drop(page, folder);
  await page.getByRole('status').getByText('The file cannot be read').waitFor();

  const large = join(folder, 'large.csv');
  await writeFile(large, '');
  await truncate(large, 5 * 1024 ** 3);
  await page.getByTestId('files').setInputFiles(large);
  await dialog(page).getByText('This is larger than the 4.3 GB that the service allows.').waitFor();
  await site.close(page);
});

pageTest('a file is sent again after a failure, and a preview survives a broken connection', async () => {
  const opened = await openWorkspace(site);
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
  await finish(site, { page, problems: others });
});

pageTest('objects that cannot be stored are listed before and after; other files are refused', async () => {
  const opened = await openWorkspace(site);
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
  await finish(site, opened);
});

pageTest('an image becomes a layer, placed by hand; pictures of another server are another', async () => {
  const opened = await openWorkspace(site, 'ann');
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
  await finish(site, opened);
});

pageTest('the import on a phone, in the dark, in Russian', async () => {
  const opened = await openWorkspace(site, 'admin', { ...phone, dark: true, languages: ['ru'] });
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
  await finish(site, opened);
});
