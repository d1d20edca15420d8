import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { PNG } from 'pngjs';
import { assertPicture, colorAt } from '../../pictures/compare.js';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { box } from '../../tiles/colors.js';
import { tile } from '../../tiles/scene.js';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server?.stop());

async function makeLayer(): Promise<{ map: string; path: string }> {
  const map = freshCode('m');
  await server.admin('POST', '/', { code: map, css_style: '' });
  await server.admin('POST', `/${map}/layers/`, { code: 'l' });
  await server.admin('POST', `/${map}/layers/l/structure/`, { code: 'name', type: 'string' });
  return { map, path: `/${map}/layers/l/` };
}
const change = (path: string, body: object) => server.admin('PATCH', path, body);

test('a simple style generates the CartoCSS, is returned complete, and ends when CartoCSS is written', async () => {
  const { map, path } = await makeLayer();
  await server.admin('POST', `${path}objects/`, { fields: {}, geom: box() });
  const made = await change(path, { simpleStyle: { fill: '#00ff00' } });
  assert.equal(made.style_mode, 1);
  assert.deepEqual(made.simpleStyle, {
    fill: '#00ff00',
    fillOpacity: 1,
    stroke: null,
    strokeWidth: 1,
    strokeOpacity: 1,
    strokeDash: [],
    marker: null,
    label: null,
  });
  assert.match(made.css_style, /polygon-fill: #00ff00;/);
  assert.equal(colorAt((await tile(server, map, [2, 2, 2])).bytes), '#00ff00');

  assert.deepEqual(await server.admin('PUT', path, made), made, 'as it was read');
  const renamed = await change(path, { code: 'other', name: 'Other' });
  assert.deepEqual([renamed.style_mode, renamed.simpleStyle], [1, made.simpleStyle]);
  assert.match(renamed.css_style, /#other\[/);
  const own = `/${map}/layers/other/`;
  const written = await change(own, { css_style: '#other { polygon-fill: #0000ff; }' });
  assert.deepEqual([written.style_mode, 'simpleStyle' in written], [2, false]);
  const again = await change(own, { simpleStyle: { fill: '#ff0000' } });
  assert.equal(colorAt((await tile(server, map, [2, 2, 2])).bytes), '#ff0000');
  const left = await change(own, { simpleStyle: null });
  assert.deepEqual([left.style_mode, left.css_style, 'simpleStyle' in left], [2, again.css_style, false]);
});

test('a new layer may have a simple style', async () => {
  const { map } = await makeLayer();
  const made = await server.admin('POST', `/${map}/layers/`, { code: 'n', simpleStyle: { marker: {} } });
  assert.deepEqual([made.style_mode, made.simpleStyle.marker.shape], [1, 'circle']);
});

const wrong: [object, string][] = [
  [{ fill: 'red' }, 'fill'],
  [{ fill: '#12345' }, 'fill'],
  [{ fill: '#fff; } Map { background-color: red' }, 'fill'],
  [{ fillOpacity: 2 }, 'fillOpacity'],
  [{ strokeWidth: -1 }, 'strokeWidth'],
  [{ strokeDash: [-1, 0.5] }, 'strokeDash'],
  [{ strokeDash: '4 3' }, 'strokeDash'],
  [{ marker: 'circle' }, 'marker'],
  [{ marker: { shape: 'blob' } }, 'marker.shape'],
  [{ marker: { shape: 'constructor' } }, 'marker.shape'],
  [{ marker: { size: 1e9 } }, 'marker.size'],
  [{ marker: { icon: 'nothing' } }, 'marker.icon'],
  [{ marker: { icon: '../../etc/passwd' } }, 'marker.icon'],
  [{ marker: { color: null } }, 'marker.color'],
  [{ label: {} }, 'label.column'],
  [{ label: { column: 'nothing' } }, 'label.column'],
  [{ label: { column: 'geom' } }, 'label.column'],
  [{ label: { column: 'name]; text-size: 5000' } }, 'label.column'],
  [{ label: { column: 'name', font: 'Comic"; x' } }, 'label.font'],
  [{ label: { column: 'name', minZoom: 99 } }, 'label.minZoom'],
];
for (const [simpleStyle, key] of wrong) {
  test(`refused: ${JSON.stringify(simpleStyle)}`, async () => {
    const { path } = await makeLayer();
    const before = await server.admin('GET', path);
    const answer = await server.request('PATCH', path, { token: server.adminToken, body: { simpleStyle } });
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.text, new RegExp(`simpleStyle\\.${key.replace('.', '\\.')} is`));
    assert.deepEqual(await server.admin('GET', path), before);
  });
}

test('both a new CartoCSS and a simple style are refused', async () => {
  const { path } = await makeLayer();
  const body = { css_style: '#l { line-width: 1; }', simpleStyle: {} };
  assert.equal((await server.request('PATCH', path, { token: server.adminToken, body })).status, 400);
});

test('every part of it is drawn', async () => {
  const { map, path } = await makeLayer();
  const add = (name: string, geom: object) =>
    server.admin('POST', `${path}objects/`, { fields: { name }, geom });
  const square = (x: number, y: number) => ({
    type: 'Polygon',
    coordinates: [
      [
        [x, y],
        [x + 14, y],
        [x + 14, y + 14],
        [x, y + 14],
        [x, y],
      ],
    ],
  });
  await add('Area', square(4, 18));
  await add('A long way', {
    type: 'LineString',
    coordinates: [
      [3, 6],
      [20, 14],
      [42, 5],
    ],
  });
  await add('Spot', { type: 'Point', coordinates: [32, 28] });
  const base = { fill: '#ffe066', fillOpacity: 0.8, stroke: '#9c36b5', strokeWidth: 3 };
  const label = { column: 'name', size: 13, color: '#1864ab', halo: '#ffffff', haloWidth: 2 };
  const styles: Record<string, object> = {
    circle: { ...base, marker: { size: 24, color: '#e03131', stroke: '#ffffff', strokeWidth: 3 }, label },
    star: { ...base, strokeDash: [8, 4], marker: { shape: 'star', size: 30, color: '#f08c00' } },
    icon: {
      ...base,
      strokeOpacity: 0.4,
      marker: { icon: 'cafe', size: 30, color: '#5c3a21', opacity: 0.7 },
      label: { ...label, font: 'DejaVu Serif Bold' },
    },
  };
  for (const [name, simpleStyle] of Object.entries(styles)) {
    await change(path, { simpleStyle });
    const { bytes, status, text } = await tile(server, map, [3, 4, 4], 'retina=2');
    assert.equal(status, 200, text);
    assertPicture(`simple-style-${name}`, bytes);
  }
  await change(path, { simpleStyle: { label: { ...label, minZoom: 4 } } });
  const alpha = async (z: number): Promise<boolean> => {
    const { bytes } = await tile(server, map, [z, 2 ** (z - 1), 2 ** (z - 1)]);
    return PNG.sync.read(bytes).data.some((value, i) => i % 4 === 3 && value > 0);
  };
  assert.deepEqual([await alpha(3), await alpha(4)], [false, true], 'labels from zoom level 4 on');
});
