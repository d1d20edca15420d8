import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeAtlas } from '../../atlas.js';
import { findingsOf } from '../../axe.js';
import type { BrowserProfile, OpenPage } from '../../browser.js';
import { pageTest, phone, useSite } from '../../site.js';
import { finish, makeUser, openAs, passwordOf, shot, workOf } from '../people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await server.admin('POST', '/atlas/layers/lands/constraints/', {
    type: 'range',
    columns: ['population'],
    definition: [0, 5_000_000],
  });
  await server.admin('POST', '/atlas/layers/', { code: 'kinds', sort: 3 });
  await server.admin('POST', '/atlas/layers/kinds/structure/', { code: 'name', type: 'string' });
  for (const name of ['kingdom', 'republic'])
    await server.admin('POST', '/atlas/layers/kinds/objects/', { fields: { name } });
  await server.admin('POST', '/atlas/layers/lands/structure/', { code: 'kind', type: 'string' });
  await server.admin('POST', '/atlas/dictionaries/lands/', {
    column_code: 'kind',
    dict_layer_code: 'kinds',
    dict_column_code: 'name',
  });
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
  await makeUser(server, 'eve', { '/atlas/rights/': 'view' });
});

async function open(layer: string, login = 'ann', profile: BrowserProfile = {}): Promise<OpenPage> {
  const opened = await openAs(site, login, `/console/demo/atlas/?item=${layer}&table=1`, profile);
  await grid(opened.page).locator('[data-row="0"]').getByText(/./).first().waitFor();
  return opened;
}

const grid = (page: Page) => page.getByRole('grid');
/** The cell of a row, from 1, and column; the first column with values is 2. */
const cell = (page: Page, row: number, column: number) =>
  grid(page).locator(`[data-row="${row - 1}"][data-column="${column}"]`);
const saved = (page: Page, row: number, column: number, text: string) =>
  cell(page, row, column)
    .locator('> span:not([aria-busy])')
    .and(page.getByText(text, { exact: true }))
    .waitFor();
const stored = async (layer: string, id: number): Promise<Record<string, unknown>> =>
  (await site.server.admin('GET', `/atlas/layers/${layer}/objects/${id}/?lng=en`)).fields;
const change = (layer: string, id: number, fields: object) =>
  site.server.admin('PUT', `/atlas/layers/${layer}/objects/${id}/?lng=en`, { fields });

pageTest(
  'cells are corrected by keyboard, by the type of their column, and taken back one by one',
  async () => {
    const opened = await open('lands');
    const { page } = opened;
    await cell(page, 1, 2).click();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Name of object 1' }).waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await page.keyboard.type('ern land');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1 500 000');
    await page.keyboard.press('Enter');
    await saved(page, 1, 2, 'Northern land');
    await saved(page, 1, 3, '1,500,000');
    await page.keyboard.type('77');
    await page.keyboard.press('Tab');
    await page.keyboard.press('F2');
    await page.getByLabel('Founded of object 2').fill('1987-06-05');
    await page.keyboard.press('Enter');
    await saved(page, 2, 4, 'Jun 5, 1987');
    await cell(page, 2, 5).dblclick();
    await page.getByRole('combobox', { name: 'Open of object 2' }).selectOption('No');
    await page.keyboard.press('Enter');
    await saved(page, 2, 5, 'No');
    assert.deepEqual(await stored('lands', 2), {
      ...(await stored('lands', 2)),
      population: 77,
      founded: '1987-06-05T00:00:00.000Z',
      open: false,
    });
    await grid(page).focus();
    await page.keyboard.press('Control+z');
    await page.getByRole('status').getByText('Undone: Open').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByRole('status').getByText('Undone: Founded').waitFor();
    await page.getByRole('button', { name: 'Undo: Population' }).click();
    await saved(page, 2, 3, '2024');
    assert.deepEqual([(await stored('lands', 2)).founded, (await stored('lands', 2)).open], [null, null]);
    await page.getByRole('combobox', { name: 'Language of the values' }).selectOption('ru');
    await saved(page, 1, 2, 'Север');
    await cell(page, 1, 2).click();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Name of object 1' }).fill('Край');
    await page.keyboard.press('Enter');
    await saved(page, 1, 2, 'Край');
    assert.equal((await stored('lands', 1)).name, 'Northern land');
    const { fields } = await site.server.admin('GET', '/atlas/layers/lands/objects/1/?lng=ru');
    assert.equal(fields.name, 'Край');
    await finish(site, opened);
  },
);

pageTest(
  'a value that is refused stays in its cell with the reason; dictionaries offer their values',
  async () => {
    const opened = await open('lands', 'ann');
    const { page } = opened;
    await cell(page, 2, 3).click();
    await page.keyboard.type('9000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('1 value is not stored').waitFor();
    await cell(page, 2, 3).click();
    await cell(page, 2, 3).getByText('9000000', { exact: true }).waitFor();
    await cell(page, 2, 3).getByText('Only values from 0 to 5,000,000 are allowed here.').waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await shot(page, 'table-refused');
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Population of object 2' }).fill('2025');
    await page.keyboard.press('Enter');
    await saved(page, 2, 3, '2025');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    assert.equal((await stored('lands', 2)).population, 2025);
    await grid(page).focus();
    await page.keyboard.press('End');
    await page.keyboard.press('r');
    const field = page.getByLabel('kind of object 2');
    await field.waitFor();
    await page.locator('datalist option[value="republic"]').waitFor({ state: 'attached' });
    await field.fill('republic');
    await page.keyboard.press('Enter');
    await saved(page, 2, 9, 'republic');
    await finish(site, opened);
  },
);

pageTest(
  'of two who change one value the second chooses; changes of other values do not disturb',
  async (t) => {
    const opened = await open('lands', 'ann');
    const { page } = opened;
    await cell(page, 1, 2).click();
    await page.keyboard.press('F2');
    await change('lands', 1, { population: 42 });
    await grid(page).getByRole('textbox').fill('Mine');
    await page.keyboard.press('Enter');
    await saved(page, 1, 2, 'Mine');
    await saved(page, 1, 3, '42');
    await cell(page, 1, 2).click();
    await page.keyboard.press('F2');
    await change('lands', 1, { name: 'Theirs' });
    await grid(page).getByRole('textbox').fill('Mine again');
    await page.keyboard.press('Enter');
    const conflict = page.getByRole('dialog', { name: 'Somebody else has saved this meanwhile' });
    await conflict.getByText('Theirs', { exact: true }).last().waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await shot(page, 'table-conflict');
    await conflict.getByRole('button', { name: 'Save this choice' }).click();
    await saved(page, 1, 2, 'Mine again');
    assert.equal((await stored('lands', 1)).name, 'Mine again');
    await cell(page, 1, 2).click();
    await page.keyboard.press('F2');
    await change('lands', 1, { name: 'Their last' });
    await grid(page).getByRole('textbox').fill('My last');
    await page.keyboard.press('Enter');
    await conflict.getByRole('button', { name: 'Keep theirs' }).click();
    await saved(page, 1, 2, 'Their last');
    assert.equal((await stored('lands', 1)).name, 'Their last');
    t.diagnostic(await workOf(page));
    await finish(site, opened);
  },
);

pageTest('what is entered is not lost: rights taken away, page closed, session ended', async () => {
  const opened = await open('towns');
  const { page } = opened;
  await cell(page, 1, 2).click();
  await page.keyboard.type('Kept');
  await site.server.admin('PUT', '/atlas/rights/', { user: 'ann', right: 'view' });
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Your rights do not allow this any more').waitFor();
  await page.reload();
  await page.getByRole('alert').getByText('1 value is not stored').waitFor();
  await cell(page, 1, 2).getByText('Kept').waitFor();
  await site.server.admin('PUT', '/atlas/rights/', { user: 'ann', right: 'administer' });
  await page.getByRole('button', { name: 'Store again' }).click();
  await saved(page, 1, 2, 'Kept');
  assert.equal((await stored('towns', 1)).name, 'Kept');
  await page.reload();
  await cell(page, 1, 2).click();
  await page.keyboard.type('Later');
  await site.server.admin('PATCH', '/users/ann/', { password: passwordOf('again') });
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password').fill(passwordOf('again'));
  await page.keyboard.press('Enter');
  await saved(page, 1, 2, 'Later');
  assert.equal((await stored('towns', 1)).name, 'Later');
  await site.server.admin('PATCH', '/users/ann/', { password: passwordOf('ann') });
  await finish(site, opened);
});

pageTest(
  'objects are added, copied, changed together and deleted, and each of it is taken back',
  async () => {
    const opened = await open('towns', 'ann');
    const { page } = opened;
    const names = async (): Promise<unknown[]> => {
      const objects = await site.server.admin('GET', '/atlas/layers/towns/objects/?fields=name&lng=en');
      return objects.map(({ fields }: { fields: { name: unknown } }) => fields.name ?? '');
    };
    const before = await names();
    const news = (text: string) => page.getByRole('status').getByText(text).waitFor();
    await page.getByRole('button', { name: 'Add an object' }).click();
    await news('An object has been added');
    await cell(page, 4, 0).and(page.locator('[data-active]')).waitFor();
    assert.deepEqual(await names(), [...before, '']);
    await cell(page, 1, 0).click();
    await cell(page, 2, 0).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Copy 2 objects' }).click();
    await news('2 objects have been copied');
    assert.deepEqual(await names(), [...before, '', before[0], before[1]]);
    await page.getByText('6 objects').waitFor();
    await cell(page, 4, 0).click();
    await cell(page, 6, 0).click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Change 3 objects' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New value').fill('Same');
    assert.deepEqual(await findingsOf(page), []);
    await shot(page, 'table-change');
    await dialog.getByRole('button', { name: 'Change', exact: true }).click();
    await news('3 objects have been changed');
    assert.deepEqual(await names(), [...before, 'Same', 'Same', 'Same']);
    await page.getByRole('button', { name: 'Delete 3 objects' }).click();
    await dialog.getByText('You can undo this').waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await news('3 objects have been deleted');
    assert.deepEqual(await names(), before);
    for (const [what, after] of [
      ['3 objects have been deleted', [...before, 'Same', 'Same', 'Same']],
      ['3 objects have been changed', [...before, '', before[0], before[1]]],
      ['2 objects have been copied', [...before, '']],
      ['An object has been added', before],
    ] as const) {
      await page.getByRole('button', { name: `Undo: ${what}` }).click();
      await news(`Undone: ${what}`);
      assert.deepEqual(await names(), after);
    }
    await finish(site, opened);
  },
);

pageTest('who may only view opens no editor; on a phone a cell is edited by two taps', async () => {
  const eve = await open('towns', 'eve');
  await cell(eve.page, 1, 2).click();
  await eve.page.keyboard.press('F2');
  await eve.page.keyboard.type('x');
  assert.equal(await grid(eve.page).getByRole('textbox').count(), 0);
  await finish(site, eve);
  const opened = await open('towns', 'ann', { ...phone, dark: true });
  const { page } = opened;
  await cell(page, 2, 2).dblclick();
  await grid(page).getByRole('textbox').fill('By phone');
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'table-edit-phone');
  await cell(page, 1, 0).click();
  await saved(page, 2, 2, 'By phone');
  await finish(site, opened);
});

pageTest(
  'numbers are read as people write them; what may be two numbers is refused with the reason',
  async () => {
    const { page } = await open('lands');
    const enter = async (text: string): Promise<void> => {
      await cell(page, 1, 3).click();
      await page.keyboard.press('F2');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    for (const [text, number] of [
      ['1,234,567', '1,234,567'],
      ['1.234,5', '1234.5'],
      ['0,125', '0.125'],
      ['12 345,5', '12,345.5'],
    ] as const) {
      await enter(text);
      await saved(page, 1, 3, number);
    }
    await enter('1,234');
    await page.getByRole('alert').getByText('Only a number below 9,007,199,254,740,992').waitFor();
    assert.equal((await stored('lands', 1)).population, 12345.5);
    await site.close(page);
  },
);

pageTest('an object is added once where the service is slow and the tool is pressed twice', async () => {
  await site.server.admin('POST', '/atlas/layers/', { code: 'slow', sort: 9 });
  await site.server.admin('POST', '/atlas/layers/slow/objects/', { fields: {} });
  const { page } = await openAs(site, 'ann', '/console/demo/atlas/?item=slow&table=1');
  await cell(page, 1, 0).waitFor();
  await page.route('**/slow/objects/batch/*', async (route) => {
    await page.waitForTimeout(700);
    await route.continue();
  });
  const add = page.getByRole('button', { name: 'Add an object' });
  await add.click();
  await add.and(page.locator('[aria-busy=true]')).click();
  await add.click();
  await page.getByRole('status').getByText('2 objects').waitFor();
  await add.and(page.locator('[aria-busy=false]')).waitFor();
  assert.equal(await site.server.admin('GET', '/atlas/layers/slow/count/?precise=true'), 2);
  await site.close(page);
});

pageTest('a photograph is added to an object, seen in its cell, and deleted', async () => {
  await site.server.admin('POST', '/atlas/layers/towns/structure/', { code: 'photo', type: 'file' });
  const opened = await open('towns', 'ann');
  const { page } = opened;
  const { bytes: picture } = await site.server.request('GET', '//tms/demo/atlas/?z=0&x=0&y=0');
  await cell(page, 1, 3).click();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'photo of object 1' });
  await dialog.getByText('There are no files yet.').waitFor();
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'oak "1" 100%.png', mimeType: 'image/png', buffer: picture });
  await dialog.getByRole('link', { name: 'oak "1" 100%.png' }).locator('img').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'table-files');
  await page.keyboard.press('Escape');
  await cell(page, 1, 3).getByRole('img', { name: 'oak "1" 100%.png' }).waitFor();
  await cell(page, 1, 3).getByText('1 file').waitFor();
  await cell(page, 1, 3).dblclick();
  await dialog.getByRole('button', { name: 'Delete oak "1" 100%.png' }).click();
  await dialog.getByRole('button', { name: 'Delete for good' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByText('There are no files yet.').waitFor();
  await dialog.getByRole('button', { name: 'Add files' }).and(page.locator(':focus')).waitFor();
  assert.equal((await stored('towns', 1)).photo, null);
  await finish(site, opened);
});

pageTest('a cell whose editor was opened and left as it was is not told to be lost', async () => {
  const opened = await open('towns');
  const { page } = opened;
  await cell(page, 1, 2).dblclick();
  await grid(page).locator('input').waitFor();
  await page.reload();
  await cell(page, 1, 2).waitFor();
  assert.equal(await page.getByText('is not stored').count(), 0);
  assert.equal(
    await page.evaluate("Object.keys(localStorage).some((key) => key.startsWith('cartulary-table'))"),
    false,
  );
  await cell(page, 1, 2).click();
  await page.keyboard.type('Typed');
  await page.reload();
  await page.getByRole('alert').getByText('1 value is not stored').waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await finish(site, opened);
});

pageTest('of a long value from right to left the beginning is seen', async () => {
  const long = `${'متجر الكتب الكبير '.repeat(8)}`.trim();
  const { id } = await site.server.admin<{ id: number }>('POST', '/atlas/layers/towns/objects/', {
    fields: { name: long },
    geom: { type: 'Point', coordinates: [10, 50] },
  });
  const opened = await open('towns');
  await grid(opened.page).locator('span:dir(rtl)', { hasText: long }).waitFor();
  await site.server.admin('DELETE', `/atlas/layers/towns/objects/${id}/`);
  await finish(site, opened);
});

pageTest('of two tabs of one user each keeps what was entered in it', async () => {
  const { page, problems } = await open('towns');
  const other = await page.context().newPage();
  await other.goto(page.url());
  await cell(other, 1, 2).waitFor();
  await cell(page, 1, 2).click();
  await page.keyboard.type('First tab');
  await cell(other, 2, 2).click();
  await other.keyboard.type('Second tab');
  await other.keyboard.press('Enter');
  await saved(other, 2, 2, 'Second tab');
  await page.close();
  await other.reload();
  await other.getByRole('alert').getByText('1 value is not stored').waitFor();
  await cell(other, 1, 2).getByText('First tab').waitFor();
  await other.getByRole('button', { name: 'Store again' }).click();
  await saved(other, 1, 2, 'First tab');
  await other.reload();
  await saved(other, 1, 2, 'First tab');
  assert.equal(await other.getByText('is not stored').count(), 0);
  await finish(site, { page: other, problems });
});
