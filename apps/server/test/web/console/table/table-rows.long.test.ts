import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { formats } from '@cartulary/formats';
import type { Page } from 'playwright-core';
import { findingsOf } from '../../axe.js';
import { assertFits } from '../../browser.js';
import { pageTest, phone } from '../../site.js';
import { finish, makeUser, shot } from '../people.js';
import { grid, manyRows, openWorkspace, rowOf, useTables } from './layer-table.js';

const site = useTables();

pageTest('a click on the map finds the row of the object, wherever it is in the order', async () => {
  const opened = await openWorkspace(site, '?item=wells&table=1&sort=n,a#12/30.505/35');
  const { page } = opened;
  await rowOf(page, manyRows).waitFor();
  await page
    .getByRole('region', { name: 'Map', exact: true })
    .and(page.locator('[aria-busy="false"]'))
    .waitFor();
  const box = (await page.getByTestId('map').boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const selected = grid(page).locator('[role=row][aria-selected=true]');
  await selected.waitFor();
  await page.getByText('1 selected').waitFor();
  const id = Number(await selected.getByRole('rowheader').innerText());
  const { geom } = await site.server.admin('GET', `/atlas/layers/wells/objects/${id}/?returnGeom=1`);
  assert.ok(Math.abs(geom.coordinates[1] - 30.505) < 0.01, JSON.stringify(geom));
  await page.getByRole('button', { name: 'Clear the selection' }).click();
  await selected.waitFor({ state: 'detached' });
  await finish(site, opened);
});

pageTest('rows are selected by pointer and keyboard, and shown on the map', async () => {
  const opened = await openWorkspace(site, '?item=towns&table=1');
  const { page } = opened;
  const selectedIds = () =>
    grid(page).locator('[role=row][aria-selected=true] [role=rowheader]').allInnerTexts();
  await rowOf(page, 1).click();
  assert.deepEqual(await selectedIds(), ['1']);
  await rowOf(page, 3).click({ modifiers: ['Shift'] });
  assert.deepEqual(await selectedIds(), ['1', '2', '3']);
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  assert.deepEqual(await selectedIds(), ['1', '2']);
  // With Russian letters the key gives another one.
  await page.evaluate(
    "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ф', code: 'KeyA', ctrlKey: true, bubbles: true }))",
  );
  await page.getByText('3 selected').waitFor();
  const before = new URL(page.url()).hash;
  await rowOf(page, 3).getByRole('rowheader').dblclick();
  await page.waitForURL(({ hash }) => hash !== before);
  const [, latitude, longitude] = new URL(page.url()).hash.split('/').map(Number);
  assert.deepEqual([Math.round(latitude!), Math.round(longitude!)], [30, 5]);
  await page.waitForLoadState('networkidle');
  await shot(page, 'table-selected');
  await page.getByRole('separator').press('ArrowUp');
  await page.getByRole('separator').and(page.locator('[aria-valuenow="50"]')).waitFor();
  await finish(site, opened);
});

pageTest('the table shows only what the map shows, and follows it', async () => {
  const opened = await openWorkspace(site, '?item=towns&table=1#8/30/5');
  const { page } = opened;
  await page.getByText('3 objects').waitFor();
  await page.getByRole('button', { name: 'Only what the map shows' }).click();
  await page.getByText('1 of 3 objects', { exact: true }).waitFor();
  await rowOf(page, 3).waitFor();
  await page.getByRole('button', { name: 'Show the whole map' }).click();
  await page.getByText('3 objects').waitFor();
  await rowOf(page, 1).waitFor();
  await page
    .getByRole('button', { name: 'Only what the map shows' })
    .and(page.locator('[aria-pressed="true"]'))
    .click();
  await page
    .getByRole('button', { name: 'Only what the map shows' })
    .and(page.locator('[aria-pressed="false"]'))
    .waitFor();
  await finish(site, opened);
});

pageTest('a filter of several conditions is in the address, as JSON, in statistics and exports', async () => {
  const opened = await openWorkspace(site, '?item=wells&table=1');
  const { page } = opened;
  await rowOf(page, 1).waitFor();
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const filter = page.getByRole('form', { name: 'Filter' });
  const value = filter.getByRole('textbox', { name: 'Value' });
  await filter.getByRole('combobox', { name: 'Comparison' }).selectOption('is less than');
  await value.fill('100');
  await filter.getByRole('button', { name: 'Add a condition' }).click();
  const second = filter.getByRole('listitem').nth(1);
  await second.getByRole('combobox', { name: 'Column' }).selectOption('No.');
  await second.getByRole('combobox', { name: 'Comparison' }).selectOption('is from … to');
  await second.getByRole('textbox', { name: 'From' }).fill(String(manyRows - 9));
  await second.getByRole('textbox', { name: 'To' }).fill(String(manyRows));
  assert.deepEqual(await findingsOf(page), []);
  await page.keyboard.press('Enter');
  await page.getByText('10 of 120,000 objects').waitFor();
  await shot(page, 'table-filter');
  const cql = {
    op: 'and',
    args: [
      { op: '<', args: [{ property: 'n' }, 100] },
      { op: 'between', args: [{ property: 'svc_id' }, manyRows - 9, manyRows] },
    ],
  };
  assert.deepEqual(JSON.parse(new URL(page.url()).searchParams.get('filter')!), cql);

  await page.reload();
  await page.getByText('10 of 120,000 objects').waitFor();
  assert.equal(await value.first().inputValue(), '100');
  await filter.getByText('As JSON of the interface').click();
  const json = filter.getByRole('textbox', { name: 'As JSON of the interface' });
  assert.deepEqual(JSON.parse(await json.inputValue()), cql);
  await json.fill(JSON.stringify({ op: 'not', args: [cql] }));
  await filter.getByText('more than the form can show').waitFor();
  await json.fill(JSON.stringify({ ...cql, op: 'or' }));
  assert.equal(await filter.getByRole('combobox', { name: 'Objects that meet' }).inputValue(), 'any');
  await json.fill('{');
  await filter.getByText('This is no JSON').waitFor();
  await json.fill(JSON.stringify(cql));

  await filterByStatistics(page);
  await exportAs(page, 'What the table shows: 10 objects', 11);
  await rowOf(page, manyRows - 9)
    .getByRole('rowheader')
    .click();
  await exportAs(page, 'The selected objects: 1 object', 2);
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByText('120,000 objects · 1 selected', { exact: true }).waitFor();
  await finish(site, opened);
});

/** Looks at the statistics of the ten objects, shows those with one of the values, and goes back. */
async function filterByStatistics(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Statistics of a column' }).click();
  const statistics = page.getByRole('dialog', { name: 'Statistics of a column' });
  await statistics.getByText('4.5', { exact: true }).first().waitFor();
  await statistics.getByRole('img', { name: 'Distribution of Depth: 0 to 9' }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'table-statistics');
  await statistics.getByRole('button', { name: '7', exact: true }).click();
  await page.getByText('1 of 120,000 objects').waitFor();
  await page.goBack();
  await page.getByText('10 of 120,000 objects').waitFor();
}

/** Exports objects as CSV, and counts the lines of the file. */
async function exportAs(page: Page, what: string, lines: number): Promise<void> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await dialog.getByRole('radio', { name: what }).check();
  const codes = await dialog
    .getByLabel('Format')
    .locator('option')
    .evaluateAll((options) => options.map((one) => one.getAttribute('value')));
  const offered = formats.filter(({ code, exports }) => exports && code !== 'geotif');
  assert.deepEqual(codes.sort(), offered.map(({ code }) => code).sort());
  await dialog.getByLabel('Format').selectOption('CSV');
  await dialog.getByLabel('Between values').selectOption('comma');
  assert.deepEqual(await findingsOf(page), []);
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  const path = await (await download).path();
  assert.equal((await readFile(path, 'utf8')).trim().split('\n').length, lines);
  await dialog.getByRole('link', { name: /csv$/ }).waitFor();
  await shot(page, 'table-export');
  await page.keyboard.press('Escape');
}

pageTest(
  'table: an export is cancelled before it is known, and one of a layer that is lost is told',
  async () => {
    await makeUser(site.server, 'pat', { '/atlas/layers/wells/rights/': 'view' });
    await site.server.admin('PUT', '/atlas/layers/wells/rights/', { user: 'public', right: 'none' });
    const { page } = await openWorkspace(site, '?item=wells&table=1', {}, 'pat');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    const start = dialog.getByRole('button', { name: 'Export' });
    await dialog.getByLabel('Format').selectOption('xlsx');
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    await page.route('**/wells/export/', async (route) => {
      const response = await route.fetch();
      await begun;
      await route.fulfill({ response });
    });
    await start.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    begin();
    await dialog.getByRole('alert').getByText('The export has been cancelled').waitFor();
    await page.unroute('**/wells/export/');
    await page.route('**/wells/export/', async (route) => {
      const response = await route.fetch();
      await site.server.admin('PUT', '/atlas/layers/wells/rights/', { user: 'pat', right: 'none' });
      await route.fulfill({ response });
    });
    await start.click();
    await dialog.getByRole('alert').getByText('Your rights do not allow this any more.').waitFor();
    await site.server.admin('PUT', '/atlas/layers/wells/rights/', { user: 'public', right: null });
    await site.close(page);
  },
);

pageTest(
  'table: the filter of an address that names a column that is gone is told, and taken off',
  async () => {
    const filter = JSON.stringify({ op: '=', args: [{ property: 'gone' }, 1] });
    const { page } = await openWorkspace(site, `?item=lands&table=1&filter=${encodeURIComponent(filter)}`);
    await page.getByRole('alert').getByText('The filter does not fit the columns of this layer.').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Show all objects' }).click();
    await rowOf(page, 1).getByText('1,234,567').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('filter'), null);
    await site.close(page);
  },
);

pageTest('table: a broken connection is told, and the rows come after it', async () => {
  const { page, problems } = await openWorkspace(site, '?item=wells&table=1');
  await rowOf(page, 1).waitFor();
  await page.context().setOffline(true);
  await grid(page).focus();
  await page.keyboard.press('Control+End');
  await page.getByRole('alert').getByText('The service cannot be reached').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await rowOf(page, manyRows).waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  const others = problems.filter((problem) => !/ERR_INTERNET_DISCONNECTED/.test(problem));
  await finish(site, { page, problems: others });
});

pageTest('table: axe finds nothing on a phone, in the dark, in Russian', async () => {
  const profile = { ...phone, dark: true, languages: ['ru'] };
  const opened = await openWorkspace(site, '?item=lands&table=1', profile, 'admin');
  const { page } = opened;
  await rowOf(page, 1).getByText('Север').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await rowOf(page, 1).getByRole('rowheader').tap();
  await page.getByText('Выбрано: 1').waitFor();
  await assertFits(page);
  await page.waitForLoadState('networkidle');
  await shot(page, 'table-phone');
  await page.getByRole('button', { name: 'Фильтр', exact: true }).tap();
  const filter = page.getByRole('form', { name: 'Фильтр' });
  await filter.getByRole('combobox', { name: 'Столбец' }).selectOption('Основана');
  await filter.getByRole('combobox', { name: 'Сравнение' }).selectOption('от … до');
  assert.deepEqual(await findingsOf(page), []);
  await assertFits(page);
  await shot(page, 'table-filter-phone');
  await page.getByRole('button', { name: 'Статистика столбца' }).tap();
  await page.getByRole('dialog').getByRole('combobox').selectOption('Население');
  await page.getByRole('img', { name: 'Распределение «Население»' }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'table-statistics-phone');
  await finish(site, opened);
});
