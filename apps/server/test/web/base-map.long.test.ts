import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { startServer } from '../support/server.js';
import { openPage, startBrowser, withoutBrowser } from './browser.js';
import { drawn } from './mapPage.js';

const water = '#d6e2e8';
const land = '#f4f1ea';

/** Fractions of the map's pixels by colour, for the colours that are asked. */
async function partsOf(page: Page, ...colours: string[]): Promise<number[]> {
  const { data } = PNG.sync.read(await page.getByTestId('map').screenshot());
  const counts = new Map<string, number>();
  for (let i = 0; i < data.length; i += 4) {
    const colour = `#${data.toString('hex', i, i + 3)}`;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return colours.map((colour) => (counts.get(colour) ?? 0) / (data.length / 4));
}

test('the base map of a map page', { skip: withoutBrowser }, async (t) => {
  const browser = await startBrowser(t); // ends before the server, whose connections it keeps
  const server = await startServer();
  t.after(() => server.stop());
  const { admin } = server;

  const makeMap = async (code: string, own: Record<string, unknown> = {}): Promise<void> => {
    await admin('POST', '/', { code, name: code, ...own });
    await admin('POST', `/${code}/layers/`, {
      code: 'place',
      css_style: '#place { marker-width: 60; marker-fill: #00aa33; marker-line-width: 0; }',
    });
    await admin('POST', `/${code}/layers/place/objects/`, {
      fields: {},
      geom: { type: 'Point', coordinates: [10, 50] },
    });
  };
  /** Western Europe with the Atlantic. */
  const parts = async (code: string, ...colours: string[]): Promise<number[]> => {
    const { page, problems } = await openPage(browser, `${server.url}/maps/demo/${code}/#3.5/48/0`, {
      density: 1,
    });
    await page.getByRole('tree').waitFor();
    await drawn(page);
    const found = await partsOf(page, ...colours);
    assert.deepEqual(problems, []);
    await page.context().close();
    return found;
  };

  await t.test('a new map lies on land and water, its data above them', async () => {
    await makeMap('plain');
    const [ofWater, ofLand, ofPlace] = await parts('plain', water, land, '#00aa33');
    assert.ok(ofWater! > 0.2 && ofWater! < 0.8, `water: ${ofWater}`);
    assert.ok(ofLand! > 0.2 && ofLand! < 0.8, `land: ${ofLand}`);
    assert.ok(ofPlace! > 0.001, `the place: ${ofPlace}`);
  });

  await t.test('a map whose style is empty or sets no background lies on it, too', async () => {
    await makeMap('unstyled', { css_style: '' });
    const [, ofLand] = await parts('unstyled', water, land);
    assert.ok(ofLand! > 0.2, `land: ${ofLand}`);
  });

  await t.test('a map with a background of its own has none, unless it asks for it', async () => {
    await makeMap('blue', { css_style: 'Map { background-color: #2040ff; }' });
    const [ofWater, ofLand, ofOwn] = await parts('blue', water, land, '#2040ff');
    assert.deepEqual([ofWater, ofLand], [0, 0]);
    assert.ok(ofOwn! > 0.7, `the background: ${ofOwn}`);
    await admin('PATCH', '/blue/', { json: { ground: true } });
    const [, asked] = await parts('blue', water, land);
    assert.ok(asked! > 0.2, `land: ${asked}`);
  });

  await t.test('a map that declines it has none', async () => {
    await makeMap('bare', { json: { ground: false } });
    const [ofWater, ofLand] = await parts('bare', water, land);
    assert.deepEqual([ofWater, ofLand], [0, 0]);
  });
});
