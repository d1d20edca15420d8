import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { hostile, makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits, type BrowserProfile, isHacked, type OpenPage } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { deletionButton, finish, makeUser, openAs, passwordOf, shot } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
  await makeUser(server, 'eve', { '/atlas/rights/': 'view' });
  await server.admin('POST', '/atlas/layers/lands/structure/', { code: 'size', type: 'string' });
  const objects = await server.admin<{ id: number }[]>('GET', '/atlas/layers/lands/objects/');
  for (const [i, size] of ['12.5', 'large'].entries())
    await server.admin('PUT', `/atlas/layers/lands/objects/${objects[i]!.id}/`, { fields: { size } });
});

interface Column {
  code: string;
  name: string;
  type: string;
  format?: Record<string, unknown>;
  required: boolean;
}

/** The columns of the layer `lands`, without those of every layer. */
async function columnsOf(lng = 'en'): Promise<Column[]> {
  const columns = await site.server.admin<Column[]>('GET', `/atlas/layers/lands/structure/?lng=${lng}`);
  return columns.filter(({ code }) => code !== 'svc_id' && code !== 'geom');
}
const codes = async (): Promise<string> => (await columnsOf()).map(({ code }) => code).join(' ');
const columnOf = async (code: string, lng?: string): Promise<Column> =>
  (await columnsOf(lng)).find((column) => column.code === code)!;

/** Opens the columns of the layer `lands`. */
async function openColumns(login = 'ann', profile: BrowserProfile = {}): Promise<OpenPage> {
  const opened = await openAs(site, login, '/console/demo/atlas/?item=lands&tab=columns', profile);
  await list(opened.page).waitFor({ state: 'attached' });
  return opened;
}

const list = (page: Page, name = 'Columns in their order') => page.getByRole('list', { name });
const row = (page: Page, code: string) =>
  list(page)
    .locator('button[data-column]')
    .filter({ has: page.getByText(code, { exact: true }) });
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name });
const news = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

pageTest('a column is added, moved, renamed and deleted by keyboard', async () => {
  const opened = await openColumns('ann');
  const { page } = opened;
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'columns');
  await page.getByRole('button', { name: 'Add a column' }).press('Enter');
  const form = dialog(page, 'New column');
  await form.getByLabel('Title', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type(`Width ${hostile}`);
  await form.getByLabel('Code').fill('name');
  await form.getByLabel('Type').selectOption('Number');
  await form.getByText('Format').click();
  await form.getByLabel('Decimals').fill('1');
  await form.getByLabel('Between thousands').fill(' ');
  await form.getByLabel('After').fill(' m');
  await form.getByText('12 345.7 m').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'column-new');
  await page.keyboard.press('Enter');
  await form.getByText('Another column of the layer has this code').waitFor();
  await form.getByLabel('Code').fill('width');
  await page.keyboard.press('Enter');
  await news(page, `The column Width ${hostile} has been added`);
  assert.equal(await isHacked(page), false);
  const width = await columnOf('width');
  assert.deepEqual(width.format, { decimals: 1, thousands: ' ', suffix: ' m' });

  const before = (await codes()).split(' ');
  await row(page, 'width').press('Alt+ArrowUp');
  await news(page, 'has been moved');
  await row(page, 'width').and(page.locator(':focus')).waitFor();
  const after = (await codes()).split(' ');
  assert.equal(after.indexOf('width'), before.indexOf('width') - 1);

  await page.keyboard.press('Enter');
  const change = dialog(page, /Column Width/);
  await change.getByRole('checkbox', { name: 'A title in each language' }).check();
  await change.getByLabel('Title (English)').fill('Width');
  await change.getByLabel('Title (Русский)').fill('Ширина');
  await change.getByRole('checkbox', { name: 'Every object must have a value' }).check();
  await page.keyboard.press('Enter');
  await news(page, 'Saved: column Width');
  assert.equal((await columnOf('width', 'ru')).name, 'Ширина');
  assert.equal((await columnOf('width')).required, true);

  await row(page, 'width').press('Delete');
  await dialog(page, 'Delete the column?').getByText('It is empty').waitFor();
  const confirm = await deletionButton(page);
  assert.deepEqual(await findingsOf(page), []);
  await confirm.press('Enter');
  await news(page, 'The column Width has been deleted');
  assert.equal(await columnOf('width'), undefined);
  await finish(site, opened);
});

pageTest('a change of type says what would be lost before it happens', async () => {
  const opened = await openColumns('ann');
  const { page } = opened;
  await row(page, 'size').click();
  const form = dialog(page, 'Column size');
  await form.getByLabel('Type').selectOption('Number');
  await form.getByText('1 of 2 values would be lost').waitFor();
  await form.getByText('large').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'column-type');
  await form.getByLabel('Type').selectOption('Text, long');
  await form.getByText('Nothing is lost: 2 values can be converted').waitFor();
  assert.equal((await columnOf('size')).type, 'string');
  await form.getByLabel('Type').selectOption('Number');
  await form.getByRole('button', { name: 'Change and lose 1 value' }).click();
  await news(page, 'Saved: column size');
  assert.equal((await columnOf('size')).type, 'number');
  await row(page, 'size').press('Delete');
  await dialog(page, 'Delete the column?').getByText('1 value').waitFor();
  await page.keyboard.press('Escape');
  assert.equal((await columnOf('size')).type, 'number');
  await finish(site, opened);
});

pageTest(
  'of two who change a column the second sees both versions; other columns do not matter',
  async () => {
    const opened = await openColumns();
    const { page } = opened;
    await row(page, 'site').click();
    const form = dialog(page, 'Column Site');
    await form.getByLabel('Title (English)').fill('Mine');
    await site.server.admin('PATCH', '/atlas/layers/lands/structure/site/?lng=en', {
      type: 'string',
      name: 'Theirs',
      required: true,
    });
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    const conflict = dialog(page, 'Somebody else has saved this meanwhile');
    await conflict.getByText('Theirs, Сайт').waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await conflict.getByRole('button', { name: 'Save this choice' }).click();
    await news(page, 'Saved: column Mine');
    const stored = await columnOf('site');
    assert.deepEqual([stored.name, stored.required], ['Mine', true]);

    await row(page, 'site').click();
    const again = dialog(page, 'Column Mine');
    await again.getByLabel('Title (English)').fill('Site');
    await site.server.admin('PATCH', '/atlas/layers/lands/structure/blank/?lng=en', {
      type: 'string',
      name: 'B',
    });
    await again.getByRole('button', { name: 'Save', exact: true }).click();
    await news(page, 'Saved: column Site');
    assert.equal((await columnOf('blank')).name, 'B');
    await finish(site, opened);
  },
);

pageTest('what a rule would refuse is counted before it is made; dictionaries suggest', async () => {
  const opened = await openColumns('admin');
  const { page } = opened;
  const openRules = async (code: string, name: string) => {
    await page.getByRole('button', { name: `Actions for the column ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Rules for values' }).click();
    return dialog(page, `Rules for the values of ${code === name ? code : name}`);
  };
  const rules = await openRules('population', 'Population');
  await rules.getByLabel('Greatest').fill('5000');
  await rules.getByText('1 of 2 values do not fit').waitFor();
  await rules.getByText('1234567').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'column-rules');
  await rules.getByLabel('Greatest').fill('2000000');
  await rules.getByText('All 2 values that are stored fit').waitFor();
  await rules.getByRole('button', { name: 'Add the rule' }).click();
  await rules.getByRole('list').getByText('At most 2,000,000').waitFor();
  await rules.getByLabel('New rule').selectOption('Different in each object');
  await rules.getByText('All 2 values that are stored fit').waitFor();
  await page.keyboard.press('Escape');
  await row(page, 'population').getByText('at most 2,000,000').waitFor();

  const ofSite = await openRules('site', 'Site');
  await ofSite.getByLabel('New rule').selectOption('Only values of a column of another layer');
  await ofSite.getByRole('combobox', { name: 'Map', exact: true }).selectOption('Atlas');
  await ofSite.getByRole('combobox', { name: 'Layer', exact: true }).selectOption('Towns');
  await ofSite.getByLabel('Column with the values').selectOption('Name');
  await ofSite.getByRole('button', { name: 'Add it all the same' }).click();
  await ofSite.getByText('values that were there before may differ').waitFor();
  await ofSite.getByRole('button', { name: 'Remove the rule: Only values of atlas.towns.name' }).click();
  await ofSite.getByText('Any value of the type can be stored.').waitFor();
  assert.deepEqual(await site.server.admin('GET', '/atlas/dictionaries/lands/'), []);
  await page.keyboard.press('Escape');
  await finish(site, opened);

  const [constraint] = await site.server.admin('GET', '/atlas/layers/lands/constraints/');
  assert.deepEqual([constraint.type, constraint.definition], ['range', [null, 2_000_000]]);
  await site.server.admin('DELETE', '/atlas/layers/lands/constraints/', { name: constraint.name });
});

pageTest('what is entered of a column outlives the page; titles in other languages are kept', async () => {
  const path = '/atlas/layers/lands/structure/blank/';
  const names = { en: 'Blank', ru: 'Пусто', de: 'Leer' };
  await site.server.admin('PATCH', path, { type: 'string', localized_name: true, name: names });
  const opened = await openColumns();
  const { page } = opened;
  const form = dialog(page, 'Column Blank');
  await row(page, 'blank').click();
  await form.getByLabel('Title (English)').fill('Half');
  await page.reload();
  await row(page, 'blank').getByText('not saved').waitFor();
  await row(page, 'blank').click();
  assert.equal(await form.getByLabel('Title (English)').inputValue(), 'Half');
  await form.getByRole('checkbox', { name: 'Every object must have a value' }).check();
  await form.getByText('2 objects have no value now.').waitFor();
  await form.getByRole('checkbox', { name: 'Every object must have a value' }).uncheck();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await news(page, 'Saved: column Half');
  await row(page, 'blank').getByText('not saved').waitFor({ state: 'detached' });
  assert.deepEqual([(await columnOf('blank', 'de')).name, (await columnOf('blank')).name], ['Leer', 'Half']);
  await site.server.admin('PATCH', path, { type: 'string', name: names });
  await finish(site, opened);
});

pageTest('a column is dragged; where others were faster, their order is shown', async () => {
  const opened = await openColumns();
  const { page } = opened;
  await row(page, 'blank').dragTo(row(page, 'population'), { targetPosition: { x: 60, y: 4 } });
  await news(page, 'has been moved');
  assert.match(await codes(), /blank population/);
  await site.server.admin('PATCH', '/atlas/layers/lands/structure/note/', { type: 'text', sort: 0 });
  await row(page, 'blank').press('Alt+ArrowDown');
  await news(page, 'Somebody else has changed the columns meanwhile');
  await row(page, 'blank').press('Alt+ArrowDown');
  await news(page, 'has been moved');
  assert.match(await codes(), /population blank/);
  await finish(site, opened);
});

pageTest('what was typed stays when the session ends', async () => {
  const opened = await openColumns();
  const { page } = opened;
  await row(page, 'open').click();
  const form = dialog(page, 'Column Open');
  await form.getByText('Format').click();
  await form.getByLabel('For yes').fill('open');
  await form.getByText('open / no').waitFor();
  await site.server.admin('PATCH', '/users/ann/', { password: passwordOf('again') });
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  const signedOut = dialog(page, 'Your session has ended');
  await signedOut.locator('input[name=password]').fill(passwordOf('again'));
  await page.keyboard.press('Enter');
  await news(page, 'Saved: column Open');
  assert.deepEqual((await columnOf('open')).format, { true: 'open' });
  await site.server.admin('PATCH', '/users/ann/', { password: passwordOf('ann') });
  await finish(site, opened);
});

pageTest(
  'a user who may only view reads the columns; on a phone, in Russian, axe finds nothing',
  async () => {
    const eve = await openColumns('eve');
    await list(eve.page).getByText('population').waitFor();
    assert.equal(await list(eve.page).getByRole('button').count(), 0);
    await finish(site, eve);
    const profile = { ...phone, dark: true, languages: ['ru'] };
    const opened = await openAs(site, 'admin', '/console/demo/atlas/?item=lands&tab=columns', profile);
    const { page } = opened;
    await page.getByRole('button', { name: 'Свойства', exact: true }).click();
    await page.getByRole('button', { name: 'Действия со столбцом «Население»' }).tap();
    await page.getByRole('menuitem', { name: 'Изменить' }).tap();
    await page.getByRole('dialog').getByLabel('Название (English)').waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await assertFits(page);
    await shot(page, 'column-phone');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.ok(await list(page, 'Столбцы по порядку').isVisible(), 'the drawer stays open');
    await shot(page, 'columns-phone');
    await page.getByRole('button', { name: 'Действия со столбцом «Население»' }).tap();
    await page.getByRole('menuitem', { name: 'Правила для значений' }).tap();
    await page.getByRole('dialog').getByLabel('Наименьшее').fill('5000');
    await page.getByText('Не подходит 1 из 2 значений').waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await assertFits(page);
    await shot(page, 'column-rules-phone');
    await finish(site, opened);
  },
);
