import type { Client } from '../../client.js';
import { equal, has, rule, status } from '../../rules.js';
import { type Body, holds, refuses } from './names.js';

const folderKeys =
  'id type code name sort icon selected parent_id render_type map_layer_id style_mode tiles_quality json view_format_type';

for (const key of folderKeys.split(' '))
  rule('Folders', `folder object / ${key}`, async (c) =>
    has(await c.make(`${await c.map()}folders/`, {}), key),
  );
rule('Folders', 'folder object / type is folder, map_layer_id the same as id', async (c) => {
  const folder = await c.make(`${await c.map()}folders/`, {});
  holds(folder, { type: 'folder', map_layer_id: folder.id });
});
rule('Folders', 'POST folders/ / each gets a unique code when code is absent', async (c) => {
  const map = await c.map();
  const codes = [await c.make(`${map}folders/`, {}), await c.make(`${map}folders/`, {})].map(
    ({ code }) => code,
  );
  equal([codes[0].length > 0, codes[0] === codes[1]], [true, false], 'a code, the same code');
});
rule('Folders', 'POST folders/ / parent_id is the map in the path when absent', async (c) => {
  const map = await c.map();
  const { id } = (await c.send('GET', map)).json;
  holds(await c.make(`${map}folders/`, {}), { parent_id: id });
});
rule('Folders', 'POST folders/ / parent_id of a folder of the map', async (c) => {
  const map = await c.map();
  const { id } = await c.make(`${map}folders/`, {});
  holds(await c.make(`${map}folders/`, { parent_id: id }), { parent_id: id });
});
rule('Folders', 'POST folders/ / a localized name in the language of lng', async (c) => {
  const map = await c.map();
  await c.make(`${map}folders/`, { code: 'f', localized_name: true, name: { en: 'Roads', ru: 'Дороги' } });
  const shown = (await c.send('GET', `${map}folders/f/?lng=ru`)).json.name;
  equal(typeof shown === 'string' ? shown : shown.ru, 'Дороги', 'name');
});
rule('Folders', 'POST folders/ / sort is last within the parent when absent', async (c) => {
  equal(
    await order(c, [{ code: 'a' }, { code: 'b' }, { code: 'c' }]),
    ['a 1', 'b 2', 'c 3'],
    'order and sorts',
  );
});
rule('Folders', 'POST folders/ / siblings are re-sorted to integers when sort is given', async (c) => {
  const rows = [{ code: 'a' }, { code: 'b' }, { code: 'c', sort: 1.5 }];
  equal(await order(c, rows), ['a 1', 'c 2', 'b 3'], 'order and sorts');
});
for (const method of ['PUT', 'PATCH'])
  for (const [key, value] of Object.entries({ code: 'g', name: 'Two', sort: 2, json: { open: true } }))
    rule('Folders', `${method} folders/<folder>/ / changes ${key}`, async (c) => {
      const map = await c.map();
      const { parent_id } = await c.make(`${map}folders/`, { code: 'f' });
      await c.make(`${map}folders/`, { code: 'other' });
      holds((await c.send(method, `${map}folders/f/`, { parent_id, [key]: value })).json, { [key]: value });
    });
rule('Folders', 'PATCH folders/<folder>/ / sort re-sorts the siblings', async (c) => {
  const map = await c.map();
  const [a] = [await c.make(`${map}folders/`, { code: 'a' }), await c.make(`${map}folders/`, { code: 'b' })];
  await c.send('PATCH', `${map}folders/a/`, { parent_id: a.parent_id, sort: 2.5 });
  equal(await sorts(c, map), ['b 1', 'a 2'], 'order and sorts');
});
const fixed: [key: string, value: unknown][] = [
  ['id', 4],
  ['type', 'layer'],
  ['map_layer_id', 4],
  ['style_mode', 4],
  ['tiles_quality', 1],
  ['view_format_type', 2],
  ['render_type', 1],
  ['icon', 'icons/x.png'],
];
for (const [key, value] of fixed)
  rule('Folders', `PATCH folders/<folder>/ / ${key} cannot be changed`, async (c) => {
    const map = await c.map();
    const made = await c.make(`${map}folders/`, { code: 'f' });
    await c.send('PATCH', `${map}folders/f/`, { parent_id: made.parent_id, [key]: value });
    holds((await c.send('GET', `${map}folders/f/`)).json, { [key]: made[key] });
  });
rule('Folders', 'decided: DELETE folders/<folder>/ deletes what it contains', async (c) => {
  const map = await c.map();
  const { id } = await c.make(`${map}folders/`, { code: 'f' });
  await c.make(`${map}layers/`, { code: 'inside', parent_id: id });
  equal((await c.send('DELETE', `${map}folders/f/`)).json, true, 'answer');
  status(await c.send('GET', `${map}layers/inside/`), 404);
});

for (const [method, path, body] of [
  ['POST', '', {}],
  ['GET', 'f/', undefined],
  ['PUT', 'f/', {}],
  ['PATCH', 'f/', {}],
  ['DELETE', 'f/', undefined],
] as const) {
  refuses('Folders', [
    [
      `${method} folders/${path} / 401 without a token`,
      401,
      async (c) => c.send(method, `${await withFolder(c)}folders/${path}`, body, ''),
    ],
    [
      `${method} folders/${path} / 404 when the map does not exist`,
      404,
      (c) => c.send(method, `/no_such_map/folders/${path}`, body),
    ],
  ]);
  if (path)
    refuses('Folders', [
      [
        `${method} folders/<folder>/ / 404 when the folder does not exist`,
        404,
        async (c) => {
          const map = await c.map();
          const { id } = (await c.send('GET', map)).json;
          return c.send(method, `${map}folders/none/`, body && { parent_id: id });
        },
      ],
    ]);
}
for (const method of ['PUT', 'PATCH'] as const)
  refuses('Folders', [
    [
      `${method} folders/<folder>/ / 404 when parent_id is missing`,
      404,
      async (c) => c.send(method, `${await withFolder(c)}folders/f/`, { name: 'x' }),
    ],
    [
      `${method} folders/<folder>/ / 404 when parent_id does not exist`,
      404,
      async (c) => c.send(method, `${await withFolder(c)}folders/f/`, { parent_id: 2_000_000_000 }),
    ],
    [
      `${method} folders/<folder>/ / 404 when parent_id belongs to another map`,
      404,
      async (c) => {
        const { id } = (await c.send('GET', await c.map())).json;
        return c.send(method, `${await withFolder(c)}folders/f/`, { parent_id: id });
      },
    ],
  ]);
rule('Folders', 'decided: tiles_quality is 0 or 1, view_format_type 0, 1 or 2', async (c) => {
  const { tiles_quality, view_format_type } = await c.make(`${await c.map()}folders/`, {});
  equal([[0, 1].includes(tiles_quality), [0, 1, 2].includes(view_format_type)], [true, true], 'in range');
});
for (const [method, body] of [
  ['GET', undefined],
  ['PUT', {}],
  ['PATCH', {}],
  ['DELETE', undefined],
] as const)
  refuses('Folders', [
    [
      `${method} folders/<folder>/ / 404 when its container does not exist any more`,
      404,
      async (c) => {
        const map = await c.map();
        const { id: parent_id } = await c.make(`${map}folders/`, { code: 'outer' });
        await c.make(`${map}folders/`, { code: 'f', parent_id });
        await c.send('DELETE', `${map}folders/outer/`);
        return await c.send(method, `${map}folders/f/`, body && { parent_id });
      },
    ],
    [
      `${method} folders/<folder>/ / 404 when its container belongs to another map`,
      404,
      async (c) => {
        const [own, other] = [await withFolder(c), await c.map()];
        const { parent_id } = (await c.send('GET', `${own}folders/f/`)).json;
        return await c.send(method, `${other}folders/f/`, body && { parent_id });
      },
    ],
    [
      `${method} folders/<folder>/ / 404 for a layer`,
      404,
      async (c) => {
        const map = await c.map();
        const { parent_id } = await c.make(`${map}layers/`, { code: 'f' });
        return await c.send(method, `${map}folders/f/`, body && { parent_id });
      },
    ],
  ]);
refuses('Folders', [
  [
    'POST folders/ / 404 when parent_id does not exist',
    404,
    async (c) => c.send('POST', `${await c.map()}folders/`, { parent_id: 2_000_000_000 }),
  ],
  [
    'POST folders/ / 404 when parent_id is a layer',
    404,
    async (c) => {
      const map = await c.map();
      const { id } = await c.make(`${map}layers/`, {});
      return c.send('POST', `${map}folders/`, { parent_id: id });
    },
  ],
  [
    'decided: a taken code is 500, also one of a layer',
    500,
    async (c) => {
      const map = await c.map();
      await c.make(`${map}layers/`, { code: 'f' });
      return c.send('POST', `${map}folders/`, { code: 'f' });
    },
  ],
  [
    'decided: a code with a blank is refused',
    500,
    async (c) => c.send('POST', `${await c.map()}folders/`, { code: 'a b' }),
  ],
  [
    'decided: a wrong kind of name is 400',
    400,
    async (c) => c.send('POST', `${await c.map()}folders/`, { name: 1 }),
  ],
]);

async function withFolder(c: Client): Promise<string> {
  const map = await c.map();
  await c.make(`${map}folders/`, { code: 'f' });
  return map;
}

/** Creates folders one after the other. Returns `code sort` of each in the tree. */
rule(
  'Folders',
  'move/ / decided: a folder or layer gets another place, and the answer is the full tree',
  async (c) => {
    const map = await c.map();
    const { id: a, parent_id: top } = await c.make(`${map}folders/`, { code: 'a' });
    const { id: b } = await c.make(`${map}folders/`, { code: 'b' });
    const layer = await c.make(`${map}layers/`, { code: 'x' });
    const inside = await c.send('POST', `${map}move/`, { id: layer.id, parent_id: b });
    status(inside, 200);
    equal(inside.json.find(({ code }: Body) => code === 'x').parent_id, b, 'the parent of the layer');
    await c.send('POST', `${map}move/`, { id: b, parent_id: top, sort: 0.5 });
    equal(
      (await sorts(c, map)).filter((item) => !item.startsWith('x')),
      ['b 1', 'a 2'],
      'order and sorts',
    );
    await c.send('POST', `${map}move/`, { id: a, parent_id: b });
    status(await c.send('POST', `${map}move/`, { id: b, parent_id: a }), 400);
  },
);

async function order(c: Client, rows: readonly Body[]): Promise<string[]> {
  const map = await c.map();
  for (const row of rows) await c.make(`${map}folders/`, row);
  return sorts(c, map);
}

async function sorts(c: Client, map: string): Promise<string[]> {
  const tree = (await c.send('GET', `${map}layers/?type=full`)).json as Body[];
  return tree.map(({ code, sort }) => `${code} ${sort}`);
}
