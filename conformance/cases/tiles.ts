import type { Client } from '../client.js';
import { equal, rule, status } from '../rules.js';
import { form, png, point, type Raw, raw, shared, square } from './support.js';

const style = '#a { polygon-fill: #ff0000; }';
const polygons = { css_style: style };
/** A map with a polygon in the north-east quarter of the world: its path. */
async function painted(c: Client): Promise<string> {
  const map = await c.map();
  await c.make(`${map}layers/`, { code: 'a', ...polygons });
  await c.make(`${map}layers/a/structure/`, { code: 'title', type: 'string' });
  await c.make(`${map}layers/a/objects/`, { fields: { title: 'x' }, geom: square(10, 10, 60) });
  return map;
}
const reading = shared(painted);
const tile = async (c: Client, map: string, query: string, headers = {}): Promise<Raw> =>
  await raw(c, `//tms/${c.target.project}${map}?${query}`, { headers });
const same = (one: Raw, other: Raw) => one.bytes.equals(other.bytes);

const shapes: [query: string, size: number, isPalette: boolean][] = [
  ['z=0&x=0&y=0', 256, false],
  ['z=0&x=0&y=0&retina=1', 256, false],
  ['z=0&x=0&y=0&retina=2', 512, false],
  ['z=0&x=0&y=0&q=0', 256, false],
  ['z=0&x=0&y=0&q=1', 256, true],
  ['z=5&x=1&y=1&base=0', 256, false],
];
for (const [query, size, isPalette] of shapes)
  rule(
    'Tiles',
    `${query} is a PNG of ${size} pixels${isPalette ? ' with a palette' : ''}`,
    reading(async (c, map) => {
      const answer = await tile(c, map, query);
      const { width, height, color } = png(answer.bytes);
      equal([width, height, color === 3, answer.type], [size, size, isPalette, 'image/png'], 'form');
    }),
  );
rule(
  'Tiles',
  'decided: y counts rows from the south',
  reading(async (c, map) => {
    const [north, south] = [
      await tile(c, map, 'z=1&x=1&y=1&base=0'),
      await tile(c, map, 'z=1&x=1&y=0&base=0'),
    ];
    const empty = await tile(c, map, 'z=1&x=0&y=0&base=0');
    equal([same(north, empty), same(south, empty)], [false, true], 'north and south like an empty tile');
  }),
);
for (const query of [
  'z=25&x=0&y=0',
  'z=1&x=2&y=0',
  'z=1&x=0&y=2',
  'z=1&x=-1&y=0',
  'z=x&x=0&y=0',
  'z=0&x=0&y=0&q=2',
])
  rule(
    'Tiles',
    `decided: ${query} is 400`,
    reading(async (c, map) => status(await tile(c, map, query), 400)),
  );
rule(
  'Tiles',
  'decided: ETag and 304',
  reading(async (c, map) => {
    const etag = (await tile(c, map, 'z=0&x=0&y=0')).headers.get('etag') ?? '';
    equal(etag.length > 0, true, 'ETag');
    equal((await tile(c, map, 'z=0&x=0&y=0', { 'if-none-match': etag })).status, 304, 'status');
  }),
);
rule('Tiles', 'base=1 is the default and paints the background of the map, base=0 does not', async (c) => {
  const map = await painted(c);
  await c.send('PATCH', map, { css_style: 'Map { background-color: #00ff00; }' });
  const [none, one, zero] = [
    await tile(c, map, 'z=0&x=0&y=0'),
    await tile(c, map, 'z=0&x=0&y=0&base=1'),
    await tile(c, map, 'z=0&x=0&y=0&base=0'),
  ];
  equal([same(none, one), same(one, zero)], [true, false], 'default like 1, 1 like 0');
});
rule('Tiles', 'layers by their ids, decided: in drawing order', async (c) => {
  const map = await painted(c);
  const { id } = (await c.send('GET', `${map}layers/a/`)).json;
  const other = await c.make(`${map}layers/`, { code: 'b', css_style: '#b { polygon-fill: #0000ff; }' });
  await c.make(`${map}layers/b/objects/`, { fields: {}, geom: square(10, 10, 60) });
  const of = async (layers: string) => await tile(c, map, `z=4&x=9&y=9&layers=${layers}`);
  const [red, blue, blueOnTop] = [await of(`${id}`), await of(`${other.id}`), await of(`${id},${other.id}`)];
  equal(
    [same(red, blue), same(blue, blueOnTop), same(red, await of(`${other.id},${id}`))],
    [false, true, true],
    'pictures',
  );
});
rule('Tiles', 'decided: layers by the ids of publication items; absent = the selected ones', async (c) => {
  const map = await painted(c);
  const { id } = (await c.send('GET', `${map}layers/a/`)).json;
  const full = await tile(c, map, 'z=0&x=0&y=0');
  await c.make(`${map}publish/`, [{ id: 7, parent_id: 0, map_layer_id: id, selected: false }]);
  const [unselected, item] = [await tile(c, map, 'z=0&x=0&y=0'), await tile(c, map, 'z=0&x=0&y=0&layers=7')];
  equal([same(full, unselected), same(full, item)], [false, true], 'pictures like the whole');
});
rule('Tiles', 'lng is the language of texts', async (c) => {
  const map = await c.map();
  const css_style =
    "#a { text-name: [word]; text-face-name: 'DejaVu Sans Book'; text-size: 20; text-fill: #000; }";
  await c.make(`${map}layers/`, { code: 'a' });
  await c.make(`${map}layers/a/structure/`, { code: 'word', type: 'string', localized_value: true });
  await c.send('PATCH', `${map}layers/a/`, { css_style });
  const { id } = await c.make(`${map}layers/a/objects/`, { fields: { word: 'one' }, geom: point(0, 0) });
  await c.send('PUT', `${map}layers/a/objects/${id}/?lng=fr`, { fields: { word: 'deux' } });
  const [main, french] = [await tile(c, map, 'z=0&x=0&y=0'), await tile(c, map, 'z=0&x=0&y=0&lng=fr')];
  equal(same(main, french), false, 'the same picture in two languages');
});

const geometry = square(-60, 10, 50);
const feature = { type: 'Feature', properties: {}, geometry };
const writes: [what: string, write: (c: Client, layer: string) => Promise<unknown>][] = [
  ['create object', (c, layer) => c.make(`${layer}objects/`, { fields: {}, geom: geometry })],
  ['update object', (c, layer) => c.send('PUT', `${layer}objects/1/`, { fields: {}, geom: geometry })],
  ['delete object', (c, layer) => c.send('DELETE', `${layer}objects/1/`)],
  ['delete several', (c, layer) => c.send('DELETE', `${layer}objects/`, { delete_params: '1-9' })],
  ['change geometry', (c, layer) => c.send('PUT', `${layer}objects/1/geom/`, geometry)],
  [
    'import',
    (c, layer) => c.make(`${layer}import/?action=1`, { type: 'FeatureCollection', features: [feature] }),
  ],
  [
    'import of a file',
    (c, layer) => raw(c, `${layer}import/`, { body: form(JSON.stringify(feature), 'a.geojson') }),
  ],
  ['change style', (c, layer) => c.send('PATCH', layer, { css_style: '#a { polygon-fill: #0000ff; }' })],
  ['delete layer', (c, layer) => c.send('DELETE', layer)],
];
for (const [what, write] of writes)
  rule('Tiles', `decided: never older than an acknowledged write: ${what}`, async (c) => {
    const map = await painted(c);
    const before = await tile(c, map, 'z=0&x=0&y=0');
    await write(c, `${map}layers/a/`);
    equal(same(before, await tile(c, map, 'z=0&x=0&y=0')), false, 'the same tile after the write');
  });

for (const [query, size] of [
  ['', 32],
  ['?size=8', 8],
  ['?size=64', 64],
  ['?size=512', 512],
] as const)
  rule(
    'Icons',
    `icon/${query} is ${size} by ${size}`,
    reading(async (c, map) => {
      const { width, height } = png((await raw(c, `${map}layers/a/icon/${query}`)).bytes);
      equal([width, height], [size, size], 'size');
    }),
  );
for (const size of ['7', '513', 'x'])
  rule(
    'Icons',
    `decided: icon/?size=${size} is 400`,
    reading(async (c, map) => status(await raw(c, `${map}layers/a/icon/?size=${size}`), 400)),
  );
rule('Icons', 'decided: drawn with the style of the layer', async (c) => {
  const map = await painted(c);
  const before = await raw(c, `${map}layers/a/icon/`);
  await c.send('PATCH', `${map}layers/a/`, { css_style: '#a { polygon-fill: #0000ff; }' });
  equal(same(before, await raw(c, `${map}layers/a/icon/`)), false, 'the same icon after the change');
});
