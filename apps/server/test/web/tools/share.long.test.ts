import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startServer } from '../../support/server.js';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { openPage, pressItem, until } from '../browser.js';
import { clickMap, drawn, north, panel } from '../mapPage.js';
import { pageTest, phone, useSite } from '../site.js';
import { openTool, toolPanel } from './tools.js';

const site = useSite(makeAtlas);

pageTest('the share tool shows a link and code for other pages', async () => {
  const { page, problems } = await site.open(`/maps/demo/atlas/?off=towns${north}`, { density: 1 });
  await drawn(page);
  await openTool(page, 'Share');
  const link = toolPanel(page).getByLabel('Link', { exact: true });
  assert.equal(await link.inputValue(), page.url());
  const code = await toolPanel(page).getByLabel('HTML code').inputValue();
  const [, source] = /^<iframe src="([^"]+)" title="Atlas[^"]*" /.exec(code) ?? [];
  const bare = new URL(source!.replaceAll('&amp;', '&'));
  assert.equal(bare.search, '?embed&off=towns');
  assert.equal(bare.hash, new URL(page.url()).hash);
  assert.deepEqual(await findingsOf(page), []);

  await page.getByRole('treeitem', { name: 'Towns' }).click();
  // The link follows the map.
  await until(
    page,
    '!location.search && document.querySelector("[data-testid=tool] textarea").value === location.href',
  );
  await page.keyboard.press('Escape');
  await toolPanel(page).waitFor({ state: 'detached' });
  assert.deepEqual(problems, []);
});

pageTest('the tools are reached by keyboard and on a phone', async () => {
  const { page, problems } = await site.open(`/maps/demo/atlas/${north}`, { ...phone, dark: true });
  await drawn(page);
  await page.getByRole('button', { name: 'Tools' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await pressItem(page, 'Share');
  await toolPanel(page).getByText('Embed in a page').waitFor();
  const box = (await toolPanel(page).boundingBox())!;
  assert.ok(Math.round(box.y + box.height) === 844 && box.width === 390, 'a sheet from below');
  assert.deepEqual(await findingsOf(page), []);
  assert.deepEqual(problems, []);
});

pageTest('a tool that does not load says so, and is loaded when it is opened again', async () => {
  const { page } = await site.open(`/maps/demo/atlas/${north}`, {
    onPage: (made) => made.route('**/assets/Share-*.js', (route) => route.abort()),
  });
  await drawn(page);
  await openTool(page, 'Share');
  await toolPanel(page).getByRole('alert').getByText('could not be loaded').waitFor();
  await page.unroute('**/assets/Share-*.js');
  await page.keyboard.press('Escape');
  await openTool(page, 'Share');
  await toolPanel(page).getByLabel('Link', { exact: true }).waitFor();
});

pageTest('an embedded map is bare, and shows objects and the way to its own page', async () => {
  const { page, problems } = await site.open(`/maps/demo/atlas/?embed&off=towns${north}`);
  await drawn(page);
  assert.equal(await page.getByRole('tree').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Tools' }).count(), 0);
  await clickMap(page, { x: 640, y: 400 });
  await panel(page).getByRole('heading', { name: 'North' }).waitFor();
  assert.match(page.url(), /\?embed&off=towns&object=lands\/1#/);
  assert.deepEqual(await findingsOf(page), []);
  const opened = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Atlas' }).click();
  const whole = await opened;
  await Promise.all([whole.getByRole('tree').waitFor(), panel(whole).getByText('North').first().waitFor()]);
  assert.match(whole.url(), /\/\?off=towns&object=lands\/1#/);
  assert.deepEqual(problems, []);
});

pageTest('only the sites of the setting show a map in a frame', async (t) => {
  const host = createServer((request, response) => {
    const map = decodeURIComponent(request.url!.slice(2));
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>host</title><iframe src="${map}" width="800" height="600"></iframe>`);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => host.close(resolve)));
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const server = await startServer({ CARTULARY_FRAME_ANCESTORS: origin });
  t.after(() => server.stop());
  await makeAtlas(server);

  const framed = `${server.url}/maps/demo/atlas/?embed${north}`;
  const { page } = await openPage(site.browser, `${origin}/?${encodeURIComponent(framed)}`);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('main').and(frame.locator('[aria-busy="false"]')).waitFor();

  const refused = `${site.server.url}/maps/demo/atlas/?embed${north}`;
  const other = await openPage(site.browser, `${origin}/?${encodeURIComponent(refused)}`);
  // The browser tells of the refusal some time after the page is loaded.
  for (let tries = 0; tries < 150 && !other.problems.length; tries++) await other.page.waitForTimeout(100);
  assert.match(other.problems.join(), /frame-ancestors/);
  assert.equal(await other.page.frameLocator('iframe').getByRole('main').count(), 0);
  await Promise.all([page.context().close(), other.page.context().close()]);
});
