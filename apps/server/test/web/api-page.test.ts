import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer } from '../support/server.js';
import { openPage, startBrowser, withoutBrowser } from './browser.js';

test('the page of the interface keeps its own policy', { skip: withoutBrowser }, async (t) => {
  const browser = await startBrowser(t);
  const server = await startServer();
  t.after(() => server.stop());
  const { page, problems } = await openPage(browser, `${server.url}/api/2.8/docs/`);
  await page.getByText('Cartulary, REST interface 2.8').first().waitFor();
  await page.locator('.opblock-tag', { hasText: 'projects' }).first().click();
  await page.locator('.opblock').first().click();
  await page.getByText('Responses').first().waitFor();
  assert.deepEqual(problems, []);
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
