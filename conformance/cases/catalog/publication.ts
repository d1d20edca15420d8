import type { Client } from '../../client.js';
import { equal, rule } from '../../rules.js';
import { type Body, holds, refuses } from './names.js';

const item = (layer: number, more: Body = {}): Body => ({
  id: 1,
  parent_id: 0,
  map_layer_id: layer,
  ...more,
});

for (const [name, more, expected] of [
  ['selected is true when absent', {}, { selected: true }],
  ['selected false', { selected: false }, { selected: false }],
  ['id and parent_id are those of the item', { id: 77 }, { id: 77, parent_id: 0 }],
  ['icon', { icon: 'icons/well.png' }, { icon: 'icons/well.png' }],
] as const)
  rule('Maps', `POST publish/ / ${name}`, async (c) => {
    const { map, layer } = await site(c);
    holds((await c.send('POST', `${map}publish/`, [item(layer, more)])).json?.[0], expected);
  });
rule('Maps', 'POST publish/ / the same as GET layers/ with default parameters', async (c) => {
  const { map, layer } = await site(c);
  const saved = (await c.send('POST', `${map}publish/`, [item(layer)])).json;
  equal((await c.send('GET', `${map}layers/`)).json, saved, 'tree');
  equal((await c.send('GET', `${map}layers/?type=publish`)).json, saved, 'type=publish');
});
rule('Maps', 'GET layers/?type=full / includes unpublished layers', async (c) => {
  const { map } = await site(c);
  equal((await c.send('POST', `${map}publish/`, [])).json, [], 'empty tree');
  equal((await c.send('GET', `${map}layers/?type=full`)).json.length, 2, 'layers and folders');
});
rule('Maps', 'POST publish/ / children of a folder, in the order of sort', async (c) => {
  const { map, layer, folder } = await site(c);
  const rows = [
    item(layer, { id: 3, parent_id: 5, sort: 2, selected: false }),
    item(layer, { id: 4, parent_id: 5, sort: 1 }),
    item(folder, { id: 5 }),
  ];
  const tree = (await c.send('POST', `${map}publish/`, rows)).json as Body[];
  const shown = tree.map(({ id, parent_id, type }) => [id, parent_id, type]);
  equal(
    shown,
    [
      [5, 0, 'folder'],
      [4, 5, 'layer'],
      [3, 5, 'layer'],
    ],
    'tree',
  );
});
refuses('Maps', [
  [
    'POST publish/ / 401 without a token',
    401,
    async (c) => c.send('POST', `${await c.map()}publish/`, [], ''),
  ],
  [
    'POST publish/ / 404 when the map does not exist',
    404,
    (c) => c.send('POST', '/no_such_map/publish/', []),
  ],
]);
const wrong: [name: string, rows: (layer: number) => unknown][] = [
  ['an unknown map_layer_id', () => [item(2_000_000_000)]],
  ['a repeated id', (layer) => [item(layer), item(layer)]],
  ['an unknown parent_id', (layer) => [item(layer, { parent_id: 9 })]],
  ['a cycle', (layer) => [item(layer, { parent_id: 2 }), item(layer, { id: 2, parent_id: 1 })]],
  ['its own parent', (layer) => [item(layer, { parent_id: 1 })]],
  ['a wrong kind of selected', (layer) => [item(layer, { selected: 'perhaps' })]],
  ['no array', (layer) => item(layer)],
];
for (const [name, rows] of wrong)
  rule('Maps', `decided: POST publish/ with ${name} is 400, the old tree stays`, async (c) => {
    const { map, layer } = await site(c);
    const before = (await c.send('POST', `${map}publish/`, [item(layer, { id: 7 })])).json;
    equal((await c.send('POST', `${map}publish/`, rows(layer))).status, 400, 'status');
    equal((await c.send('GET', `${map}layers/`)).json, before, 'tree');
  });
for (const key of ['id', 'parent_id', 'map_layer_id'])
  rule('Maps', `POST publish/ / ${key} is required`, async (c) => {
    const { map, layer } = await site(c);
    const { [key]: _, ...rest } = item(layer);
    equal((await c.send('POST', `${map}publish/`, [rest])).status >= 400, true, 'refused');
  });

/** Creates a map with a layer and a folder. Returns its path and their ids. */
async function site(c: Client): Promise<{ map: string; layer: number; folder: number }> {
  const map = await c.map();
  const layer = (await c.make(`${map}layers/`, { code: 'a' })).id;
  return { map, layer, folder: (await c.make(`${map}folders/`, { code: 'f' })).id };
}
