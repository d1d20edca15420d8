import type { Client } from '../../client.js';
import { equal, has, rule } from '../../rules.js';
import { type Body, holds, refuses } from './names.js';

const layerKeys =
  'id type code name sort parent_id selected map_layer_id icon css_style render_type style_mode meta render_settings json';
const itemKeys = 'id type code name sort parent_id selected map_layer_id icon render_type';
const style = '#a { marker-width: 5; }';

for (const key of layerKeys.split(' ').filter((name) => name !== 'meta'))
  rule('Layers', `get-layer response / ${key}`, async (c) =>
    has((await c.send('GET', await c.layer())).json, key),
  );
rule('Layers', 'get-layer response / type is layer, map_layer_id the same as id', async (c) => {
  const layer = (await c.send('GET', await c.layer())).json;
  holds(layer, { type: 'layer', map_layer_id: layer.id });
});
for (const [key, value] of Object.entries({
  code: 'b',
  name: 'Wells',
  type: 'layer',
  css_style: '#layer { marker-width: 5; }',
}))
  rule('Layers', `POST layers/ / ${key}`, async (c) =>
    holds(await c.make(`${await c.map()}layers/`, { [key]: value }), { [key]: value }),
  );
rule('Layers', 'POST layers/ / all absent: a code and a style are made, the parent is the map', async (c) => {
  const map = await c.map();
  const { id } = (await c.send('GET', map)).json;
  const { code, css_style, parent_id, name, type } = await c.make(`${map}layers/`, {});
  equal([code.length > 0, css_style.length > 0], [true, true], 'code, style');
  equal([parent_id, name, type], [id, '', 'layer'], 'parent_id, name, type');
});
rule('Layers', 'POST layers/ / siblings are re-sorted to integers when sort is given', async (c) => {
  const map = await c.map();
  for (const body of [{ code: 'a' }, { code: 'b' }, { code: 'c', sort: 1.5 }])
    await c.make(`${map}layers/`, body);
  const tree = (await c.send('GET', `${map}layers/?type=full`)).json as Body[];
  equal(
    tree.map(({ code, sort }) => `${code} ${sort}`),
    ['a 1', 'c 2', 'b 3'],
    'order and sorts',
  );
});
rule('Layers', 'POST layers/ / parent_id of a folder of the map', async (c) => {
  const map = await c.map();
  const { id } = await c.make(`${map}folders/`, {});
  holds(await c.make(`${map}layers/`, { parent_id: id }), { parent_id: id });
});
rule('Layers', 'POST layers/ / a localized name in the language of lng', async (c) => {
  const map = await c.map();
  await c.make(`${map}layers/`, { code: 'a', localized_name: true, name: { en: 'Roads', ru: 'Дороги' } });
  const name = async (lng: string) => (await c.send('GET', `${map}layers/a/?lng=${lng}`)).json.name;
  equal([await name('ru'), await name('en'), await name('fr')], ['Дороги', 'Roads', 'Roads'], 'names');
});
for (const method of ['PUT', 'PATCH']) {
  for (const [key, value] of Object.entries({
    code: 'b',
    name: 'Wells',
    css_style: style,
    meta: { name: 'Scene', cloudy: 3 },
    json: { open: true },
  }))
    rule('Layers', `${method} layers/<layer>/ / changes ${key}`, async (c) =>
      holds((await c.send(method, await c.layer(), { [key]: value })).json, { [key]: value }),
    );
  rule('Layers', `${method} layers/<layer>/ / an absent attribute keeps its value`, async (c) => {
    const layer = await c.layer();
    await c.send(method, layer, { name: 'Wells', json: { open: true } });
    holds((await c.send(method, layer, { css_style: style })).json, {
      code: 'a',
      name: 'Wells',
      json: { open: true },
    });
  });
  rule('Layers', `${method} layers/<layer>/ / parent_id moves the layer`, async (c) => {
    const layer = await c.layer();
    const { id } = await c.make(layer.replace('layers/a/', 'folders/'), {});
    holds((await c.send(method, layer, { parent_id: id })).json, { parent_id: id });
  });
  rule('Layers', `${method} layers/<layer>/ / sort re-sorts the siblings`, async (c) => {
    const layer = await c.layer();
    await c.make(layer.replace(/a\/$/, ''), { code: 'b' });
    holds((await c.send(method, layer, { sort: 2.5 })).json, { sort: 2 });
  });
}
rule('Layers', 'invalid CartoCSS / message or data names line and column', async (c) => {
  const { json } = await c.send('PATCH', await c.layer(), {
    css_style: '#a {\n  marker-width: 5;\n  ?: 1 }',
  });
  equal(/line\D*3/.test(JSON.stringify(json)), true, `line 3 in ${JSON.stringify(json)}`);
  equal(/column/.test(JSON.stringify(json)), true, 'column');
});

for (const key of itemKeys.split(' '))
  rule('Maps', `layer tree item / ${key}`, async (c) => has((await tree(c)).find(isLayer), key));
rule('Maps', 'GET layers/ / a folder is of type folder and holds its layers', async (c) => {
  const [folder, layer] = await tree(c, '?type=full');
  equal([folder?.type, layer?.type, layer?.parent_id], ['folder', 'layer', folder?.id], 'types, parent');
});
rule(
  'Maps',
  'decided: before a publication tree was saved it is the whole, every layer selected',
  async (c) => {
    const [folder, layer] = await tree(c);
    equal([folder?.parent_id, layer?.parent_id, layer?.selected], [0, folder?.id, true], 'parents, selected');
  },
);
for (const [query, key, present] of [
  ['', 'bbox', false],
  ['?returnBbox=0', 'bbox', false],
  ['?returnBbox=1', 'bbox', true],
  ['', 'css_style', false],
  ['?returnCss=0', 'css_style', false],
  ['?returnCss=1', 'css_style', true],
] as const)
  rule('Maps', `GET layers/${query} / ${present ? 'has' : 'has no'} ${key}`, async (c) =>
    equal(Object.hasOwn((await tree(c, query)).find(isLayer)!, key), present, `has ${key}`),
  );
const corners = {
  4326: { sw: [0, 0], ne: [20, 10] },
  3857: { sw: [0, 0], ne: [2273030.927, 1113194.908] },
};
for (const [sr, expected] of Object.entries(corners)) {
  rule('Maps', `GET layers/?returnBbox=1&bboxSR=${sr}`, async (c) =>
    near((await tree(c, `?returnBbox=1&bboxSR=${sr}`)).find(isLayer)!.bbox, expected),
  );
  rule('Layers', `GET layers/<layer>/bbox/?bboxSR=${sr}`, async (c) =>
    near((await c.send('GET', `${await filled(c)}bbox/?bboxSR=${sr}`)).json, expected),
  );
}
rule('Layers', 'GET layers/<layer>/bbox/ / 4326 is the default', async (c) =>
  near((await c.send('GET', `${await filled(c)}bbox/`)).json, corners[4326]),
);
rule('Layers', 'GET layers/<layer>/?returnBbox=1', async (c) => {
  const layer = await filled(c);
  near((await c.send('GET', `${layer}?returnBbox=1`)).json.bbox, corners[4326]);
  equal((await c.send('GET', layer)).json.bbox, undefined, 'without the parameter');
});
rule('Layers', "decided: an empty layer's bbox is null", async (c) =>
  equal((await c.send('GET', `${await c.layer()}bbox/`)).json, null, 'bbox'),
);
for (const size of [8, 100])
  rule('Layers', `GET layers/<layer>/icon/?size=${size}`, async (c) => {
    const answer = await c.send('GET', `${await c.layer()}icon/?size=${size}`);
    equal([answer.status, answer.type.startsWith('image/')], [200, true], 'status, image');
  });

const layersOf = async (c: Client) => `${await c.map()}layers/`;
refuses('Layers', [
  ['POST layers/ / 401 without a token', 401, async (c) => c.send('POST', await layersOf(c), {}, '')],
  ['PATCH layers/<layer>/ / 401 without a token', 401, async (c) => c.send('PATCH', await c.layer(), {}, '')],
  [
    'DELETE layers/<layer>/ / 401 without a token',
    401,
    async (c) => c.send('DELETE', await c.layer(), undefined, ''),
  ],
  [
    'refresh / 401 without a token',
    401,
    async (c) => c.send('POST', `${await c.layer()}refresh/`, undefined, ''),
  ],
  [
    'POST layers/ / 404 when parent_id does not exist',
    404,
    async (c) => c.send('POST', await layersOf(c), { parent_id: 2_000_000_000 }),
  ],
  [
    'PUT layers/<layer>/ / 500 when css_style is not valid CartoCSS',
    500,
    async (c) => c.send('PUT', await c.layer(), { css_style: '#a { ' }),
  ],
  [
    'PATCH layers/<layer>/ / 500 when css_style is not valid CartoCSS',
    500,
    async (c) => c.send('PATCH', await c.layer(), { css_style: '#a { ' }),
  ],
  [
    'legend / 404 when the layer does not exist',
    404,
    async (c) => c.send('GET', `${await layersOf(c)}none/legend/`),
  ],
  [
    'bbox / 404 when the layer does not exist',
    404,
    async (c) => c.send('GET', `${await layersOf(c)}none/bbox/`),
  ],
  [
    'decided: a code that starts with a digit is refused',
    500,
    async (c) => c.send('POST', await layersOf(c), { code: '1a' }),
  ],
  [
    'decided: a taken code is 500',
    500,
    async (c) => c.send('POST', (await c.layer()).replace(/a\/$/, ''), { code: 'a' }),
  ],
  ['decided: icon size 7 is 400', 400, async (c) => c.send('GET', `${await c.layer()}icon/?size=7`)],
  ['decided: icon size 513 is 400', 400, async (c) => c.send('GET', `${await c.layer()}icon/?size=513`)],
  ['decided: an unknown bboxSR is 400', 400, async (c) => c.send('GET', `${await c.layer()}bbox/?bboxSR=1`)],
]);

const isLayer = (item: Body): boolean => item.type === 'layer';

/** Creates a layer with two points, 0 0 and 10 20. Returns its path. */
async function filled(c: Client): Promise<string> {
  const layer = await c.layer();
  for (const coordinates of [
    [0, 0],
    [10, 20],
  ])
    await c.make(`${layer}objects/`, { fields: {}, geom: { type: 'Point', coordinates } });
  return layer;
}

/** Returns the tree of a map with a folder that contains this layer. */
async function tree(c: Client, query = ''): Promise<Body[]> {
  const layer = await filled(c);
  const map = layer.replace('layers/a/', '');
  const { id } = await c.make(`${map}folders/`, { code: 'f' });
  await c.send('PATCH', layer, { parent_id: id });
  return (await c.send('GET', `${map}layers/${query}`)).json;
}

function near(actual: unknown, expected: { sw: number[]; ne: number[] }): void {
  const { sw, ne } = Object(actual);
  const off = [...(sw ?? []), ...(ne ?? [])].map((value, at) =>
    Math.abs(value - [...expected.sw, ...expected.ne][at]!),
  );
  equal(
    [off.length, off.every((value) => value < 0.01)],
    [4, true],
    `${JSON.stringify(actual)} is the extent`,
  );
}
