import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer } from '../support/server.js';
import { openPage, startBrowser, withoutBrowser } from './browser.js';

test('the page of the interface keeps its own policy, has our name, and runs its examples', {
  skip: withoutBrowser,
}, async (t) => {
  const browser = await startBrowser(t);
  const server = await startServer();
  t.after(() => server.stop());
  await server.admin('POST', '/', { code: 'atlas', name: 'Atlas' });
  const { page, problems } = await openPage(browser, `${server.url}/api/2.8/docs/`);
  await page.getByText('Cartulary, REST interface 2.8').first().waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Cartulary' }).waitFor();
  assert.equal(await page.evaluate('document.querySelector(".brand img").naturalWidth > 0'), true);
  const icons = await page.locator('link[rel=icon]').all();
  assert.deepEqual(await Promise.all(icons.map((one) => one.getAttribute('type'))), ['image/svg+xml']);

  await page.locator('#operations-tag-maps').click();
  await page.locator('.opblock-get', { hasText: '/api/2.8/{project}/{map}/' }).first().click();
  await page.getByText('Responses').first().waitFor();
  await page.getByPlaceholder('project').first().fill('demo');
  await page.getByPlaceholder('map').first().fill('atlas');
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.locator('.live-responses-table').getByText('"atlas"').first().waitFor();
  assert.deepEqual(problems, []);

  await page.getByRole('banner').getByRole('link', { name: 'Cartulary' }).click();
  await page.getByRole('link', { name: /Atlas/ }).waitFor();
});

test('an error page violates no rule of its policy, and no other site frames the list of maps', {
  skip: withoutBrowser,
}, async (t) => {
  const browser = await startBrowser(t);
  const server = await startServer();
  t.after(() => server.stop());
  const { page, problems } = await openPage(browser, `${server.url}/nothing`);
  await page.getByText('There is nothing at this address').waitFor();
  assert.deepEqual(
    problems.filter((one) => !one.includes('404')),
    [],
  );
});
