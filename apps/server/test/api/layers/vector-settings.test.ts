import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { hostileTexts, outcome } from '../access/people.js';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server?.stop());

async function makeLayer(): Promise<string> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map });
  await server.admin('POST', `/${map}/layers/`, { code: 'l', render_type: 1 });
  await server.admin('POST', `/${map}/layers/l/structure/`, { code: 'name', type: 'string' });
  return `/${map}/layers/l/`;
}
const set = (path: string, vectorSettings: unknown) => server.admin('PATCH', path, { vectorSettings });

test('the complete structure with its defaults if render_type is 1', async () => {
  const path = await makeLayer();
  const { id, vectorSettings } = await server.admin('GET', path);
  assert.deepEqual(vectorSettings, {
    id,
    minZoom: 0,
    maxZoom: 24,
    zoomsEnabled: false,
    stylesPolygon: {},
    stylesText: {},
    stylesLine: {},
    stylesPoint: { icon: '', iconDx: 0, iconDy: 0, iconOffsetEnabled: false },
    clusteringEnabled: false,
    clusterSettings: {
      objectsCountDx: 0,
      objectsCountDy: 0,
      icon: '',
      showObjectsCount: true,
      iconSizeMax: 60,
      iconSizeMin: 30,
      iconSizeEnabled: false,
      radius: 50,
      iconDx: 0,
      iconDy: 0,
      iconEnabled: false,
      iconOffsetEnabled: false,
      clusteringType: 'client',
      maxZoom: 16,
      maxZoomEnabled: false,
      splitByCategories: false,
    },
    showPopup: false,
    popupColumn: null,
    popupColumnCode: null,
  });
  await server.admin('PATCH', path, { render_type: 0 });
  assert.equal('vectorSettings' in (await server.admin('GET', path)), false);
});

test('given values are stored, absent ones stay, unknown ones are dropped', async () => {
  const path = await makeLayer();
  const icon = '/api/2.8/demo/icons/cafe/';
  await set(path, {
    minZoom: 3,
    stylesPoint: { icon, iconDx: -4.5 },
    clusterSettings: { radius: 80 },
    own: 1,
  });
  const { vectorSettings } = await set(path, {
    clusteringEnabled: true,
    clusterSettings: { splitByCategories: true },
  });
  assert.deepEqual(
    [vectorSettings.minZoom, vectorSettings.stylesPoint.icon, vectorSettings.stylesPoint.iconDx],
    [3, icon, -4.5],
  );
  const { radius, splitByCategories } = vectorSettings.clusterSettings;
  assert.deepEqual([radius, splitByCategories, vectorSettings.clusteringEnabled], [80, true, true]);
  assert.equal('own' in vectorSettings, false);
  assert.deepEqual((await set(path, vectorSettings)).vectorSettings, vectorSettings, 'as it was read');
});

test('the column of the popup: by id or code; it follows the column', async () => {
  const path = await makeLayer();
  const column = (await server.admin('GET', `${path}structure/`)).find((one: any) => one.code === 'name');
  const popup = async () => {
    const { popupColumn, popupColumnCode } = (await server.admin('GET', path)).vectorSettings;
    return [popupColumn, popupColumnCode];
  };
  await set(path, { popupColumnCode: 'name' });
  assert.deepEqual(await popup(), [column.id, 'name']);
  await set(path, { popupColumn: null });
  assert.deepEqual(await popup(), [null, null]);
  await set(path, { popupColumn: column.id });
  await server.admin('PATCH', `${path}structure/name/`, { type: 'string', code: 'title_of_it' });
  assert.deepEqual(await popup(), [column.id, 'title_of_it']);
  await server.admin('DELETE', `${path}structure/title_of_it/`);
  assert.deepEqual(await popup(), [null, null]);
});

const wrong: [unknown, string][] = [
  [{ minZoom: 25 }, 'minZoom'],
  [{ minZoom: '3' }, 'minZoom'],
  [{ minZoom: 9, maxZoom: 8 }, 'minZoom'],
  [{ zoomsEnabled: 1 }, 'zoomsEnabled'],
  [{ stylesPoint: [] }, 'stylesPoint'],
  [{ stylesPoint: { icon: 5 } }, 'stylesPoint.icon'],
  [{ stylesPoint: { iconDx: 1e9 } }, 'stylesPoint.iconDx'],
  [{ clusterSettings: { radius: 0 } }, 'clusterSettings.radius'],
  [{ clusterSettings: { clusteringType: 'server' } }, 'clusterSettings.clusteringType'],
  [{ clusterSettings: { iconSizeMin: 90 } }, 'clusterSettings.iconSizeMin'],
  [{ stylesLine: { text: 'x'.repeat(20_000) } }, 'stylesLine'],
  [{ popupColumnCode: 'nothing' }, 'popupColumn'],
  [{ popupColumn: 1 }, 'popupColumn'],
  [{ popupColumnCode: 'geom' }, 'popupColumn'],
];
for (const [vectorSettings, key] of wrong) {
  test(`refused: ${JSON.stringify(vectorSettings).slice(0, 60)}`, async () => {
    const path = await makeLayer();
    const before = await server.admin('GET', path);
    const answer = await server.request('PATCH', path, {
      token: server.adminToken,
      body: { vectorSettings },
    });
    assert.equal(answer.status, 400);
    assert.match(answer.text, new RegExp(`vectorSettings\\.${key.replace('.', '\\.')}`));
    assert.deepEqual(await server.admin('GET', path), before);
  });
}

test('an icon that is not there is refused; hostile texts are kept as they are', async () => {
  const path = await makeLayer();
  const body = { vectorSettings: { stylesPoint: { icon: '/api/2.8/demo/icons/nothing/' } } };
  const token = server.adminToken;
  assert.deepEqual(await outcome(server, 'PATCH', path, { token, body }), [400, 'bad_request']);
  for (const icon of hostileTexts)
    assert.equal((await set(path, { stylesPoint: { icon } })).vectorSettings.stylesPoint.icon, icon);
});
