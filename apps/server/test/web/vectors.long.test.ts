import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { startServer, type TestServer } from '../support/server.js';
import { hostile } from './atlas.js';
import { isHacked, type OpenPage, openPage, startBrowser, withoutBrowser } from './browser.js';
import { centerOf, clickMap, drawn, layersOf } from './mapPage.js';
import { pageTest, useSite } from './site.js';

const svg = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="${color}"/></svg>`;

const screen = { width: 1040, height: 660 };

/** Number of pixels of about this colour in the map, outside of the panel. */
async function pixelsOf(page: Page, [red, green, blue]: readonly [number, number, number]): Promise<number> {
  const { data, width } = PNG.sync.read(await page.getByTestId('map').screenshot());
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    if ((i / 4) % width < 400) continue;
    const far = Math.abs(data[i]! - red) + Math.abs(data[i + 1]! - green) + Math.abs(data[i + 2]! - blue);
    if (far < 30) count++;
  }
  return count;
}

async function soon(what: () => Promise<boolean>, text: string): Promise<void> {
  for (const end = Date.now() + 20_000; !(await what()); ) {
    if (Date.now() > end) assert.fail(text);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const feature = (name: string, geometry: object) => ({ type: 'Feature', properties: { name }, geometry });
const point = (lon: number, lat: number) => ({ type: 'Point', coordinates: [lon, lat] });
const area = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 40],
      [8, 40],
      [8, 48],
      [0, 48],
      [0, 40],
    ],
  ],
};

const vectorLayers: [code: string, css: string, features: object[]][] = [
  ['pins', 'marker-width: 20;', [feature(hostile, point(20, 50)), feature('far', point(24, 54))]],
  [
    'areas',
    'polygon-fill: #00aa00; polygon-opacity: 1; line-color: #004400; line-width: 2;',
    [feature('a', area)],
  ],
  [
    'swarm',
    'marker-fill: #ff8800;',
    Array.from({ length: 40 }, (_, i) =>
      feature(`p${i}`, point(12 + (i % 8) / 10, 42 + Math.floor(i / 8) / 10)),
    ),
  ],
  // Two categories closer to each other than the cluster radius.
  [
    'kinds',
    'marker-fill: #ff8800;',
    Array.from({ length: 12 }, (_, i) =>
      feature(i % 2 ? 'oak' : 'elm', point(-40 + 0.5 * (i % 2), 44 + i / 1000)),
    ),
  ],
];

const site = useSite(makeVectors);

const patch = (server: TestServer, code: string, vectorSettings: object) =>
  server.admin('PATCH', `/vectors/layers/${code}/`, { vectorSettings });
const clusterSettings = { iconEnabled: true, icon: '/api/2.8/demo/icons/group/', radius: 60 };

/** Creates the map `vectors`: two points with an icon, an area, a cluster, and two categories in one place. */
async function makeVectors(server: TestServer): Promise<void> {
  await server.admin('POST', '/', {
    code: 'vectors',
    name: 'Vectors',
    css_style: 'Map { background-color: #ffffff; }',
  });
  for (const [name, color] of [
    ['pin', '#ff00ff'],
    ['group', '#00ffff'],
  ])
    await server.request('PUT', `/icons/${name}/`, { token: server.adminToken, body: svg(color!) });
  for (const [code, css, features] of vectorLayers) await makeLayer(server, code, css, features);
  await server.admin('PATCH', '/vectors/layers/kinds/', { visualSettings: { type: 2, columnCode: 'name' } });
  await patch(server, 'pins', {
    stylesPoint: { icon: '/api/2.8/demo/icons/pin/' },
    showPopup: true,
    popupColumnCode: 'name',
  });
  await patch(server, 'swarm', { clusteringEnabled: true, clusterSettings });
}

async function makeLayer(
  { admin }: TestServer,
  code: string,
  css: string,
  features: object[],
): Promise<void> {
  await admin('POST', '/vectors/layers/', { code, render_type: 1 });
  await admin('POST', `/vectors/layers/${code}/structure/`, { code: 'name', type: 'string' });
  await admin('POST', `/vectors/layers/${code}/import/`, { type: 'FeatureCollection', features });
  await admin('PATCH', `/vectors/layers/${code}/`, { css_style: `#${code} { ${css} }` });
}

interface Story extends OpenPage {
  /** Status and address of each response. */
  responses: string[];
}

/** Reloads the page at another position. */
async function look(page: Page, position: string): Promise<void> {
  await page.evaluate(`history.replaceState(null, '', '${position}')`);
  await page.reload();
  await drawn(page);
}

pageTest('layers that the client draws', async (t) => {
  const responses: string[] = [];
  const opened = await site.open('/maps/demo/vectors/#6/50/20', {
    ...screen,
    density: 1, // its pixels are looked at
    onPage: (made) =>
      made.on('response', (response) => responses.push(`${response.status()} ${response.url()}`)),
  });
  await opened.page.getByRole('tree').waitFor();
  await drawn(opened.page);
  const story = { ...opened, responses };
  await t.test('their objects come in vector tiles, not in the raster tiles', () => checkRequests(story));
  await t.test('points show their icon and a popup, whose text is escaped', () => checkPopup(story));
  await t.test(
    'areas have the colours of the style; clusters their icon, and separate at nearer zoom levels',
    () => checkAreasAndClusters(story),
  );
  await t.test('only equal categories share a cluster where the settings say so', () =>
    checkClusterCategories(story),
  );
  await t.test('layers are drawn at their zoom levels', () => checkZoomLevels(story));
  assert.deepEqual(opened.problems, []);
});

async function checkRequests({ responses }: Story): Promise<void> {
  await soon(
    async () => responses.some((line) => line.includes(`/mvt/demo/vectors/`)),
    'no vector tile was asked for',
  );
  const tiles = responses.filter((line) => line.includes('/mvt/'));
  assert.ok(
    tiles.every((line) => line.startsWith('200 ')),
    tiles.join('\n'),
  );
  const pictures = responses.filter((line) => line.includes('/tms/'));
  assert.ok(
    pictures.length && pictures.every((line) => !layersOf(line.slice(4)).length),
    pictures.join('\n'),
  );
}

async function checkPopup({ page }: Story): Promise<void> {
  await soon(async () => (await pixelsOf(page, [255, 0, 255])) > 900, 'the icon is not drawn');
  await clickMap(page, await centerOf(page));
  const popup = page.locator('.vector-popup');
  await popup.waitFor();
  assert.equal(await popup.textContent(), hostile);
  assert.equal(await isHacked(page), false);
  await page.keyboard.press('Escape');
}

async function checkAreasAndClusters({ page }: Story): Promise<void> {
  await look(page, '#6/44/8');
  await soon(async () => (await pixelsOf(page, [0, 170, 0])) > 5_000, 'the area is not drawn');
  await soon(async () => (await pixelsOf(page, [0, 255, 255])) > 200, 'the cluster is not drawn');
  assert.ok((await pixelsOf(page, [255, 136, 0])) < 50, 'no single point of the cluster is drawn');
  await look(page, '#10/42.2/12.3');
  await soon(async () => (await pixelsOf(page, [255, 136, 0])) > 300, 'the points are not drawn');
}

async function checkClusterCategories({ page }: Story): Promise<void> {
  const cyan = async (splitByCategories: boolean): Promise<number> => {
    await patch(site.server, 'kinds', {
      clusteringEnabled: true,
      clusterSettings: { ...clusterSettings, splitByCategories },
    });
    await look(page, '#6/44/-40');
    await soon(async () => (await pixelsOf(page, [0, 255, 255])) > 200, 'the cluster is not drawn');
    return pixelsOf(page, [0, 255, 255]);
  };
  const [together, apart] = [await cyan(false), await cyan(true)];
  assert.ok(apart > 1.6 * together, `${together} and ${apart} pixels`);
}

async function checkZoomLevels({ page }: Story): Promise<void> {
  await patch(site.server, 'pins', { zoomsEnabled: true, minZoom: 9, maxZoom: 24 });
  await look(page, '#6/50/20');
  assert.equal(await pixelsOf(page, [255, 0, 255]), 0);
  await look(page, '#9/50/20');
  await soon(async () => (await pixelsOf(page, [255, 0, 255])) > 900, 'the icon is not drawn nearer');
}

test('features omitted from vector tiles are reported until the zoom level shows them', {
  skip: withoutBrowser,
}, async (t) => {
  const browser = await startBrowser(t);
  const server = await startServer({ CARTULARY_VECTOR_TILE_FEATURES: '40' });
  t.after(() => server.stop());
  await server.admin('POST', '/', { code: 'vectors' });
  await server.admin('POST', '/vectors/layers/', { code: 'stones', name: 'Stones', render_type: 1 });
  const features = Array.from({ length: 100 }, (_, i) => ({
    type: 'Feature',
    properties: { name: `${i}` },
    geometry: { type: 'Point', coordinates: [10 + i / 10, 10] },
  }));
  await server.admin('POST', '/vectors/layers/stones/import/', { type: 'FeatureCollection', features });
  const { page } = await openPage(browser, `${server.url}/maps/demo/vectors/#2/10/15`, screen);
  const notice = page.getByText('Stones: 40 of 100 objects are shown');
  await notice.waitFor();
  await page.getByTestId('map').locator('canvas').focus();
  for (let i = 0; i < 5; i++) {
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForTimeout(700);
  }
  await notice.waitFor({ state: 'detached' });
});
