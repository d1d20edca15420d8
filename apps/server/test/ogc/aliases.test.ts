/** Names of styles, formats, colours and systems that programs know from other services mean the same here. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

let server: TestServer;

test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'towns', css_style: '#towns { marker-width: 20; }' });
  await server.admin('POST', '/m/layers/towns/objects/', {
    fields: {},
    geom: { type: 'Point', coordinates: [10, 47] },
  });
});
test.after(() => server?.stop());

const get = (path: string): Promise<TestAnswer> => server.request('GET', `//${path}`);
const taken = async (path: string): Promise<TestAnswer> => {
  const answer = await get(path);
  assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 500)}`);
  return answer;
};
const mercatorBox = '1000000,5000000,1300000,6300000';
const wms = (changed: Record<string, string>): string =>
  `wms/demo/m?${new URLSearchParams({
    service: 'WMS',
    version: '1.1.1',
    request: 'GetMap',
    layers: 'towns',
    styles: '',
    srs: 'EPSG:3857',
    bbox: mercatorBox,
    width: '60',
    height: '260',
    format: 'image/png',
    ...changed,
  })}`;

test('WMS takes colours without 0x, and image/png24 and image/png32 for PNG', async () => {
  const expected = await taken(wms({ bgcolor: '0x336699' }));
  const other: Record<string, string>[] = [
    { bgcolor: '336699' },
    { bgcolor: '#336699' },
    { bgcolor: '336699', format: 'image/png24' },
    { bgcolor: '336699', format: 'image/png32' },
  ];
  for (const changed of other) {
    const answer = await taken(wms(changed));
    assert.equal(answer.headers.get('content-type'), 'image/png');
    assert.ok(answer.bytes.equals(expected.bytes), JSON.stringify(changed));
  }
  const picture = (color: string) => `ogc/demo/m/map?width=20&bgcolor=${color}`;
  assert.ok((await taken(picture('336699'))).bytes.equals((await taken(picture('0x336699'))).bytes));
  for (const bgcolor of ['33669', '0x3366990', '33669g'])
    assert.match((await get(wms({ bgcolor }))).text, /InvalidParameterValue/, bgcolor);
});

test('WMTS takes the names of the only style of other services', async () => {
  const expected = await taken('wmts/demo/m/towns/default/WebMercatorQuad/3/2/4.png');
  const kvp = (style: string): string =>
    `wmts/demo/m?service=WMTS&request=GetTile&version=1.0.0&layer=towns&style=${style}&tilematrixset=WebMercatorQuad&tilematrix=3&tilerow=2&tilecol=4&format=image/png`;
  for (const style of ['normal', '_null']) {
    const address = `wmts/demo/m/towns/${style}/WebMercatorQuad/3/2/4.png`;
    for (const path of [kvp(style), address])
      assert.ok((await taken(path)).bytes.equals(expected.bytes), path);
  }
  assert.ok((await taken(kvp(''))).bytes.equals(expected.bytes));
  assert.match((await get(kvp('other'))).text, /InvalidParameterValue/);
});

test('vector tiles have .pbf as another end of their address', async () => {
  const expected = await taken('tiles/demo/m/3/4/2.mvt?fields=*');
  const answer = await taken('tiles/demo/m/3/4/2.pbf?fields=*');
  assert.equal(answer.headers.get('content-type'), expected.headers.get('content-type'));
  assert.ok(answer.bytes.length > 20 && answer.bytes.equals(expected.bytes));
});

test('EPSG:3857 has its other codes, and codes of ESRI are taken', async () => {
  const expected = await taken(wms({}));
  const names = [900_913, 102_100, 102_113, 3785].map((code) => `EPSG:${code}`);
  for (const srs of [...names, 'ESRI:102100', 'urn:ogc:def:crs:ESRI::102100'])
    assert.ok((await taken(wms({ srs }))).bytes.equals(expected.bytes), srs);
  await taken(wms({ srs: 'ESRI:54030', bbox: '0,4000000,2000000,6000000' }));
  const items = await taken('ogc/demo/m/collections/towns/items?crs=ESRI:54030');
  assert.equal(
    items.headers.get('content-crs'),
    '<http://www.opengis.net/def/crs/ESRI/0/54030>',
    'the answer names the system',
  );
  const [x, y] = items.json.features[0].geometry.coordinates;
  assert.ok(Math.abs(x - 836_406) < 1 && Math.abs(y - 5_014_811) < 1, `${x} ${y}`);
  const gml = `wfs/demo/m?service=WFS&version=2.0.0&request=GetFeature&typenames=towns&srsname=`;
  assert.match(
    (await taken(`${gml}urn:ogc:def:crs:ESRI::54030`)).text,
    /srsName="urn:ogc:def:crs:ESRI::54030"/,
  );
  assert.match((await taken(`${gml}ESRI:54030`)).text, /srsName="ESRI:54030"/);
  const set = (await taken('ogc/demo/m/tileMatrixSets/ESRI54030')).json;
  assert.deepEqual([set.id, set.crs], ['ESRI54030', 'http://www.opengis.net/def/crs/ESRI/0/54030']);
  await taken('ogc/demo/m/map/tiles/ESRI54030/4/6/8');
  for (const srs of ['EPSG:54030', 'ESRI:25832', 'ESRI:999999'])
    assert.match((await get(wms({ srs }))).text, /InvalidSRS/, srs);
});
