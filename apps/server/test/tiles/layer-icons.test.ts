import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import type { Geometry } from 'geojson';
import { PNG } from 'pngjs';
import { assertPicture } from '../pictures/compare.js';
import { startServer, type TestServer } from '../support/server.js';

let server: TestServer;
before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'icons_of_layers' });
});
after(() => server?.stop());

const point: Geometry = { type: 'Point', coordinates: [10, 10] };
const line: Geometry = {
  type: 'LineString',
  coordinates: [
    [0, 0],
    [10, 10],
  ],
};
const area: Geometry = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 10],
      [0, 0],
    ],
  ],
};
const face = 'text-face-name: "DejaVu Sans Book";';

/** Styles, and the geometry of the layer's one object; null: an empty layer. */
const layers: Record<string, [style: string | undefined, geometry: Geometry | null, values?: object]> = {
  default_point: [undefined, point],
  default_line: [undefined, line],
  default_area: [undefined, area],
  small_dot: ['{ marker-width: 3; marker-fill: #c00; marker-line-width: 0; }', point],
  large_marker: [
    '{ marker-width: 150; marker-fill: #4a8; marker-line-color: #000; marker-line-width: 12; }',
    point,
  ],
  by_value: [
    '{ marker-width: [n] * 10; marker-fill: #48c; [n > 5] { marker-fill: #c48; } }',
    point,
    { n: 7 },
  ],
  from_icon: [
    '{ marker-file: url(cafe); marker-fill: #642; marker-width: 24; text-name: "Cafe"; text-dy: 20; }',
    point,
  ],
  shield: [
    `{ shield-file: url(square-stroked); shield-name: "'A 7'"; shield-face-name: "DejaVu Sans Book"; }`,
    point,
  ],
  several: [
    '{ a/marker-width: 22; a/marker-fill: #fff; a/marker-line-color: #26a; b/marker-width: 12; b/marker-fill: #26a; ::label { text-name: "x"; text-face-name: "DejaVu Sans Book"; } }',
    point,
  ],
  only_text: [
    `{ text-name: [name]; ${face} text-size: 14; text-fill: #a22; text-halo-fill: #fff; text-halo-radius: 2; text-dy: 12; }`,
    point,
    { name: 'Town' },
  ],
  wide_line: [
    '{ ::c { line-width: 22; line-color: #333; } ::f { line-width: 16; line-color: #fc3; } }',
    line,
  ],
  dashed: ['{ line-width: 2; line-color: #a2a; line-dasharray: 6, 4; }', line],
  marked_line: [
    '{ line-width: 1; line-color: #555; marker-placement: line; marker-type: arrow; marker-width: 10; marker-fill: #d33; }',
    line,
  ],
  patterned_line: ['{ line-pattern-file: url(triangle); }', line],
  patterned: [
    '{ polygon-fill: #dfd; polygon-pattern-file: url(park); line-color: #363; line-width: 1; }',
    area,
  ],
  building: ['{ building-fill: #cab; building-height: 8; }', area],
  empty_by_value: [
    '{ [kind = "a"] { marker-fill: #e33; marker-width: 12; } [kind = "b"] { marker-fill: #33e; marker-width: 12; } }',
    null,
  ],
  empty_line: ['{ line-color: #b60; line-width: 3; }', null],
};

/** Icons side by side on white. */
async function sheet(code: string, sizes: readonly number[]): Promise<Buffer> {
  const whole = new PNG({
    width: sizes.reduce((sum, size) => sum + size + 4, 0),
    height: Math.max(...sizes),
  });
  whole.data.fill(255);
  let x = 0;
  for (const size of sizes) {
    const answer = await server.request('GET', `/icons_of_layers/layers/${code}/icon/?size=${size}`);
    assert.equal(answer.status, 200, answer.text);
    const icon = PNG.sync.read(answer.bytes);
    assert.deepEqual([icon.width, icon.height], [size, size]);
    assert.ok(
      icon.data.some((value, i) => i % 4 === 3 && value > 40),
      `${code} at ${size} pixels is empty`,
    );
    for (let at = 0; at < size * size; at++) {
      const to = 4 * (Math.floor(at / size) * whole.width + x + (at % size));
      const alpha = icon.data[4 * at + 3]! / 255;
      for (let c = 0; c < 3; c++)
        whole.data[to + c] = Math.round(icon.data[4 * at + c]! * alpha + 255 * (1 - alpha));
    }
    x += size + 4;
  }
  return PNG.sync.write(whole);
}

for (const [code, [style, geom, fields]] of Object.entries(layers)) {
  test(`the icon of a layer: ${code.replaceAll('_', ' ')}`, async () => {
    await server.admin('POST', '/icons_of_layers/layers/', { code });
    const structure = `/icons_of_layers/layers/${code}/structure/`;
    for (const [column, type] of [
      ['name', 'string'],
      ['kind', 'string'],
      ['n', 'number'],
    ])
      await server.admin('POST', structure, { code: column, type });
    if (style)
      await server.admin('PATCH', `/icons_of_layers/layers/${code}/`, { css_style: `#${code} ${style}` });
    if (geom)
      await server.admin('POST', `/icons_of_layers/layers/${code}/objects/`, { fields: fields ?? {}, geom });
    assertPicture(`layer-icon-${code.replaceAll('_', '-')}`, await sheet(code, [16, 32, 64, 160]));
  });
}

test('an icon of 512 pixels is that of 36, larger and sharp', async () => {
  for (const code of ['default_point', 'default_line']) {
    const { bytes } = await server.request('GET', `/icons_of_layers/layers/${code}/icon/?size=512`);
    const { data } = PNG.sync.read(bytes);
    const covered = data.filter((value, i) => i % 4 === 3 && value > 128).length / (512 * 512);
    assert.ok(covered > (code === 'default_point' ? 0.04 : 0.02), `${code}: ${covered} of the picture`);
  }
});
