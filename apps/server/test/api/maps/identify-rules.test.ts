import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import sharp from 'sharp';
import { startServer, type TestServer } from '../../support/server.js';

let server: TestServer;
before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
});
after(() => server.stop());

const values: Record<string, unknown>[] = [
  {},
  { n: 1 },
  { n: 5 },
  { n: 5.5, s: 'river' },
  { n: 6, s: 'lake' },
  { n: 6, s: 'Lake', b: true },
  { n: -3, s: 'lakes', b: false },
  { n: 0, s: '' },
  { n: 12, s: "it's" },
  { s: 'river' },
  { n: 100, s: 'ж{' },
  { n: 7, s: '7' },
];
/** A square per object, 4 degrees wide, 10 degrees apart. */
const west = (i: number): number => -60 + 10 * i;
const square = (x: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, 0],
      [x + 4, 0],
      [x + 4, 4],
      [x, 4],
      [x, 0],
    ],
  ],
});

async function layerOf(code: string, css_style: string): Promise<string> {
  const path = `/m/layers/${code}/`;
  await server.admin('POST', '/m/layers/', { code });
  for (const [column, type] of Object.entries({ n: 'number', s: 'string', b: 'bool' }))
    await server.admin('POST', `${path}structure/`, { code: column, type });
  const create = values.map((fields, i) => ({ fields, geom: square(west(i)) }));
  await server.admin('POST', `${path}objects/batch/`, { create });
  await server.admin('PUT', path, { css_style });
  return path;
}

/** Of a new map. */
const background = '#eef2f3';

/** The colour of the map at the middle of an object's square, at zoom level 3. */
async function colourAt(i: number, layer: number, z: number): Promise<string> {
  const [lon, lat] = [west(i) + 2, 2];
  const side = 2 ** z;
  const x = ((lon + 180) / 360) * side;
  const y = ((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * side;
  const path = `//tms/demo/m/?x=${Math.floor(x)}&y=${side - 1 - Math.floor(y)}&z=${z}&layers=${layer}`;
  const { bytes, status } = await server.request('GET', path);
  assert.equal(status, 200);
  const at = { left: Math.floor((x % 1) * 256), top: Math.floor((y % 1) * 256), width: 1, height: 1 };
  const [r, g, b, a] = await sharp(bytes).ensureAlpha().extract(at).raw().toBuffer();
  return a === 0 ? background : `#${[r, g, b].map((one) => one!.toString(16).padStart(2, '0')).join('')}`;
}

const rulesAt = async (i: number, layer: number, z: number, more = ''): Promise<any[]> => {
  const path = `/m/identify/?lon=${west(i) + 2}&lat=2&z=${z}&tolerance=1&layers=${layer}&rules=1${more}`;
  const { json, status, text } = await server.request('GET', path);
  assert.equal(status, 200, text);
  return json;
};

const styles: Record<string, string> = {
  numbers: `#numbers { polygon-fill: #010203; }
#numbers [n > 5] { polygon-fill: #111111; }
#numbers [n >= 6][n < 12] { polygon-fill: #222222; }
#numbers [n = 100], #numbers [n = -3] { polygon-fill: #333333; }`,
  texts: `#texts [s = 'lake'] { polygon-fill: #111111; }
#texts [s =~ 'l.*s?'] { polygon-fill: #222222; }
#texts [s = ''] { polygon-fill: #333333; }
#texts [s = "it's"] { polygon-fill: #444444; }
#texts [s = 'ж{'] { polygon-fill: #555555; }
#texts [s = null] { polygon-fill: #666666; }`,
  nested: `@strong: #abcdef;
#nested {
  polygon-fill: #010101;
  [b = true] { polygon-fill: #020202; }
  [n != 6] {
    polygon-fill: #030303;
    [zoom >= 4] { polygon-fill: #040404; }
    [s = 'river'] { polygon-fill: @strong; }
  }
}`,
  sums: `#sums { polygon-fill: #010101; }
#sums [n + 1 > 6] { polygon-fill: #020202; }
#sums ['mapnik::geometry_type' = polygon][n % 2 = 1] { polygon-fill: #030303; }`,
};

for (const [code, style] of Object.entries(styles))
  test(`the rule that is told drew the colour that is there: ${code}`, async () => {
    const path = await layerOf(code, style);
    const { id } = await server.admin('GET', path);
    const lines = style.split('\n');
    for (const z of [3, 4])
      for (const i of values.keys()) {
        const colour = await colourAt(i, id, z);
        const [object, ...others] = await rulesAt(i, id, z);
        const what = `${JSON.stringify(values[i])} at zoom level ${z}`;
        assert.equal(others.length, 0);
        if (colour === background) {
          assert.equal(object, undefined, what);
          continue;
        }
        const { rules } = object.drawn_by;
        assert.equal(rules.length, 1, what);
        const [block] = rules[0].blocks.filter((one: any) => one.properties.includes('polygon-fill'));
        const written = /polygon-fill: (@\w+|#\w+)/.exec(lines.slice(block.line - 1).join('\n'))![1]!;
        assert.equal(written.replace('@strong', '#abcdef'), colour, `${what}: ${JSON.stringify(block)}`);
        assert.deepEqual(rules[0].symbolizers, ['polygon']);
      }
  });

test('a rule is told with its selectors, its place and the properties that count', async () => {
  const style = `#many { polygon-fill: #111; line-width: 1;\n  [n > 5] { line-color: #222; polygon-opacity: 0.5; }\n}\n#many::above [n > 5] { line-width: 3; }`;
  const { id } = await server.admin('GET', await layerOf('many', style));
  const [{ drawn_by }] = await rulesAt(8, id, 3);
  assert.deepEqual(drawn_by, {
    rules: [
      {
        attachment: '',
        symbolizers: ['polygon', 'line'],
        blocks: [
          { selector: '#many', line: 1, column: 1, properties: ['polygon-fill', 'line-width'] },
          { selector: '#many [n > 5]', line: 2, column: 3, properties: ['line-color', 'polygon-opacity'] },
        ],
      },
      {
        attachment: 'above',
        symbolizers: ['line'],
        blocks: [{ selector: '#many::above [n > 5]', line: 4, column: 1, properties: ['line-width'] }],
      },
    ],
  });
  const path = `/m/identify/?lon=${west(8) + 2}&lat=2&z=3&layers=${id}`;
  assert.equal(
    'drawn_by' in (await server.request('GET', path)).json[0],
    false,
    'only where it is asked for',
  );
});

/** How different two colours are. */
const apart = (a: string, b: string): number =>
  [1, 3, 5].reduce(
    (sum, at) =>
      sum + Math.abs(Number.parseInt(a.slice(at, at + 2), 16) - Number.parseInt(b.slice(at, at + 2), 16)),
    0,
  );

test('of a visualization the class of the object is told', async () => {
  const path = await layerOf('classes', '#classes { polygon-fill: #111; }');
  const columns = await server.admin('GET', `${path}structure/`);
  const column = columns.find(({ code }: { code: string }) => code === 'n').id;
  await server.admin('PATCH', path, { visualSettings: { type: 1, column } });
  const { id } = await server.admin('GET', path);
  const { classificators } = await server.admin('GET', `${path}legend/`);
  for (const [i, { n }] of values.entries()) {
    const [object] = await rulesAt(i, id, 3);
    if (n === undefined) {
      assert.ok(object === undefined || object.drawn_by.class === 0);
      continue;
    }
    const own = classificators.filter((one: any) => one.value !== null)[object.drawn_by.class - 1];
    assert.ok((n as number) >= own.from || object.drawn_by.class === 1, `${n}`);
    const drawn = await colourAt(i, id, 3);
    const nearest = classificators
      .filter((one: any) => one.value !== null)
      .toSorted((a: any, b: any) => apart(a.fill, drawn) - apart(b.fill, drawn))[0];
    assert.equal(nearest.fill, own.fill);
  }
});
