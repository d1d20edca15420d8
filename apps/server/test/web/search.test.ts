import assert from 'node:assert/strict';
import type { Page, Request } from 'playwright-core';
import type { TestServer } from '../support/server.js';
import { hostile, makeAtlas } from './atlas.js';
import { assertFits, type BrowserProfile, isHacked, until } from './browser.js';
import { checkTargets, drawn, panel, tileOf } from './mapPage.js';
import { pageTest, phone, useSite } from './site.js';

const isSearch = (request: { url: () => string }): boolean => request.url().includes('/search/?');
const box = (page: Page, name = 'Search the map') => page.getByRole('combobox', { name });
const options = (page: Page) => page.getByRole('option');
/** Types without pauses, in which a slow machine could send a request. */
const typeQuickly = (page: Page, text: string): Promise<void> =>
  page.evaluate(`(() => {
    const box = document.querySelector('[role=combobox]');
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    const typed = ${JSON.stringify(text)};
    for (let length = Math.min(box.value.length, typed.length - 1) + 1; length <= typed.length; length++) {
      set.call(box, typed.slice(0, length));
      box.dispatchEvent(new Event('input', { bubbles: true }));
    }
  })()`);

/** Waits for a view `#zoom/latitude/longitude` in the address. */
const looksAt = (page: Page, latitude: number, longitude: number, by = 3): Promise<void> =>
  until(
    page,
    `(([, lat, lon]) => Math.abs(lat - ${latitude}) < ${by} && Math.abs(lon - ${longitude}) < ${by})(location.hash.slice(1).split('/').map(Number))`,
  );

/** Layers of one name in two folders; towns of one name in several lands. */
async function makeNamesakes({ admin }: TestServer): Promise<void> {
  const towns = [
    ['Springfield', 'Ohio', 'east', [-83.81, 39.92]],
    ['Springfield', 'Illinois', 'west', [-89.65, 39.8]],
    ['Springfield', 'Illinois', 'west', [-90.5, -38.25]],
    ['Springfield Lake', 'Ohio', 'east', [1, 2]],
  ] as const;
  await admin('POST', '/', { code: 'namesakes', name: 'Namesakes' });
  for (const [i, folder] of ['Past', 'Present'].entries()) {
    const code = folder.toLowerCase();
    const { id } = await admin<{ id: number }>('POST', '/namesakes/folders/', { code, name: folder });
    await admin('POST', '/namesakes/layers/', { code: `towns_${i}`, name: 'Towns', parent_id: id });
  }
  for (const column of ['name', 'kind', 'land', 'side'])
    await admin('POST', '/namesakes/layers/towns_0/structure/', { code: column, type: 'string' });
  for (const [name, land, side, coordinates] of towns)
    await admin('POST', '/namesakes/layers/towns_0/objects/', {
      fields: { name, kind: 'place', land, side },
      geom: { type: 'Point', coordinates },
    });
}

const site = useSite(async (server) => {
  await makeAtlas(server);
  await server.admin('POST', '/', { code: 'empty', name: 'Empty' });
  await makeNamesakes(server);
});
const open = async (profile?: BrowserProfile, map = 'atlas') => {
  const opened = await site.open(`/maps/demo/${map}/#5/50/10`, profile);
  await drawn(opened.page);
  return opened;
};

pageTest('an object that is chosen is shown, marked, and its layer switched on', async () => {
  const { page, problems } = await open({ moving: true });
  const towns = page.getByRole('treeitem', { name: 'Towns' });
  await Promise.all([tileOf(page, 1), towns.click()]);
  await box(page).fill('south');
  await options(page).first().waitFor();
  assert.deepEqual(await options(page).allInnerTexts(), ['South\nLands', 'Southport\nTowns']);
  assert.equal(await options(page).locator('img').count(), 2, 'with the icons of their layers');
  await Promise.all([tileOf(page, 2), options(page).nth(1).click()]);
  await panel(page).getByRole('heading', { name: 'Southport' }).waitFor();
  assert.equal(await towns.getAttribute('aria-checked'), 'true');
  assert.equal(await options(page).first().isVisible(), false, 'the list is closed');
  await looksAt(page, 30, 5);
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Southport');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  assert.equal(await isHacked(page), false);
  assert.deepEqual(problems, []);
});

pageTest('the keyboard searches and chooses: arrows, Enter, Escape', async () => {
  const { page, problems } = await open();
  await box(page).focus();
  await page.keyboard.type('south');
  await options(page).nth(1).waitFor();
  const active = () => page.locator('[role=option][data-combobox-selected]').innerText();
  assert.match(await active(), /^South\n/, 'the first is the one that Enter takes');
  await page.keyboard.press('ArrowDown');
  assert.match(await active(), /^Southport/);
  await page.keyboard.press('ArrowDown');
  assert.match(await active(), /^South\n/, 'around the end');
  await page.keyboard.press('Enter');
  await panel(page).getByRole('heading', { name: 'South', exact: true }).waitFor();
  await looksAt(page, 30, 10);
  await box(page).focus();
  await options(page).first().waitFor();
  await page.keyboard.press('Escape');
  await options(page).first().waitFor({ state: 'hidden' });
  assert.equal(await panel(page).isVisible(), true, 'the first Escape closes the list alone');
  await page.keyboard.press('Escape');
  assert.equal(await box(page).inputValue(), '', 'the second empties the field');
  await page.keyboard.press('Escape');
  await panel(page).waitFor({ state: 'detached' });
  assert.deepEqual(problems, []);
});

pageTest('a layer that is chosen is switched on and shown whole', async () => {
  const { page, problems } = await open();
  const lands = page.getByRole('treeitem', { name: 'Lands' });
  await Promise.all([tileOf(page, 1), lands.click()]);
  await box(page).fill('lands');
  await options(page).filter({ hasText: 'Layer' }).waitFor();
  assert.equal(await options(page).first().innerText(), 'Lands\nLayer');
  await Promise.all([tileOf(page, 2), options(page).first().click()]);
  await looksAt(page, 42, 4, 6); // beside the panel
  assert.equal(await lands.getAttribute('aria-checked'), 'true');
  assert.equal(await panel(page).count(), 0);
  assert.deepEqual(problems, []);
});

pageTest('the search is in the language of the page, and again when it changes', async () => {
  const { page } = await open({ languages: ['ru'] });
  const asked = page.waitForRequest(isSearch);
  await box(page, 'Поиск на карте').fill('саут');
  assert.equal(new URL((await asked).url()).searchParams.get('lang'), 'ru');
  await options(page).first().waitFor();
  assert.deepEqual(await options(page).allInnerTexts(), ['Саутпорт\nГорода']);
  await page.keyboard.press('Enter');
  await panel(page).getByRole('heading', { name: 'Саутпорт' }).waitFor();
  await looksAt(page, 30, 5);
  await page.getByTestId('language').click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await panel(page).getByRole('heading', { name: 'Southport' }).waitFor();
});

pageTest('a pause in typing sends the request, which aborts the earlier one', async () => {
  const { page } = await open();
  const asked: Request[] = [];
  const failed: Request[] = [];
  page.on('request', (request) => isSearch(request) && asked.push(request));
  page.on('requestfailed', (request) => isSearch(request) && failed.push(request));
  // The first request gets no response.
  await page.route('**/search/?*', (route) =>
    route.request().url().includes('phrase=mid&') ? undefined : route.continue(),
  );
  await Promise.all([page.waitForRequest(isSearch), typeQuickly(page, 'mid')]);
  await page.getByText('Searching…').waitFor();
  await typeQuickly(page, 'middleton station');
  await options(page).first().waitFor();
  assert.match(await options(page).first().innerText(), /^Middleton Station/);
  assert.equal(asked.length, 2, 'questions for 17 letters in two runs');
  assert.equal(failed.length, 1, 'the earlier question was given up');
  await box(page).fill('');
  await options(page).first().waitFor({ state: 'hidden' });
});

pageTest('results of an earlier phrase are gone as soon as the user types on', async () => {
  const { page, problems } = await open();
  await box(page).fill('south');
  await options(page).nth(1).waitFor();
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/search/?*', async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(isSearch);
  await typeQuickly(page, 'southport');
  await options(page).first().waitFor({ state: 'detached' });
  assert.equal(await page.evaluate("document.querySelector('[role=combobox]').value"), 'southport');
  await page.keyboard.press('Enter');
  await asked;
  await page.keyboard.press('Enter');
  await page.getByText('Searching…').waitFor();
  assert.equal(await options(page).count(), 0, 'nothing to choose before the answer');
  assert.equal(await panel(page).count(), 0, 'Enter takes no result of the earlier phrase');
  answer();
  await options(page).first().waitFor();
  assert.deepEqual(await options(page).allInnerTexts(), ['Southport\nTowns']);
  assert.deepEqual(problems, []);
});

pageTest('what is found is shown with its surroundings', async () => {
  const { page } = await open();
  const show = async (phrase: string, name: string, [latitude, longitude]: [number, number]) => {
    await box(page).fill(phrase);
    const found = options(page).filter({ hasText: new RegExp(`^${name}(?! ?[a-z])`) });
    await found.first().click();
    await panel(page).getByRole('heading', { name, exact: true }).waitFor();
    await looksAt(page, latitude, longitude);
    await drawn(page);
    return Number(new URL(page.url()).hash.slice(1).split('/')[0]);
  };
  const town = await show('southport', 'Southport', [30, 5]);
  assert.ok(town >= 9 && town <= 12, `a point with the region around it: zoom ${town}`);
  // The window is 1,280 pixels wide, and 512 * 2 ** zoom pixels are 360 degrees.
  const shown = (1280 / (512 * 2 ** (await show('south', 'South', [30, 10])))) * 360;
  assert.ok(shown > 30 && shown < 160, `an area of 20 degrees, within ${shown} degrees`);
  await looksAt(page, 30, 10, 5);
});

pageTest('an empty result and a failure are told in words', async () => {
  const { page } = await open();
  await box(page).fill('<u>nowhere</u>');
  await page.getByText('Nothing found for “<u>nowhere</u>”').waitFor();
  await box(page).fill('hacked');
  await options(page).first().waitFor();
  assert.equal(await options(page).first().innerText(), `North\nLands · ${hostile}`);
  assert.equal(await isHacked(page), false);
  let hasFailed = false;
  await page.route('**/search/?*', async (route) => {
    if (hasFailed) return await route.continue();
    hasFailed = true;
    await route.fulfill({ status: 500, contentType: 'application/json', body: '{"code":"internal"}' });
  });
  await box(page).fill('north');
  await page.getByText('The search has failed').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await options(page).first().waitFor();
  assert.match(await options(page).first().innerText(), /^North/);
  await page.getByRole('button', { name: 'Clear the search' }).click();
  assert.equal(await box(page).inputValue(), '');
  await options(page).first().waitFor({ state: 'hidden' });
});

pageTest('results of one name are told apart by folder, values and position', async () => {
  const { page } = await open({}, 'namesakes');
  await box(page).fill('springfield');
  await options(page).first().waitFor();
  assert.deepEqual(await options(page).allInnerTexts(), [
    'Springfield\nTowns · Past · place · Ohio',
    'Springfield\nTowns · Past · place · Illinois · 39.8° N, 89.65° W',
    'Springfield\nTowns · Past · place · Illinois · 38.25° S, 90.5° W',
    'Springfield Lake\nTowns · Past · place · Ohio',
  ]);
  await box(page).fill('towns');
  await options(page).filter({ hasText: 'Layer' }).first().waitFor();
  assert.deepEqual(await options(page).allInnerTexts(), ['Towns\nLayer · Past', 'Towns\nLayer · Present']);
});

pageTest('results fit a phone', async () => {
  const { page, problems } = await open(phone);
  await box(page).tap();
  await box(page).fill('south');
  await options(page).first().waitFor();
  const list = (await page.getByRole('listbox').boundingBox())!;
  assert.ok(list.x >= 0 && list.x + list.width <= 390, 'the list is on the screen');
  await checkTargets(page);
  for (const option of await options(page).all())
    assert.ok((await option.boundingBox())!.height >= 43.9, 'options can be tapped');
  await options(page).nth(1).tap();
  await panel(page).getByRole('heading', { name: 'Southport' }).waitFor();
  await looksAt(page, 30, 5);
  await assertFits(page);
  assert.deepEqual(problems, []);
});

pageTest('a map with nothing to search has no search field', async () => {
  const { page } = await open({}, 'empty');
  await page.getByText('This map has no layers yet').waitFor();
  assert.equal(await page.getByRole('combobox').count(), 0);
});
