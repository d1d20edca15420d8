import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { installation } from '../../support/installation.js';
import { adminPassword } from '../../support/settings.js';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { assertFits, type BrowserProfile, type OpenPage, openPage } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { finish, makeUser, openAs, shot, signIn, stored, withoutRefusals } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/rights/': 'view', '/atlas/rights/': 'administer' });
  const features = Array.from({ length: 60 }, (_, i) => ({
    type: 'Feature',
    properties: { name: `Shop ${i}`, kind: ['bakery', 'cafe', 'school'][i % 3], visits: i * i, staff: i % 7 },
    geometry: { type: 'Point', coordinates: [1 + (i % 10) * 1.8, 22 + Math.floor(i / 10) * 6] },
  }));
  await server.admin('POST', '/atlas/layers/', { code: 'shops', name: 'Shops' });
  await server.admin('POST', '/atlas/layers/shops/import/', { type: 'FeatureCollection', features });
});

const kindChoice = (page: Page) => page.getByLabel('Drawn as');
const legend = (page: Page) => page.getByRole('region', { name: 'Legend' });

const layer = (code = 'shops') => site.server.admin('GET', `/atlas/layers/${code}/`);

async function openStyle(item = 'shops', profile: BrowserProfile = {}): Promise<OpenPage> {
  const opened = await openAs(site, 'ann', `/console/demo/atlas/?item=${item}&tab=style`, profile);
  await kindChoice(opened.page).waitFor();
  return opened;
}

async function save(page: Page, name = 'Shops'): Promise<void> {
  // The message of an earlier save may still be there.
  const answer = page.waitForResponse((one) => one.url().endsWith('/draft/publish/') && one.ok());
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await answer;
  await page.getByRole('status').getByText(`Saved: ${name}`).waitFor();
}

pageTest('a thematic map is made with histogram and legend, drawn for its author alone', async () => {
  const opened = await openStyle('shops');
  const { page } = opened;
  const before = (await layer()).css_style;
  await stored(page, () => kindChoice(page).selectOption('thematic'));
  await page.getByRole('img', { name: 'Distribution of visits: 0 to 3,481' }).waitFor();
  await legend(page).getByRole('listitem').nth(5).waitFor();
  await stored(page, () => page.getByLabel('Classes').fill('3'));
  await legend(page).getByRole('listitem').nth(4).waitFor({ state: 'detached' });
  await stored(page, () => page.getByLabel('Made by').selectOption('2'));
  await stored(page, () => page.getByRole('radio', { name: 'light to red' }).check());
  await page.getByText('Labels').click();
  await stored(page, () => page.getByLabel('Written from').selectOption('name'));
  await page.waitForLoadState('networkidle');
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'forms-thematic');
  assert.equal((await layer()).visualSettings ?? null, null, 'nothing is stored before it is saved');

  await page.reload();
  await kindChoice(page).waitFor();
  assert.equal(await kindChoice(page).inputValue(), 'thematic', 'the draft is kept');
  await save(page);
  const { visualSettings, css_style } = await layer();
  const { type, columnCode, classesCount, algorithm, classesSettings, textSettings, showText } =
    visualSettings;
  assert.deepEqual(
    {
      type,
      columnCode,
      classesCount,
      algorithm,
      maxColor: classesSettings.maxColor,
      text: textSettings.column,
      showText,
    },
    {
      type: 1,
      columnCode: 'visits',
      classesCount: 3,
      algorithm: 2,
      maxColor: '#a50f15',
      text: 'name',
      showText: true,
    },
  );
  assert.equal(css_style, before, 'the CartoCSS stays beside it');
  await limitsByHand(page);
  await stored(page, () => kindChoice(page).selectOption('css'));
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  assert.equal(await kindChoice(page).inputValue(), 'thematic');
  await finish(site, opened);
});

async function limitsByHand(page: Page): Promise<void> {
  const limit = (place: number) => page.getByRole('spinbutton', { name: `Limit ${place}` });
  await stored(page, () => page.getByRole('checkbox', { name: 'Limits typed by hand' }).check());
  await limit(2).fill('4000');
  await page.getByText('Each limit must be greater than the one before').waitFor();
  await stored(page, () => limit(2).fill('100'));
  await stored(page, () => limit(3).fill('1000'));
  await stored(page, () => page.getByRole('button', { name: 'Add a class' }).click());
  await legend(page).getByText('3,481 – 5,962').waitFor();
  await stored(page, () => page.getByRole('button', { name: 'Undo a step' }).click());
  await limit(5).waitFor({ state: 'detached' });
  await legend(page).getByText('100 – 1,000').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'forms-limits');
  await save(page);
  const { limits } = (await layer()).visualSettings.classesSettings;
  assert.deepEqual(limits, [0, 100, 1000, 3481]);
}

pageTest('categories have colours and icons of their own', async () => {
  const opened = await openStyle('shops');
  const { page } = opened;
  await stored(page, () => kindChoice(page).selectOption('categories'));
  await stored(page, () => page.getByRole('combobox', { name: 'Column', exact: true }).selectOption('kind'));
  await page.getByLabel('Icon of bakery').waitFor();
  const icon = await page.getByLabel('Icon of bakery').locator('option').nth(1).innerText();
  await stored(page, () => page.getByLabel('Icon of bakery').selectOption(icon));
  await stored(page, () => page.getByLabel('Colour of school').fill('#ff00ff'));
  await stored(page, () => page.getByLabel('Draw cafe').uncheck());
  await page.waitForLoadState('networkidle');
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'forms-categories');
  await save(page);
  const { classes } = (await layer()).visualSettings.classesSettings;
  const of = (value: string) => classes.find((one: { value: string }) => one.value === value);
  assert.deepEqual([of('bakery').icon, of('bakery').useIcon], [icon, true]);
  assert.equal(of('school').color, '#ff00ff');
  assert.equal(of('cafe').checked, false);
  await finish(site, opened);
});

pageTest('every kind has a form that the service takes, without findings of axe', async () => {
  const opened = await openStyle();
  const { page } = opened;
  for (const kind of ['bubbles', 'pies', 'bars', 'lines', 'heat', 'hexagons', 'simple', 'css']) {
    await stored(page, () => kindChoice(page).selectOption(kind));
    assert.deepEqual((await page.getByRole('alert').allInnerTexts()).join('').trim(), '', kind);
    if (kind !== 'css') assert.deepEqual(await findingsOf(page), [], kind);
    if (['bubbles', 'bars', 'hexagons'].includes(kind)) await shot(page, `forms-${kind}`);
  }
  await stored(page, () => kindChoice(page).selectOption('hexagons'));
  await page.getByText('hexagons grow and shrink with the map').waitFor();
  await stored(page, () => page.getByLabel('Value of a hexagon').selectOption('sum'));
  await stored(page, () => page.getByRole('combobox', { name: 'Column', exact: true }).selectOption('staff'));
  assert.equal(await page.getByRole('combobox', { name: 'Column', exact: true }).inputValue(), 'staff');
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await finish(site, opened);
});

pageTest('the simple form writes CartoCSS; a wrong number is not taken', async () => {
  const opened = await openStyle('towns');
  const { page } = opened;
  await stored(page, () => kindChoice(page).selectOption('simple'));
  await stored(page, () => page.getByLabel('Shape').selectOption('star'));
  const width = page.getByLabel('Width, pixels').last();
  await width.fill('9000');
  await page.keyboard.press('Tab');
  await page.getByText('A number from 1 to 500 is needed here. Until then it stays 10.').waitFor();
  assert.equal(await width.inputValue(), '9000');
  assert.deepEqual(await findingsOf(page), []);
  await stored(page, () => width.fill('24'));
  await page.waitForLoadState('networkidle');
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'forms-simple');
  await save(page, 'Towns');
  const { css_style, simpleStyle } = await layer('towns');
  assert.equal(simpleStyle.marker.shape, 'star');
  assert.match(css_style, /marker-file: url\(star\);\s+marker-width: 24;/);
  await finish(site, opened);
});

pageTest('the forms on a phone, in the dark, in Russian', async () => {
  const profile = { ...phone, dark: true, languages: ['ru'] };
  const { page, problems } = await openAs(
    site,
    'admin',
    '/console/demo/atlas/?item=shops&tab=style',
    profile,
  );
  await page.getByRole('button', { name: 'Свойства', exact: true }).click();
  await stored(page, () => page.getByLabel('Способ изображения').selectOption('thematic'));
  await page.getByRole('img', { name: /Распределение/ }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await assertFits(page);
  await shot(page, 'forms-phone');
  await finish(site, { page, problems });
});

pageTest('a form that is open while the server restarts keeps its text, and is sent after it', async (t) => {
  const { start } = await installation(t);
  const before = await start();
  const { page, problems } = await openPage(site.browser, `${before.url}/console/demo/`);
  await signIn(page, 'admin', adminPassword);
  await page.getByRole('button', { name: 'New map' }).click();
  await page.keyboard.type('Survived');
  await before.stop();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('alert').getByText('The service cannot be reached').waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Survived');
  const { ask } = await start({ PORT: new URL(before.url).port });
  await page.getByRole('textbox', { name: 'Name' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Survived' }).waitFor();
  assert.equal((await ask('GET', '/survived/')).json.name, 'Survived');
  assert.deepEqual(
    withoutRefusals(problems).filter((one) => !/ERR_CONNECTION_REFUSED/.test(one)),
    [],
  );
  await site.close(page);
});
