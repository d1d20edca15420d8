import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { makeAtlas } from '../atlas.js';
import { findingsOf } from '../axe.js';
import { until } from '../browser.js';
import { areApart, clickMap, drawn, isTile, layersOf, north, panel } from '../mapPage.js';
import { pageTest, phone, useSite } from '../site.js';
import { openTool, toolPanel } from './tools.js';

const site = useSite(async (server) => {
  await makeAtlas(server);
  // A second date, so that there is a time between.
  await server.admin('PUT', '/atlas/layers/lands/objects/2/', {
    fields: { founded: '1982-03-01T00:00:00Z' },
  });
});

const choose = (page: Page, label: string, option: string) =>
  toolPanel(page).getByLabel(label).selectOption({ label: option });

pageTest('the list names the objects in view, and opens them', async () => {
  const { page, problems } = await site.open(`/maps/demo/atlas/${north}`);
  await drawn(page);
  await openTool(page, 'Objects and filter');
  await toolPanel(page).getByText('2 objects in view').waitFor();
  await choose(page, 'Layer', 'Lands');
  await toolPanel(page).getByRole('button', { name: 'North' }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await toolPanel(page).getByRole('button', { name: 'North' }).click();
  await panel(page).getByRole('heading', { name: 'North' }).waitFor();
  await page.keyboard.press('Escape');
  await toolPanel(page).getByRole('button', { name: 'North' }).waitFor();
  await choose(page, 'Layer', 'Towns');
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await page.getByRole('button', { name: 'Zoom out' }).click();
  await toolPanel(page).getByText('3 objects in view').waitFor();
  assert.deepEqual(problems, []);
});

pageTest('a filter counts on the map, in the list, for clicks and in the address', async () => {
  const { page, problems } = await site.open('/maps/demo/atlas/#4/40/10');
  await drawn(page);
  await openTool(page, 'Objects and filter');
  await choose(page, 'Layer', 'Lands');
  await toolPanel(page).getByText('2 objects in view').waitFor();
  await choose(page, 'Filter by', 'Population');
  const withoutLands = page.waitForResponse(
    (response) => isTile(response) && layersOf(response.url()).length === 1,
  );
  const from = toolPanel(page).getByLabel('From');
  assert.equal(await from.getAttribute('placeholder'), '2024');
  await Promise.all([withoutLands, from.fill('3000')]);
  await toolPanel(page).getByText('1 object in view').waitFor();
  await page.getByRole('button', { name: 'Lands: show all objects' }).waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await drawn(page);
  await page.keyboard.press('Escape');
  await clickMap(page, { x: 640, y: 600 }); // within the south
  await panel(page).getByText('There is no object here').waitFor();
  await clickMap(page, { x: 700, y: 250 }); // within the north
  await panel(page).getByRole('heading', { name: 'North' }).waitFor();
  await page.keyboard.press('Escape');

  await until(page, 'location.search.includes("filter=")');
  const link = page.url();
  const other = await site.open(new URL(link).pathname + new URL(link).search + new URL(link).hash);
  await other.page.getByRole('button', { name: 'Lands: show all objects' }).click();
  await until(other.page, '!location.search.includes("filter=")');
  await other.page.context().close();

  await openTool(page, 'Objects and filter');
  await choose(page, 'Layer', 'Lands');
  await choose(page, 'Filter by', 'Open');
  await toolPanel(page).getByText('2 objects in view').waitFor();
  await toolPanel(page).getByLabel('Yes').check();
  await toolPanel(page).getByText('1 object in view').waitFor();
  assert.deepEqual(problems, []);
});

pageTest('a slider over the time moves by keyboard and plays', async () => {
  const { page, problems } = await site.open('/maps/demo/atlas/#3/40/10', { ...phone, dark: true });
  await drawn(page);
  await openTool(page, 'Objects and filter');
  await choose(page, 'Layer', 'Lands');
  await choose(page, 'Filter by', 'Founded');
  await toolPanel(page).getByText('Mar 1, 1922 – Mar 1, 1982').waitFor();
  await toolPanel(page).getByText('2 objects in view').waitFor();
  assert.deepEqual(await findingsOf(page), []);
  await toolPanel(page).getByRole('slider', { name: 'To' }).press('ArrowLeft');
  await toolPanel(page).getByText('1 object in view').waitFor();
  await toolPanel(page).getByRole('button', { name: 'North' }).waitFor();
  await toolPanel(page).getByRole('button', { name: 'Play' }).click();
  // Near the end the south is founded, and the north is no longer shown.
  await toolPanel(page).getByRole('button', { name: 'South' }).waitFor();
  await toolPanel(page).getByRole('button', { name: 'Pause' }).click();
  assert.deepEqual(problems, []);
});

pageTest('what a filter leaves of small points is seen, and notices stay beside the tool', async () => {
  const { server } = site;
  await server.admin('POST', '/', { code: 'small', css_style: 'Map { background-color: #ffffff; }' });
  const css_style = '#dots { marker-width: 2; marker-fill: #00ff00; }';
  await server.admin('POST', '/small/layers/', { code: 'dots', css_style });
  const features = [1, 9].map((n) => ({
    type: 'Feature',
    properties: { n },
    geometry: { type: 'Point', coordinates: [n, 50] },
  }));
  await server.admin('POST', '/small/layers/dots/import/', { type: 'FeatureCollection', features });
  const filter = encodeURIComponent('{"dots":{"column":"n","from":5}}');
  const { page, problems } = await site.open(`/maps/demo/small/?filter=${filter}#5/50/10`, {
    density: 1,
    onPage: (made) =>
      made.route('**/mvt/**', async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          headers: { ...response.headers(), 'cartulary-truncated': 'dots=1/3' },
        });
      }),
  });
  await drawn(page);
  const { data } = PNG.sync.read(await page.getByTestId('map').screenshot());
  let green = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i]! < 60 && data[i + 1]! > 200) green++;
  assert.ok(green > 30 && green < 120, `${green} green pixels: one point of radius 4`);
  await openTool(page, 'Objects and filter');
  const notice = page.getByText(/^dots: \d+ of \d+ objects are shown/);
  await notice.waitFor();
  assert.ok(await areApart(notice, toolPanel(page)));
  assert.deepEqual(problems, []);
});

pageTest('wrong filters of an address are passed over, and a service that fails is told', async () => {
  const wrong = encodeURIComponent('{"lands":{"column":5},"towns":[1],"nothing":{"column":"x","from":1}}');
  const { page } = await site.open(`/maps/demo/atlas/?filter=${wrong}${north}`, {
    onPage: (made) => made.route('**/layers/*/filter/**', (route) => route.abort()),
  });
  await drawn(page);
  assert.equal(await page.getByRole('button', { name: /show all objects/ }).count(), 0);
  await openTool(page, 'Objects and filter');
  await toolPanel(page).getByText('The service cannot be reached').waitFor();
});
