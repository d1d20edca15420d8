import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import type { BrowserProfile, OpenPage } from '../browser.js';
import { pageTest, phone, useSite } from '../site.js';
import { finish, makeUser, openAs, shot } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
  await makeUser(server, 'eve', { '/atlas/rights/': 'view' });
});

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'CartoCSS' });

/** The text in the editor. */
const textIn = (page: Page): Promise<string> =>
  editorOf(page).evaluate((content) =>
    [...content.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
  );

/** Replaces the text in the editor. */
async function write(page: Page, text: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

/** Opens the style of the layer `towns`. */
async function openStyle(login = 'ann', profile: BrowserProfile = {}): Promise<OpenPage> {
  const opened = await openAs(site, login, '/console/demo/atlas/?item=towns&tab=style', profile);
  await editorOf(opened.page).waitFor();
  return opened;
}

const savedStyle = async (): Promise<string> =>
  (await site.server.admin('GET', '/atlas/layers/towns/')).css_style;

/** A tile of the map that is requested after this call, with the user's drafts. */
const drawn = (page: Page) =>
  page.waitForResponse((one) => one.url().includes('/tms/') && one.url().includes('draft=1'));

/** Replaces the text in the editor, and waits until the draft is stored and drawn. */
async function writeDraft(page: Page, text: string): Promise<void> {
  let isStored = false;
  const tile = page.waitForResponse((one) => {
    isStored ||= one.request().method() === 'PUT' && one.url().endsWith('/draft/');
    return isStored && one.url().includes('draft=1');
  });
  await write(page, text);
  await tile;
  await page.locator('[aria-busy="false"]').getByTestId('map').waitFor();
}

const red = '#towns { marker-width: 20; marker-fill: #ff0000; marker-allow-overlap: true; }';

pageTest('what is typed is drawn for its author alone, until it is saved', async () => {
  const opened = await openStyle('ann');
  const { page } = opened;
  const before = await savedStyle();
  assert.equal(await textIn(page), before);
  const tile = drawn(page);
  await write(page, red);
  const response = await tile;
  assert.equal(response.status(), 200);
  assert.match(response.headers()['cache-control']!, /no-store/);
  await page.getByText('Not saved yet: you alone see it.').waitFor();
  assert.equal(await savedStyle(), before);
  assert.deepEqual(await findingsOf(page), []);
  await page.waitForLoadState('networkidle');
  await shot(page, 'style-draft');

  await page.reload();
  await editorOf(page).waitFor();
  assert.equal(await textIn(page), red, 'the draft is kept');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').getByText('Saved: Towns').waitFor();
  assert.equal(await savedStyle(), red);
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });

  await write(page, before);
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  assert.equal(await textIn(page), red);
  assert.equal(await savedStyle(), red);
  await finish(site, opened);
});

pageTest('mistakes are told with their place; a draft that cannot be drawn is told, and stays', async () => {
  const opened = await openStyle();
  const { page } = opened;
  await write(page, '#towns {\n  marker-widht: 8;\n}');
  await page.getByText('did you mean marker-width?').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled(), true);
  await page.getByRole('button', { name: 'Line 2, column 3' }).click();
  await page.keyboard.insertText('marker-width');
  await page.getByText('did you mean').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save', exact: true, disabled: false }).click();
  await page.getByRole('status').getByText('Saved: Towns').waitFor();
  assert.equal(await savedStyle(), '#towns {\n  marker-width: 8;\n}');

  await writeDraft(page, red);
  // No style that the compiler takes is known to make the renderer fail.
  await page.route(/draft=1/, (route) => route.fulfill({ status: 500, body: '' }));
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByText('A part of the map could not be drawn').waitFor();
  assert.equal(await textIn(page), red);
  await page.unroute(/draft=1/);
  // An answer of the first attempt may still come.
  const tile = page.waitForResponse((one) => one.url().includes('draft=1') && one.status() === 200);
  await page.getByRole('button', { name: 'Try again' }).click();
  await tile;
  assert.equal(await textIn(page), red);
  await page.getByRole('button', { name: 'Discard the draft' }).click();
  await finish(site, opened);
});

pageTest('a style that somebody else has saved meanwhile is not overwritten unseen', async () => {
  const opened = await openStyle();
  const { page } = opened;
  const theirs = '#towns { marker-width: 5; }';
  const tile = drawn(page);
  await write(page, red);
  await tile;
  await site.server.admin('PATCH', '/atlas/layers/towns/', { css_style: theirs });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const conflict = page.getByRole('dialog', { name: 'Somebody else has saved this meanwhile' });
  await conflict.getByText(theirs).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await conflict.getByRole('button', { name: 'Keep theirs' }).click();
  assert.equal(await textIn(page), theirs);
  assert.equal(await savedStyle(), theirs);
  await finish(site, opened);
});

pageTest('a user who may only view reads the style; on a phone, in Russian, axe finds nothing', async () => {
  const eve = await openStyle('eve');
  assert.equal(await editorOf(eve.page).getAttribute('aria-readonly'), 'true');
  await finish(site, eve);
  const opened = await openStyleOnPhone();
  assert.deepEqual(await findingsOf(opened.page), []);
  await shot(opened.page, 'style-phone');
  await write(opened.page, '#towns {\n  marker-widht: 8;\n}');
  await opened.page.getByText('неизвестное свойство marker-widht; может быть, marker-width?').waitFor();
  await shot(opened.page, 'style-phone-mistake');
  await opened.page.getByRole('button', { name: 'Отбросить черновик' }).click();
  await finish(site, opened);
});

async function openStyleOnPhone(): Promise<OpenPage> {
  const profile = { ...phone, dark: true, languages: ['ru'] };
  const opened = await openAs(site, 'admin', '/console/demo/atlas/?item=towns&tab=style', profile);
  await opened.page.getByRole('button', { name: 'Свойства', exact: true }).click();
  await editorOf(opened.page).waitFor();
  return opened;
}
