import type { Client } from '../../client.js';
import { equal, has, rule, status } from '../../rules.js';
import { refuses } from './names.js';

const constraintKeys = 'type name columns definition raw_definition validated';

rule('Layer structure', 'GET constraints/ / an array of objects with all keys', async (c) => {
  const answer = await c.send('GET', `${await c.layer()}constraints/`);
  status(answer, 200);
  equal(Array.isArray(answer.json), true, 'array');
  for (const constraint of answer.json) has(constraint, constraintKeys);
});
for (const path of ['dictionaries/', 'dictionaries/a/', 'dictionaries_f/', 'dictionaries_f/a/'])
  rule('Layer structure', `GET P/<map>/${path} / an array, empty where there is no link`, async (c) => {
    const map = (await c.layer()).replace('layers/a/', '');
    equal((await c.send('GET', `${map}${path}`)).json, [], 'links');
  });
for (const path of [
  'layers/a/constraints/',
  'dictionaries/',
  'dictionaries/a/',
  'dictionaries_f/',
  'dictionaries_f/a/',
])
  refuses('Layer structure', [
    [
      `GET P/<map>/${path} / 401 without a token`,
      401,
      async (c) => c.send('GET', `${(await c.layer()).replace('layers/a/', '')}${path}`, undefined, ''),
    ],
  ]);

rule('Layer structure', 'decided: a constraint refuses what violates it, on create and update', async (c) => {
  const layer = await c.layer();
  const [made] = await c.make(`${layer}constraints/`, {
    type: 'check',
    columns: ['title'],
    definition: ['a', 'b'],
  });
  has(made, constraintKeys);
  equal(
    [made.type, made.columns, made.definition, made.validated],
    ['check', ['title'], ['a', 'b'], true],
    'constraint',
  );
  const { id } = await c.make(`${layer}objects/`, { fields: { title: 'a' } });
  const refused = [
    await c.send('POST', `${layer}objects/`, { fields: { title: 'c' } }),
    await c.send('PUT', `${layer}objects/${id}/`, { fields: { title: 'c' } }),
  ];
  for (const answer of refused) {
    status(answer, 500);
    equal([answer.json.code, answer.json.data.columns], ['constraint_violated', ['title']], 'error');
  }
});
rule('Layer structure', 'GET constraints/ / administrator only: 403', async (c) => {
  const layer = await c.layer();
  status(await c.send('GET', `${layer}constraints/`, undefined, await c.user({ '/rights/': 'edit' })), 403);
});
const link = { column_code: 'title', dict_layer_code: 'b', dict_column_code: 'name' };
async function dictionary(c: Client): Promise<string> {
  const map = (await c.layer()).replace('layers/a/', '');
  await c.make(`${map}layers/`, { code: 'b' });
  await c.make(`${map}layers/b/structure/`, { code: 'name', type: 'string' });
  return map;
}
rule('Layer structure', 'dictionaries / every key of a strict link', async (c) => {
  const map = await dictionary(c);
  await c.make(`${map}dictionaries/a/`, link);
  for (const path of ['dictionaries/', 'dictionaries/a/']) {
    const [found] = (await c.send('GET', map + path)).json;
    has(
      found,
      'constraint_name map_code layer_code column_code dict_map_code dict_layer_code dict_column_code',
    );
  }
  status(await c.send('POST', `${map}layers/a/objects/`, { fields: { title: 'not there' } }), 500);
});
rule('Layer structure', 'dictionaries_f / every key of a non-strict link', async (c) => {
  const map = await dictionary(c);
  await c.make(`${map}dictionaries_f/a/`, link);
  for (const path of ['dictionaries_f/', 'dictionaries_f/a/']) {
    const [found] = (await c.send('GET', map + path)).json;
    has(found, 'id match_type multi_delimiter');
    equal(/^\d+_\d+_\d+$/.test(found.id), true, 'id of map, layer and column');
  }
  equal(
    (await c.send('POST', `${map}layers/a/objects/`, { fields: { title: 'not there' } })).status,
    200,
    'status',
  );
});

const kinds: [
  type: string,
  columns: string[],
  definition: unknown[] | undefined,
  good: object[],
  bad: object,
][] = [
  ['unique', ['title'], undefined, [{ title: 'a' }, { title: 'b' }, {}, {}], { title: 'a' }],
  [
    'unique',
    ['title', 'size'],
    undefined,
    [
      { title: 'a', size: 1 },
      { title: 'a', size: 2 },
    ],
    { title: 'a', size: 1 },
  ],
  ['range', ['size'], [1, 5], [{ size: 1 }, { size: 5 }, {}], { size: 5.1 }],
  ['range', ['size'], [null, 5], [{ size: -1e9 }], { size: 6 }],
  ['check', ['size'], [1, 2], [{ size: 1 }, { size: 2 }, {}], { size: 3 }],
];
for (const [type, columns, definition, good, bad] of kinds)
  rule(
    'Layer structure',
    `decided: a constraint ${type} of ${columns} ${JSON.stringify(definition ?? '')}`,
    async (c) => {
      const layer = await c.layer();
      await c.make(`${layer}constraints/`, { type, columns, definition });
      for (const fields of good) await c.make(`${layer}objects/`, { fields });
      const count = async () => (await c.send('GET', `${layer}count/?precise=true`)).json;
      const answers = [
        await c.send('POST', `${layer}objects/`, { fields: bad }),
        await c.send('POST', `${layer}import/`, {
          type: 'FeatureCollection',
          features: [{ type: 'Feature', properties: bad, geometry: null }],
        }),
      ];
      for (const answer of answers) status(answer, 500);
      equal(answers[0]!.json.code, 'constraint_violated', 'code');
      equal(await count(), good.length, 'objects');
    },
  );
rule('Layer structure', 'decided: DELETE constraints/ takes one away', async (c) => {
  const layer = await c.layer();
  const [{ name }] = await c.make(`${layer}constraints/`, {
    type: 'range',
    columns: ['size'],
    definition: [1, 5],
  });
  equal((await c.send('DELETE', `${layer}constraints/`, { name })).json, [], 'those that are left');
  equal((await c.send('POST', `${layer}objects/`, { fields: { size: 9 } })).status, 200, 'status');
});
rule('Layer structure', 'decided: DELETE dictionaries/ and dictionaries_f/ take a link away', async (c) => {
  const map = await dictionary(c);
  const [{ constraint_name }] = await c.make(`${map}dictionaries/a/`, link);
  equal((await c.send('DELETE', `${map}dictionaries/a/`, { constraint_name })).json, [], 'strict links');
  equal((await c.send('POST', `${map}layers/a/objects/`, { fields: { title: 'x' } })).status, 200, 'status');
  await c.make(`${map}dictionaries_f/a/`, link);
  const { column_code } = link;
  equal((await c.send('DELETE', `${map}dictionaries_f/a/`, { column_code })).json, [], 'non-strict links');
});
for (const match_type of ['equal', 'prefix', 'contains'])
  rule(
    'Layer structure',
    `decided: dictionaries_f / match_type ${match_type}, multi_delimiter`,
    async (c) => {
      const map = await dictionary(c);
      await c.make(`${map}dictionaries_f/a/`, { ...link, match_type, multi_delimiter: ';' });
      const [found] = (await c.send('GET', `${map}dictionaries_f/a/`)).json;
      equal([found.match_type, found.multi_delimiter], [match_type, ';'], 'link');
    },
  );
rule(
  'Layer structure',
  'decided: a constraint that objects violate is refused, but for validate=false',
  async (c) => {
    const layer = await c.layer();
    await c.make(`${layer}objects/`, { fields: { size: 9 } });
    const body = { type: 'range', columns: ['size'], definition: [1, 5] };
    status(await c.send('POST', `${layer}constraints/`, body), 500);
    equal((await c.send('GET', `${layer}constraints/`)).json, [], 'constraints');
    const [made] = await c.make(`${layer}constraints/`, { ...body, validate: false });
    equal(made.validated, false, 'validated');
  },
);
