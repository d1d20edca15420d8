import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { type OpenPage, until } from '../browser.js';
import { pageTest, useSite } from '../site.js';
import { finish, makeUser, openAs, shot } from './people.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  await makeUser(server, 'ann', { '/atlas/rights/': 'administer' });
});

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'CartoCSS' });
const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Completions' });

/** The text in the editor. */
const textIn = (page: Page): Promise<string> =>
  editorOf(page).evaluate((content) =>
    [...content.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
  );

/** Opens the style of the layer `lands` with an empty editor. */
async function openEditor(): Promise<OpenPage> {
  const opened = await openAs(site, 'ann', '/console/demo/atlas/?item=lands&tab=style');
  await editorOf(opened.page).click();
  await opened.page.keyboard.press('Control+A');
  await opened.page.keyboard.press('Delete');
  return opened;
}

pageTest('the editor suggests properties, values, columns and their values', async () => {
  const opened = await openEditor();
  const { page } = opened;
  const { keyboard } = page;
  const accept = async (label: string): Promise<void> => {
    await suggestions(page).getByRole('option', { name: label }).first().waitFor();
    await until(page, "document.querySelector('.cm-tooltip-autocomplete [aria-selected]') !== null");
    // Suggestions that come up under the hands of a user are taken only after a moment.
    await page.waitForTimeout(100);
    await keyboard.press('Enter');
    await suggestions(page).waitFor({ state: 'detached' });
  };
  await keyboard.type('#lan');
  await accept('#lands');
  await keyboard.type('polygon-f');
  await suggestions(page).getByRole('option', { name: 'polygon-fill' }).waitFor();
  await page.getByText('Areas: colour inside').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await shot(page, 'editor-suggestions');
  await accept('polygon-fill');
  await keyboard.type('steelb');
  await accept('steelblue');
  await keyboard.type(';\n[popu');
  await accept('population');
  await keyboard.type(' >= 20');
  await accept('2024');
  await keyboard.press('End');
  await keyboard.type(' { line-cap: r');
  await accept('round');
  assert.equal(
    await textIn(page),
    '#lands {\n  polygon-fill: steelblue;\n  [population >= 2024] { line-cap: round}\n}',
  );
  assert.equal((await page.getByRole('alert').allInnerTexts()).join('').trim(), '');
  await finish(site, opened);
});

pageTest('mistakes are underlined by the compiler in the browser; help tells what is meant', async () => {
  const opened = await openEditor();
  const { page } = opened;
  await page.route('**/draft/', (route) =>
    route.request().method() === 'PUT' ? route.abort() : route.fallback(),
  );
  await page.keyboard.insertText('#lands { polygon-fil: red; line-width: [population] / 1e6 }');
  await page.locator('.cm-lintRange-error', { hasText: 'polygon-fil' }).waitFor();
  await page.getByText('did you mean polygon-fill?').waitFor();
  assert.equal(await editorOf(page).getAttribute('aria-invalid'), 'true');
  await page.getByText('line-width').hover();
  await page.getByText('Lines and outlines: width, pixels').waitFor();
  await page.getByText('Without it: 1').waitFor();
  await shot(page, 'editor-help');
  await page.getByText('[population]').hover();
  await page.getByText('2024 to 1234567').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  // A browser on a busy machine may send a draft of the empty text, which the route above refuses.
  const problems = opened.problems.filter((problem) => !problem.includes('net::ERR_FAILED'));
  await finish(site, { page, problems });
});

pageTest(
  'colours are picked in place; changes are taken back and compared; Tab leaves after Escape',
  async () => {
    const opened = await openEditor();
    const { page } = opened;
    await page.keyboard.insertText('#lands { polygon-fill: #ff000080; line-color: red; }');
    const swatch = page.getByLabel('Pick a colour in place of #ff000080');
    await swatch.fill('#00ff00');
    assert.equal(await textIn(page), '#lands { polygon-fill: #00ff0080; line-color: red; }');
    assert.equal(await page.getByLabel('Pick a colour in place of red').inputValue(), '#ff0000');
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.match(await textIn(page), /#ff000080/);
    await page.getByRole('button', { name: 'Redo' }).click();
    assert.match(await textIn(page), /#00ff0080/);

    const compare = page.getByRole('button', { name: 'Compare with the saved style' });
    await compare.click();
    await page.locator('.cm-deletedChunk', { hasText: '#cfe3d0' }).waitFor();
    assert.deepEqual(await findingsOf(page), []);
    await shot(page, 'editor-compare');
    await page.getByRole('button', { name: 'Bring back' }).click();
    await page.locator('.cm-deletedChunk').waitFor({ state: 'detached' });
    assert.match(await textIn(page), /#cfe3d0/);
    await compare.click();

    await editorOf(page).click();
    await page.keyboard.press('Tab');
    await until(page, "document.activeElement.classList.contains('cm-content')");
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await until(page, "!document.activeElement.closest('.cm-editor')");
    await finish(site, opened);
  },
);
