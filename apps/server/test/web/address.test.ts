import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer } from '../support/server.js';
import { makeAtlas } from './atlas.js';
import { openPage, startBrowser, until, withoutBrowser } from './browser.js';
import { clickMap, drawn, layersOf, north, panel, tileOf } from './mapPage.js';

test('the address of a map contains what is shown', { skip: withoutBrowser }, async (t) => {
  const browser = await startBrowser(t); // ends before the server, whose connections it keeps
  const server = await startServer();
  t.after(() => server.stop());
  await makeAtlas(server);
  const { page, problems } = await openPage(browser, `${server.url}/maps/demo/atlas/${north}`);
  const search = (): string => new URL(page.url()).search;
  const isOn = (name: string) => page.getByRole('treeitem', { name }).getAttribute('aria-checked');

  await t.test('layers and the object that is open; back and forth', async () => {
    await drawn(page);
    await Promise.all([tileOf(page, 1), page.getByRole('treeitem', { name: 'Towns' }).click()]);
    await until(page, 'location.search === "?off=towns"');
    await clickMap(page, { x: 640, y: 400 });
    await panel(page).getByRole('heading', { name: 'North' }).waitFor();
    await until(page, 'location.search === "?off=towns&object=lands/1"');
    await page.goBack();
    await panel(page).waitFor({ state: 'detached' });
    assert.equal(await isOn('Towns'), 'false');
    await Promise.all([tileOf(page, 2), page.goBack()]);
    assert.equal(search(), '');
    assert.equal(await isOn('Towns'), 'true');
    await page.goForward();
    await page.goForward();
    await panel(page).getByRole('heading', { name: 'North' }).waitFor();
    assert.equal(await isOn('Towns'), 'false');
    assert.equal(search(), '?off=towns&object=lands/1');
    await page.keyboard.press('Escape');
    await until(page, 'location.search === "?off=towns"');
    assert.deepEqual(problems, []);
  });

  await t.test('a link shows another reader the same', async () => {
    const tiles: number[] = [];
    const link = `${server.url}/maps/demo/atlas/?off=lands&object=towns/3#6/30/5`;
    const other = await openPage(browser, link, {
      onPage: (made) =>
        made.on('request', (request) => {
          if (request.url().includes('/tms/')) tiles.push(layersOf(request.url()).length);
        }),
    });
    await panel(other.page).getByRole('heading', { name: 'Southport' }).waitFor();
    await drawn(other.page);
    assert.deepEqual([...new Set(tiles)], [1], 'the layer that is off is not asked for');
    assert.equal(other.page.url(), link);
    assert.deepEqual(other.problems, []);
  });

  await t.test('what it says wrongly is passed over', async () => {
    const other = await openPage(
      browser,
      `${server.url}/maps/demo/atlas/?off=nothing,%00&object=x/1/2${north}`,
    );
    await drawn(other.page);
    assert.equal(await panel(other.page).count(), 0);
    const isOn = other.page.getByRole('treeitem', { name: 'Lands' });
    assert.equal(await isOn.getAttribute('aria-checked'), 'true');
  });
});
