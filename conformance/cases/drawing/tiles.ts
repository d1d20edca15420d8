import type { Client } from '../../client.js';
import { pixelAt, readPng } from '../../formats/png.js';
import { equal, rule, status } from '../../rules.js';
import { png, point, raw, sameBytes as same, shared, square, tile } from '../support.js';

const style = '#a { polygon-fill: #ff0000; }';
const polygons = { css_style: style };
/** Creates a map with a polygon in the north-east quarter of the world. Returns its path. */
export async function painted(c: Client): Promise<string> {
  const map = await c.map();
  await c.make(`${map}layers/`, { code: 'a', ...polygons });
  await c.make(`${map}layers/a/structure/`, { code: 'title', type: 'string' });
  await c.make(`${map}layers/a/objects/`, { fields: { title: 'x' }, geom: square(10, 10, 60) });
  return map;
}
const reading = shared(painted);

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
rule('Tiles', 'decided: identify/ finds what is drawn at the zoom level, the topmost first', async (c) => {
  const map = await painted(c);
  const style = '#b [zoom >= 4] { marker-width: 10; marker-allow-overlap: true; }';
  await c.make(`${map}layers/`, { code: 'b', css_style: style });
  await c.make(`${map}layers/b/objects/`, { fields: {}, geom: point(30, 30) });
  const listed = (await c.send('GET', `${map}layers/`)).json as { id: number; code: string }[];
  const ids = ['a', 'b'].map((code) => listed.find((one) => one.code === code)?.id).join(',');
  const found = async (z: number) =>
    (await c.send('GET', `${map}identify/?lon=30&lat=30&z=${z}&layers=${ids}`, undefined, '')).json.map(
      ({ layer }: { layer: string }) => layer,
    );
  equal([await found(3), await found(4)], [['a'], ['b', 'a']], 'layers');
});
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

rule('Icons', '404 when the layer does not exist', async (c) =>
  status(await raw(c, `${await c.map()}layers/none/icon/`), 404),
);
rule('Icons', 'reflects geometry type, colour and size', async (c) => {
  const map = await painted(c);
  const red = pixelAt(readPng((await raw(c, `${map}layers/a/icon/?size=64`)).bytes), 32, 32);
  equal(red, [255, 0, 0, 255], 'the middle of a red polygon');
  await c.make(`${map}layers/`, { code: 'b', css_style: '#b { marker-width: 10; marker-fill: #0000ff; }' });
  await c.make(`${map}layers/b/objects/`, { fields: {}, geom: point(1, 1) });
  const small = readPng((await raw(c, `${map}layers/b/icon/?size=64`)).bytes);
  await c.send('PATCH', `${map}layers/b/`, { css_style: '#b { marker-width: 30; marker-fill: #0000ff; }' });
  const large = readPng((await raw(c, `${map}layers/b/icon/?size=64`)).bytes);
  equal(
    [pixelAt(small, 32, 32), pixelAt(large, 32, 32)],
    [
      [0, 0, 255, 255],
      [0, 0, 255, 255],
    ],
    'the middle of points',
  );
  equal([pixelAt(small, 42, 32)[3], pixelAt(large, 42, 32)[3]], [0, 255], 'ten pixels beside it: opacity');
});

for (const missing of ['x', 'y', 'z'])
  rule(
    'Tiles',
    `${missing} is required`,
    reading(async (c, map) => {
      const query = ['x', 'y', 'z'].filter((name) => name !== missing).map((name) => `${name}=0`);
      equal((await tile(c, map, query.join('&'))).status >= 400, true, 'refused');
    }),
  );
rule('Tiles', '404 when the map does not exist', async (c) =>
  status(await tile(c, '/no_such_map/', 'z=0&x=0&y=0'), 404),
);
rule('Tiles', '500 when the project does not exist', async (c) =>
  status(await raw(c, '//tms/no_such_project/some_map/?z=0&x=0&y=0', { token: '' }), 500),
);
rule('Tiles', '403 when the map is not published and the caller is not authorized', async (c) => {
  const map = await painted(c);
  await c.send('PATCH', map, { publish: false });
  const path = `//tms/${c.target.project}${map}?z=0&x=0&y=0`;
  status(await raw(c, path, { token: '' }), 403);
  equal((await raw(c, path)).status, 200, 'with a token');
});
rule(
  'Tiles',
  'decided: an empty tile is a valid transparent PNG',
  reading(async (c, map) => {
    const { width, pixels } = readPng((await tile(c, map, 'z=5&x=1&y=1&base=0')).bytes);
    equal([width, pixels.some((value) => value > 0)], [256, false], 'width, any colour');
  }),
);
for (const q of [0, 1])
  rule(
    'Tiles',
    `q=${q} shows the colours of the style`,
    reading(async (c, map) => {
      const picture = readPng((await tile(c, map, `z=1&x=1&y=1&base=0&q=${q}`)).bytes);
      equal(
        [pixelAt(picture, 50, 180), pixelAt(picture, 3, 252)[3]],
        [[255, 0, 0, 255], 0],
        'inside, outside',
      );
    }),
  );
rule(
  'Tiles',
  'retina=2 shows the same at twice the size',
  reading(async (c, map) => {
    const picture = readPng((await tile(c, map, 'z=1&x=1&y=1&base=0&retina=2')).bytes);
    equal(
      [pixelAt(picture, 100, 360), pixelAt(picture, 6, 504)[3]],
      [[255, 0, 0, 255], 0],
      'inside, outside',
    );
  }),
);
rule('Tiles', 'base=1 paints the colour of the background', async (c) => {
  const map = await painted(c);
  await c.send('PATCH', map, { css_style: 'Map { background-color: #00ff00; }' });
  const colors = ['', '&base=1', '&base=0'].map(async (base) =>
    pixelAt(readPng((await tile(c, map, `z=1&x=0&y=0${base}`)).bytes), 100, 100),
  );
  equal(
    await Promise.all(colors),
    [
      [0, 255, 0, 255],
      [0, 255, 0, 255],
      [0, 0, 0, 0],
    ],
    'colours',
  );
});
rule('Tiles', 'decided: the picture of a marker agrees across the border of tiles', async (c) => {
  const map = await c.map();
  const css_style = '#a { marker-width: 40; marker-fill: #ff0000; marker-line-width: 0; }';
  await c.make(`${map}layers/`, { code: 'a', css_style });
  await c.make(`${map}layers/a/objects/`, { fields: {}, geom: point(0, 0) });
  const opaque = async (x: number, y: number, at: [number, number]) =>
    pixelAt(readPng((await tile(c, map, `z=1&x=${x}&y=${y}&base=0`)).bytes), ...at)[3];
  const around = [
    await opaque(0, 1, [250, 250]),
    await opaque(1, 1, [5, 250]),
    await opaque(0, 0, [250, 5]),
    await opaque(1, 0, [5, 5]),
  ];
  equal(around, [255, 255, 255, 255], 'opacity beside the point in the four tiles');
});
