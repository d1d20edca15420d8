import assert from 'node:assert/strict';
import { hostile } from '../../atlas.js';
import { findingsOf } from '../../axe.js';
import { isHacked, until } from '../../browser.js';
import { pageTest } from '../../site.js';
import { finish, shot } from '../people.js';
import { grid, manyRows, openWorkspace, rowOf, titleOf, useTables } from './layer-table.js';

const site = useTables();

pageTest('the table of a layer opens below the map; its rows show values by type', async () => {
  const opened = await openWorkspace(site, '?item=lands');
  const { page } = opened;
  await page.getByRole('button', { name: 'Open the table of Lands' }).press('Enter');
  await rowOf(page, 1).getByText('1,234,567').waitFor();
  await page
    .locator(':focus')
    .and(page.getByRole('region', { name: 'Table of Lands' }))
    .waitFor();
  for (const text of ['North', 'Mar 1, 1922', 'Yes'])
    await rowOf(page, 1).getByText(text, { exact: true }).waitFor();
  await rowOf(page, 1).getByRole('img', { name: 'Geometry of object 1' }).locator('path').waitFor();
  await rowOf(page, 2).getByText('2024', { exact: true }).waitFor();
  await grid(page).focus();
  await page.keyboard.press('End');
  await rowOf(page, 1).getByText(hostile, { exact: true }).waitFor();
  assert.equal(await isHacked(page), false);
  await page.keyboard.press('Home');
  assert.equal(new URL(page.url()).search, '?item=lands&table=1');
  await page.getByText('2 objects').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await page.waitForLoadState('networkidle');
  await shot(page, 'table');
  await page.getByRole('button', { name: 'Close the table' }).press('Enter');
  await grid(page).waitFor({ state: 'detached' });
  await page
    .locator(':focus')
    .and(page.getByRole('button', { name: 'Open the table of Lands' }))
    .waitFor();
  await finish(site, opened);
});

pageTest('any of many rows is reached at once, by keyboard and by the scroll bar', async () => {
  const opened = await openWorkspace(site, '?item=wells&table=1');
  const { page } = opened;
  const asked: string[] = [];
  await rowOf(page, 1).waitFor();
  await rowOf(page, 1)
    .getByText(/^119.?999 m$/)
    .waitFor();
  page.on('request', (request) => request.url().includes('/filter/') && asked.push(request.postData() ?? ''));
  await grid(page).focus();
  await page.keyboard.press('Control+End');
  await rowOf(page, manyRows).getByText('0 m', { exact: true }).waitFor();
  assert.ok(asked.length <= 6, `${asked.length} requests`);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('PageUp');
  const activeRow = "Number(document.querySelector('[role=grid] [data-active]')?.dataset.row)";
  await until(page, `${activeRow} < ${manyRows - 4}`);
  await page.keyboard.press('Control+Home');
  await rowOf(page, 1).waitFor();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Home');
  await until(page, `${activeRow} > 2`);
  assert.equal(await grid(page).getAttribute('aria-rowcount'), String(manyRows + 1));
  // To the middle of the scroll bar.
  await page.evaluate(
    `document.querySelector('[role=grid]').scrollTop = document.querySelector('[role=grid]').scrollHeight / 2`,
  );
  await rowOf(page, manyRows / 2).waitFor();
  await finish(site, opened);
});

pageTest('a header sorts, by pointer and by keyboard; the address keeps the order', async () => {
  const opened = await openWorkspace(site, '?item=wells&table=1');
  const { page } = opened;
  await titleOf(page, 'Depth').click();
  await rowOf(page, manyRows).waitFor();
  assert.equal(await titleOf(page, 'Depth').getAttribute('aria-sort'), 'ascending');
  assert.match(page.url(), /sort=n,a/);
  await grid(page).focus();
  await page.keyboard.press('Enter');
  await rowOf(page, 1).waitFor();
  assert.equal(await titleOf(page, 'Depth').getAttribute('aria-sort'), 'descending');
  await page.reload();
  await rowOf(page, 1).waitFor();
  assert.equal(await titleOf(page, 'Depth').getAttribute('aria-sort'), 'descending');
  await grid(page).focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowRight');
  await titleOf(page, 'Depth').and(page.locator('[style*="width: 140px"]')).waitFor();
  await finish(site, opened);
});
