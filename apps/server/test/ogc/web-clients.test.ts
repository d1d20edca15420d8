/** OpenLayers, Leaflet and ogc-client read a map by the addresses that the guide names, from a page of another origin. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { PNG } from 'pngjs';
import { startServer, type TestServer } from '../support/server.js';
import { startBrowser, withoutBrowser } from '../web/browser.js';

const packages = createRequire(import.meta.url);
const folderOf = (name: string): string => dirname(packages.resolve(`${name}/package.json`));
const files: Readonly<Record<string, readonly [path: string, type: string]>> = {
  '/ol.js': [join(folderOf('ol'), 'dist/ol.js'), 'text/javascript'],
  '/ol.css': [join(folderOf('ol'), 'ol.css'), 'text/css'],
  '/leaflet.js': [join(folderOf('leaflet'), 'dist/leaflet.js'), 'text/javascript'],
  '/leaflet.css': [join(folderOf('leaflet'), 'dist/leaflet.css'), 'text/css'],
};

/** The layer `area` is red, from 8 to 12 degrees east and 48 to 52 degrees north; `towns` are points. */
async function makeMap(server: TestServer): Promise<void> {
  await server.admin('POST', '/', { code: 'm', name: 'A map' });
  await server.admin('POST', '/m/layers/', { code: 'area', css_style: '#area { polygon-fill: #f00; }' });
  await server.admin('POST', '/m/layers/', { code: 'towns' });
  const ring = [
    [8, 48],
    [12, 48],
    [12, 52],
    [8, 52],
    [8, 48],
  ];
  const features = (all: object[]) => ({ type: 'FeatureCollection', features: all });
  const feature = (name: string, geometry: object) => ({ type: 'Feature', properties: { name }, geometry });
  const area = feature('Area', { type: 'Polygon', coordinates: [ring] });
  await server.admin('POST', '/m/layers/area/import/', features([area]));
  const towns = Array.from({ length: 12 }, (_, i) =>
    feature(`Town ${i + 1}`, { type: 'Point', coordinates: [9 + i / 10, 50] }),
  );
  await server.admin('POST', '/m/layers/towns/import/', features(towns));
}

/** Sources of OpenLayers, as expressions over `url`, the address of the service. */
const sources: Readonly<Record<string, string>> = {
  xyz: "tiles(new ol.source.XYZ({ url: url + '/tiles/demo/m/{z}/{x}/{y}@2x.png', tilePixelRatio: 2, maxZoom: 24 }))",
  tileJson: "tiles(new ol.source.TileJSON({ url: url + '/tiles/demo/m/tilejson.json' }))",
  tileWms: "tiles(new ol.source.TileWMS({ url: url + '/wms/demo/m/', params: { LAYERS: 'map.all' } }))",
  imageWms:
    "new ol.layer.Image({ source: new ol.source.ImageWMS({ url: url + '/wms/demo/m/', params: { LAYERS: 'area', CQL_FILTER: \"name = 'Area'\" } }) })",
  ogcMapTile: "tiles(new ol.source.OGCMapTile({ url: url + '/ogc/demo/m/map/tiles/WebMercatorQuad' }))",
  ogcMapTileDegrees:
    "tiles(new ol.source.OGCMapTile({ url: url + '/ogc/demo/m/collections/area/map/tiles/WorldCRS84Quad' }))",
  ogcVectorTile:
    "new ol.layer.VectorTile({ style: red, source: new ol.source.OGCVectorTile({ url: url + '/ogc/demo/m/tiles/WebMercatorQuad', format: new ol.format.MVT() }) })",
  features:
    "new ol.layer.Vector({ style: red, source: new ol.source.Vector({ url: url + '/ogc/demo/m/collections/area/items', format: new ol.format.GeoJSON() }) })",
  wfs: "new ol.layer.Vector({ style: red, source: new ol.source.Vector({ url: (box) => url + '/wfs/demo/m?service=WFS&version=2.0.0&request=GetFeature&typenames=area&outputFormat=application/json&srsname=EPSG:3857&bbox=' + box.join(',') + ',EPSG:3857', strategy: ol.loadingstrategy.bbox, format: new ol.format.GeoJSON() }) })",
  wmts: "tiles(new ol.source.WMTS(ol.source.WMTS.optionsFromCapabilities(new ol.format.WMTSCapabilities().read(capabilities), { layer: 'area', projection: 'EPSG:3857' })))",
};
const leaflet: Readonly<Record<string, string>> = {
  leafletXyz: "L.tileLayer(url + '/tiles/demo/m/{z}/{x}/{y}{r}.png', { maxZoom: 24 })",
  leafletWms:
    "L.tileLayer.wms(url + '/wms/demo/m/', { layers: 'map.all', format: 'image/png', transparent: true })",
};

const page = (
  url: string,
): string => `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/ol.css">
<link rel="stylesheet" href="/leaflet.css"><style>body{margin:0}div[id]{position:relative;width:100px;height:100px;float:left}</style>
${[...Object.keys(sources), ...Object.keys(leaflet)].map((id) => `<div id="${id}"></div>`).join('')}
<script src="/ol.js"></script><script src="/leaflet.js"></script><script type="module">
const url = ${JSON.stringify(url)};
const capabilities = await (await fetch(url + '/wmts/demo/m/1.0.0/WMTSCapabilities.xml')).text();
const red = new ol.style.Style({ fill: new ol.style.Fill({ color: '#f00' }) });
const tiles = (source) => new ol.layer.Tile({ source });
const drawn = [];
const show = (target, layer) => {
  const map = new ol.Map({ target, layers: [layer], controls: [], view: new ol.View({ center: ol.proj.fromLonLat([10, 50]), zoom: 5 }) });
  drawn.push(new Promise((resolve) => {
    const source = layer.getSource();
    const wait = () => map.once('rendercomplete', () => (source.getState() === 'ready' ? resolve() : wait()));
    wait();
  }));
};
${Object.entries(sources)
  .map(([id, layer]) => `show(${JSON.stringify(id)}, ${layer});`)
  .join('\n')}
${Object.entries(leaflet)
  .map(
    ([id, layer]) =>
      `drawn.push(new Promise((resolve) => { const map = L.map(${JSON.stringify(id)}, { zoomControl: false, attributionControl: false, fadeAnimation: false }).setView([50, 10], 5); ${layer}.on('load', resolve).addTo(map); }));`,
  )
  .join('\n')}
await Promise.all(drawn);
window.isDrawn = true;
</script>`;

async function startSite(t: TestContext, url: string): Promise<string> {
  const site = createServer(async (request, response) => {
    const [file, type] = files[request.url!] ?? [];
    response.setHeader('content-type', type ?? 'text/html');
    response.end(file ? await readFile(file) : page(url));
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  t.after(() => site.close());
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
}

test('OpenLayers and Leaflet draw every kind of layer', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  await makeMap(server);
  await t.test('ogc-client reads WMS, WFS, WMTS and OGC API', () => askOgcClient(server.url));
  const browser = await startBrowser(t);
  const opened = await browser.newPage({ viewport: { width: 400, height: 400 } });
  const problems: string[] = [];
  opened.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  opened.on('pageerror', (error) => problems.push(error.message));
  opened.on(
    'response',
    (response) => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`),
  );
  await opened.goto(await startSite(t, server.url));
  await opened
    .waitForFunction('window.isDrawn', undefined, { timeout: 60_000 })
    .catch((error) => assert.fail(`${error.message}: ${problems.join('\n')}`));
  const wanted = [...Object.keys(sources), ...Object.keys(leaflet)];
  const others = async (): Promise<string[]> => {
    const { data, width } = PNG.sync.read(await opened.screenshot());
    return wanted.filter((_, i) => {
      const at = 4 * ((Math.floor(i / 4) * 100 + 50) * width + (i % 4) * 100 + 50);
      const [red, green, blue] = data.subarray(at, at + 3);
      // JPEG and WebP change colours a little.
      return !(red! > 250 && green! < 5 && blue! < 5);
    });
  };
  for (let tries = 0; tries < 50 && (await others()).length; tries++) await opened.waitForTimeout(200);
  assert.deepEqual([await others(), problems], [[], []]);
});

async function askOgcClient(url: string): Promise<void> {
  const { OgcApiEndpoint, WfsEndpoint, WmsEndpoint, WmtsEndpoint } = await import('@camptocamp/ogc-client');
  const wms = await new WmsEndpoint(`${url}/wms/demo/m/`).isReady();
  assert.deepEqual(
    wms
      .getFlattenedLayers()
      .map(({ name }) => name)
      .sort(),
    ['area', 'map.all', 'towns'],
  );
  const wfs = await new WfsEndpoint(`${url}/wfs/demo/m`).isReady();
  assert.deepEqual(
    wfs
      .getFeatureTypes()
      .map(({ name }) => name)
      .sort(),
    ['map:area', 'map:towns'],
  );
  assert.equal(wfs.supportsJson('map:towns'), true);
  const { properties, objectCount, geometryType } = await wfs.getFeatureTypeFull('map:towns');
  assert.deepEqual([properties.name, objectCount, geometryType], ['string', 12, 'point']);
  const json = wfs.getFeatureUrl('map:towns', { asJson: true, maxFeatures: 5, startIndex: 10 });
  const read = (await (await fetch(json)).json()) as { features: { properties: { name: string } }[] };
  assert.deepEqual(
    read.features.map(({ properties }) => properties.name),
    ['Town 11', 'Town 12'],
  );
  const wmts = await new WmtsEndpoint(`${url}/wmts/demo/m/1.0.0/WMTSCapabilities.xml`).isReady();
  assert.deepEqual(
    wmts
      .getLayers()
      .map(({ name }) => name)
      .sort(),
    ['area', 'map.all', 'towns'],
  );
  assert.deepEqual(
    wmts.getMatrixSets().map(({ identifier }) => identifier),
    ['WebMercatorQuad', 'WorldCRS84Quad', 'EPSG32632', 'EPSG32633', 'EPSG3035', 'EPSG25832', 'EPSG25833'],
  );
  const api = new OgcApiEndpoint(`${url}/ogc/demo/m`);
  assert.equal(await api.hasFeatures, true);
  assert.deepEqual((await api.featureCollections).sort(), ['area', 'towns']);
  const items = await api.getCollectionItems('towns', 5, 10);
  assert.equal(items.length, 2);
}
