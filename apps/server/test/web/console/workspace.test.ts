import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import type { TestServer } from '../../support/server.js';
import { hostile, makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits, type BrowserProfile, isHacked, type OpenPage, pressItem, until } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { deletionButton, finish, makeUser, openAs, passwordOf, shot, signIn } from './people.js';

interface Item {
  id: number;
  code: string;
  name: string;
  parent_id: number;
}

/** The tree of a map as `green(parks) towns lands`. */
async function treeOf(server: TestServer, map = 'atlas'): Promise<string> {
  const items = await server.admin<Item[]>('GET', `/${map}/layers/?type=full`);
  const { id } = await server.admin<Item>('GET', `/${map}/`);
  const drawn = (parent: number): string =>
    items
      .filter((item) => item.parent_id === parent)
      .map((item) => {
        const inside = drawn(item.id);
        return inside ? `${item.code}(${inside})` : item.code;
      })
      .join(' ');
  return drawn(id);
}

/** Opens the workspace of the map `atlas`, signed in. */
async function openWorkspace(login = 'ann', profile: BrowserProfile = {}): Promise<OpenPage> {
  const opened = await openAs(site, login, '/console/demo/atlas/', profile);
  await opened.page.getByTestId('map').waitFor();
  return opened;
}

const row = (page: Page, name: string) => page.getByRole('treeitem', { name });
/** Types into the title of the dialog that opens: keys that are pressed before it is there are lost. */
async function typeTitle(page: Page, text: string): Promise<void> {
  await page.getByRole('dialog').getByLabel('Title').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
}

const news = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
  await makeUser(server, 'eve', { '/atlas/rights/': 'view' });
  await server.admin('POST', '/', { code: 'tall', name: 'Tall' });
  for (let i = 1; i <= tallRows; i++) await server.admin('POST', '/tall/layers/', { name: `Layer ${i}` });
});

/** Layers of the map `tall`: far more than a page shows. */
const tallRows = 120;

pageTest('a map is opened from the catalog, which does not load the map library', async () => {
  const scripts: string[] = [];
  const { page, problems } = await site.open('/console/demo/', {
    onPage: (one) => one.on('request', (request) => scripts.push(request.url())),
  });
  await signIn(page, 'ann', passwordOf('ann'));
  const link = page.getByRole('link', { name: 'Atlas', exact: true });
  await link.waitFor();
  const ofMap = () => scripts.filter((url) => /mapView/.test(url));
  assert.deepEqual(ofMap(), []);
  await link.click();
  await page.getByRole('heading', { level: 1, name: 'Atlas' }).waitFor();
  await page.getByTestId('map').locator('canvas').waitFor();
  assert.ok(ofMap().length > 0);
  assert.equal(await page.title(), 'Atlas · Console · Cartulary');
  await page.getByRole('link', { name: 'All maps of demo' }).click();
  await page.getByRole('heading', { name: 'Maps of demo' }).waitFor();
  await page.goBack();
  await row(page, 'Towns').waitFor();
  await finish(site, { page, problems });
});

pageTest('folders and layers are added, renamed, moved and deleted by keyboard', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await add.press('Enter');
  await pressItem(page, 'Folder');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.locator(':focus').and(add).press('Enter');
  await pressItem(page, 'Folder');
  await typeTitle(page, 'Green places');
  assert.equal(await page.getByRole('dialog').getByLabel('Code').inputValue(), 'green_places');
  assert.deepEqual(await findingsOf(page), []);
  await page.keyboard.press('Enter');
  await news(page, 'Green places has been added');
  await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await pressItem(page, 'Empty layer');
  await typeTitle(page, hostile);
  await page.getByRole('dialog').getByLabel('Code').fill('parks');
  await page.getByRole('radio', { name: 'Areas' }).check();
  await shot(page, 'add-layer');
  await page.keyboard.press('Enter');
  await news(page, `${hostile} has been added`);
  assert.equal(await isHacked(page), false);
  assert.equal(await treeOf(site.server), 'towns lands green_places(parks)');
  const parks = await site.server.admin('GET', '/atlas/layers/parks/');
  assert.equal(parks.simpleStyle.fill, '#8ccf7e');

  await row(page, hostile).press('F2');
  await page.getByLabel('Title').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('Parks');
  await page.keyboard.press('Enter');
  await news(page, 'Saved: Parks');
  await row(page, 'Parks').press('Alt+ArrowLeft');
  await news(page, 'Parks has been moved');
  assert.equal(await treeOf(site.server), 'towns lands green_places parks');
  await row(page, 'Parks').press('Alt+ArrowUp');
  await row(page, 'Parks').and(page.locator('[aria-posinset="3"]')).waitFor();
  await row(page, 'Parks').press('Home');
  await row(page, 'Towns').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('p');
  await page.keyboard.press('Shift+F10');
  await pressItem(page, 'Move down');
  await row(page, 'Parks').and(page.locator('[aria-posinset="4"]')).waitFor();
  assert.equal(await treeOf(site.server), 'towns lands green_places parks');

  await row(page, 'Parks').press('Delete');
  await page.getByRole('dialog', { name: 'Delete the layer?' }).getByText('It is empty').waitFor();
  const confirm = await deletionButton(page);
  assert.deepEqual(await findingsOf(page), []);
  await confirm.press('Enter');
  await news(page, 'Parks has been deleted');
  assert.equal(await treeOf(site.server), 'towns lands green_places');
  await finish(site, opened);
});

pageTest('a layer is dragged into a folder and out again', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  await row(page, 'Towns').dragTo(row(page, 'Green places'));
  await news(page, 'Towns has been moved');
  assert.equal(await treeOf(site.server), 'lands green_places(towns)');
  await row(page, 'Towns').dragTo(row(page, 'Lands'), { targetPosition: { x: 80, y: 3 } });
  await row(page, 'Towns').and(page.locator('[aria-level="1"]')).waitFor();
  assert.equal(await treeOf(site.server), 'towns lands green_places');
  await finish(site, opened);
});

pageTest('the live map shows what is switched on, and what is stored after a change', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  const drawn = (ids: readonly number[]) =>
    page.waitForResponse((one) => one.url().includes(`/tms/demo/atlas/?layers=${ids.join('%2C')}&`));
  const { id: towns } = await site.server.admin<Item>('GET', '/atlas/layers/towns/');
  const { id: lands } = await site.server.admin<Item>('GET', '/atlas/layers/lands/');
  await row(page, 'Towns').waitFor();
  const alone = drawn([lands]);
  await row(page, 'Towns').press('Space');
  await alone;
  await row(page, 'Towns').and(page.locator('[aria-checked="false"]')).waitFor();
  const both = drawn([lands, towns]);
  await row(page, 'Towns').press('Space');
  await both;
  const swapped = drawn([towns, lands]);
  await row(page, 'Towns').press('Alt+ArrowDown');
  await swapped;
  await row(page, 'Towns').and(page.locator(':focus')).waitFor();
  const back = drawn([lands, towns]);
  await page.keyboard.press('Alt+ArrowUp');
  await back;
  await finish(site, opened);
});

pageTest('the map page has what is chosen for each layer', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  await row(page, 'Towns').click();
  await page.getByRole('radio', { name: 'Not there' }).check();
  await row(page, 'Towns').getByRole('img', { name: 'not on the map page' }).waitFor();
  const codes = async (): Promise<string[]> =>
    (await site.server.admin<Item[]>('GET', '/atlas/layers/')).map(({ code }) => code);
  assert.deepEqual(await codes(), ['lands', 'green_places']);
  await page.getByRole('radio', { name: 'In the list, switched off' }).check();
  await row(page, 'Towns').getByRole('img').waitFor({ state: 'detached' });
  await row(page, 'Towns').and(page.locator('[aria-checked="false"]')).waitFor();
  assert.deepEqual(await codes(), ['lands', 'green_places', 'towns']);
  await page.getByRole('radio', { name: 'Shown at the start' }).check();
  await row(page, 'Towns').and(page.locator('[aria-checked="true"]')).waitFor();
  await finish(site, opened);
});

pageTest('a layer that would be drawn at no zoom is told before it is stored', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  await row(page, 'Towns').click();
  await page.getByLabel('From zoom').fill('9');
  await page.getByLabel('To zoom').fill('3');
  await page.getByText('The layer is drawn at no zoom').waitFor();
  await page.getByLabel('To zoom').fill('12');
  await page.getByText('The layer is drawn at no zoom').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cancel' }).click();
  await finish(site, opened);
});

pageTest('of two who save at once the second sees both versions', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  await row(page, 'Lands').click();
  const title = page.getByLabel('Title');
  await title.fill('Mine');
  await site.server.admin('PATCH', '/atlas/layers/lands/?lng=en', { name: 'Theirs', code: 'lands2' });
  await title.press('Enter');
  // The layer was renamed: its old code names nothing any more.
  await page.getByRole('alert').getByText('It has been deleted meanwhile').waitFor();
  await site.server.admin('PATCH', '/atlas/layers/lands2/?lng=en', { code: 'lands' });
  await title.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Somebody else has saved this meanwhile' });
  await dialog.getByText('Theirs', { exact: true }).last().waitFor();
  await dialog.getByText('Mine', { exact: true }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'conflict');
  await dialog.getByRole('button', { name: 'Save this choice' }).click();
  await news(page, 'Saved: Mine');
  assert.equal((await site.server.admin('GET', '/atlas/layers/lands/?lng=en')).name, 'Mine');
  await title.fill('Second');
  await site.server.admin('PATCH', '/atlas/layers/lands/?lng=en', { name: 'Lands' });
  await title.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await title.inputValue(), 'Second', 'nothing is lost by closing the dialog');
  await title.press('Enter');
  await dialog.getByRole('button', { name: 'Keep theirs' }).click();
  assert.equal(await title.inputValue(), 'Lands');
  assert.equal((await site.server.admin('GET', '/atlas/layers/lands/?lng=en')).name, 'Lands');
  await finish(site, opened);
});

pageTest('a user who may only view sees no tools; a right that is taken away is told', async () => {
  const eve = await openWorkspace('eve');
  await row(eve.page, 'Towns').getByRole('img', { name: 'you may only look at it' }).waitFor();
  await row(eve.page, 'Towns').click();
  await eve.page.getByText('Show on the map').waitFor();
  assert.equal(await eve.page.getByRole('button', { name: 'Add', exact: true }).count(), 0);
  assert.equal(await eve.page.getByRole('radio').count(), 0);
  assert.equal(await eve.page.getByLabel('Title').getAttribute('readonly'), '');
  await row(eve.page, 'Towns').press('Shift+F10');
  await eve.page.getByRole('menuitem').first().waitFor();
  const offered = ['Show on the map', 'Open the table', 'Export the objects'];
  assert.deepEqual(await eve.page.getByRole('menuitem').allInnerTexts(), offered);
  await pressItem(eve.page, 'Export the objects');
  const dialog = eve.page.getByRole('dialog', { name: 'Export' });
  const file = eve.page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).press('Enter');
  const { features } = JSON.parse(await readFile(await (await file).path(), 'utf8'));
  assert.equal(features.length, 3);
  await dialog.getByRole('button', { name: 'Close' }).first().press('Enter');
  await eve.page.keyboard.press('Control+k');
  await eve.page
    .getByRole('dialog', { name: 'Find and do' })
    .getByRole('combobox')
    .and(eve.page.locator(':focus'))
    .waitFor();
  await eve.page.keyboard.type('open the table');
  await eve.page.getByRole('option', { name: /Open the table.*Towns/ }).waitFor();
  await eve.page.keyboard.press('Enter');
  await eve.page.getByRole('region', { name: 'Table of Towns' }).waitFor();
  await finish(site, eve);

  const ann = await openWorkspace();
  await ann.page.getByRole('button', { name: 'Add', exact: true }).click();
  await ann.page.getByRole('menuitem', { name: 'Folder' }).click();
  await typeTitle(ann.page, 'Late');
  await site.server.admin('PUT', '/atlas/rights/', { user: 'ann', right: 'view' });
  await ann.page.keyboard.press('Enter');
  await ann.page.getByRole('alert').getByText('Your rights do not allow this any more').waitFor();
  assert.equal(await ann.page.getByRole('dialog').getByLabel('Title').inputValue(), 'Late');
  await site.server.admin('PUT', '/atlas/rights/', { user: 'ann', right: 'administer' });
  await ann.page.keyboard.press('Enter');
  await news(ann.page, 'Late has been added');
  await finish(site, ann);
});

pageTest('a session that ends before a move: sign in again, and it is done', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  await row(page, 'Towns').waitFor();
  await site.server.admin('PATCH', '/users/ann/', { password: passwordOf('again') });
  await row(page, 'Towns').press('Alt+ArrowDown');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password').fill(passwordOf('again'));
  await page.keyboard.press('Enter');
  await news(page, 'Towns has been moved');
  await row(page, 'Towns').press('Alt+ArrowUp');
  await row(page, 'Towns').and(page.locator('[aria-posinset="1"]')).waitFor();
  await site.server.admin('PATCH', '/users/ann/', { password: passwordOf('ann') });
  await finish(site, opened);
});

pageTest('a change that does not reach the service is told, and can be made again', async () => {
  const { page, problems } = await openWorkspace();
  await row(page, 'Towns').waitFor();
  await page.getByTestId('map').locator('canvas').waitFor();
  await page.waitForLoadState('networkidle');
  const before = await treeOf(site.server);
  await page.context().setOffline(true);
  await row(page, 'Towns').press('Alt+ArrowDown');
  await news(page, 'The service cannot be reached');
  assert.equal(await treeOf(site.server), before);
  await page.context().setOffline(false);
  await row(page, 'Towns').press('Alt+ArrowDown');
  await news(page, 'Towns has been moved');
  await row(page, 'Towns').press('Alt+ArrowUp');
  await row(page, 'Towns').and(page.locator('[aria-posinset="1"]')).waitFor();
  // On a slow machine the map may still load its worker when the connection breaks.
  const others = problems.filter((one) => !/ERR_INTERNET_DISCONNECTED|Worker failed to load/.test(one));
  await finish(site, { page, problems: others });
});

pageTest('the address of the workspace opens the same layer at the same place', async () => {
  const opened = await openWorkspace();
  const { page } = opened;
  const zoomOf = (hash: string) => Number(/^#([\d.]+)\//.exec(hash)?.[1] ?? 0);
  await row(page, 'Lands').click();
  await page.waitForURL(({ hash }) => zoomOf(hash) > 0);
  const before = zoomOf(new URL(page.url()).hash);
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.waitForURL(({ hash, search }) => search === '?item=lands' && zoomOf(hash) > before + 0.9);
  const shared = page.url();
  const other = await page.context().newPage();
  await other.goto(shared);
  await other.getByRole('heading', { level: 2, name: 'Lands' }).waitFor();
  await row(other, 'Lands').and(other.locator('[aria-selected="true"]')).waitFor();
  await other.getByTestId('map').locator('canvas').waitFor();
  assert.equal(other.url(), shared);
  await page.goBack();
  await page.getByRole('heading', { level: 2, name: 'Atlas' }).waitFor();
  await page.goto(`${site.server.url}/console/demo/nowhere/`);
  await page.getByRole('heading', { name: 'There is no map at this address' }).waitFor();
  await finish(site, opened);
});

pageTest('a link to a layer that is not there says so', async () => {
  const { page } = await openAs(site, 'ann', '/console/demo/atlas/?item=nosuch&tab=style');
  await page.getByRole('status').getByText('There is no “nosuch” in this map').waitFor({ timeout: 10_000 });
  await page.getByRole('treeitem', { name: 'Lands' }).click();
  await page.getByRole('tab', { name: 'Style' }).waitFor();
  await site.close(page);
});

pageTest('a very long name takes three lines of the tree, and is told whole by the pointer', async () => {
  const name = 'A name that an import has made of a description of its file. '.repeat(6).trim();
  const { code } = await site.server.admin('POST', '/tall/layers/', { name });
  const { page, problems } = await openAs(site, 'admin', `/console/demo/tall/?item=${code}`);
  await page.getByRole('treeitem').first().focus();
  await page.keyboard.press('End');
  const long = row(page, name);
  assert.ok((await long.boundingBox())!.height < 80);
  assert.equal(await long.getByTitle(name).count(), 1);
  await site.server.admin('DELETE', `/tall/layers/${code}/`);
  await finish(site, { page, problems });
});

pageTest('of a tall tree the rows in view are drawn; keys reach every row', async () => {
  const { page, problems } = await openAs(site, 'admin', '/console/demo/tall/');
  const rows = page.getByRole('treeitem');
  const focused = (name: string) => row(page, name).and(page.locator(':focus')).waitFor();
  await rows.first().focus();
  await page.keyboard.press('End');
  await focused(`Layer ${tallRows}`);
  assert.ok((await rows.count()) < 60, `${await rows.count()} rows`);
  await page.keyboard.press('ArrowUp');
  await focused(`Layer ${tallRows - 1}`);
  await page.keyboard.press('l');
  await focused(`Layer ${tallRows}`);
  await page.keyboard.press('l');
  await focused('Layer 1');
  assert.equal(await rows.first().getAttribute('aria-setsize'), String(tallRows));
  await page.getByRole('region', { name: 'Layers' }).hover();
  await page.mouse.wheel(0, 2_000);
  await row(page, 'Layer 60').waitFor();
  await focused('Layer 1');
  await page.keyboard.press('ArrowDown');
  await focused('Layer 2');
  await finish(site, { page, problems });
});

pageTest('workspace: axe finds nothing on a desktop', async () => {
  const opened = await openWorkspace('admin');
  const { page } = opened;
  await row(page, 'Towns').click();
  await page.getByText('Shown at the start').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await page.waitForLoadState('networkidle');
  await shot(page, 'workspace-desktop');
  await page.getByRole('button', { name: 'Actions for Towns' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await finish(site, opened);
});

pageTest('workspace: axe finds nothing on a phone, in the dark, in Russian', async () => {
  const profile = { ...phone, dark: true, languages: ['ru'] };
  const opened = await openWorkspace('admin', profile);
  const { page } = opened;
  assert.deepEqual(await findingsOf(page), []);
  await page.getByRole('button', { name: 'Слои', exact: true }).click();
  await row(page, 'Города').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'workspace-phone-tree');
  await row(page, 'Города').click();
  await page.getByText('Виден сразу').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await page.waitForLoadState('networkidle');
  await shot(page, 'workspace-phone');
  await page.getByRole('button', { name: 'Показать на карте' }).click();
  await page.getByText('Виден сразу').waitFor({ state: 'hidden' });
  await assertFits(page);
  await finish(site, opened);
});

pageTest('a layer that an address names far below is in view in the tree', async () => {
  const name = `Layer ${tallRows}`;
  const items = await site.server.admin<Item[]>('GET', '/tall/layers/?type=full');
  const { code } = items.find((item) => item.name === name)!;
  const { page } = await openAs(site, 'ann', `/console/demo/tall/?item=${code}`);
  await page.getByRole('treeitem', { name, selected: true }).waitFor();
  await until(
    page,
    "document.querySelector('[aria-selected=true][role=treeitem]').getBoundingClientRect().bottom <= innerHeight",
  );
  await site.close(page);
});
