import type { Client } from '../../client.js';
import { equal, has, rule, status } from '../../rules.js';
import { layerWith, raw, valuesOf } from '../support.js';
import { type Body, holds } from './names.js';

rule('Layer structure', 'GET structure / svc_id, geom and the user columns', async (c) => {
  const columns = (await c.send('GET', `${await c.layer()}structure/`)).json;
  for (const column of columns)
    has(column, 'id sort parent_id code name required type localized_name localized_value');
  const codes = columns.map((column: { code: string }) => column.code).sort();
  equal(codes, ['geom', 'size', 'svc_id', 'title'], 'codes');
});
for (const type of ['number', 'string', 'text', 'datetime', 'bool', 'file', 'title', 'json'])
  rule('Layer structure', `POST structure / type ${type}`, async (c) =>
    equal((await c.make(`${await c.layer()}structure/`, { code: 'x', type })).type, type, 'type'),
  );
rule('Layer structure', 'POST structure / 500 when type is absent', async (c) =>
  status(await c.send('POST', `${await c.layer()}structure/`, { code: 'x' }), 500),
);
rule('Layer structure', 'PATCH structure / 500 when type is absent', async (c) =>
  status(await c.send('PATCH', `${await c.layer()}structure/size/`, { name: 'x' }), 500),
);
rule('Layer structure', 'DELETE structure / null, then 404', async (c) => {
  const column = `${await c.layer()}structure/size/`;
  equal((await c.send('DELETE', column)).json, null, 'answer');
  status(await c.send('DELETE', column), 404);
});
rule('Limits', 'user column code / 44 characters pass', async (c) => {
  const code = 'x'.repeat(44);
  equal((await c.make(`${await c.layer()}structure/`, { code, type: 'string' })).code, code, 'code');
});
for (const [what, code] of [
  ['45 characters', 'x'.repeat(45)],
  ['a leading digit', '1x'],
  ['another character', 'x-y'],
])
  rule('Limits', `user column code / ${what} is refused`, async (c) => {
    const answer = await c.send('POST', `${await c.layer()}structure/`, { code, type: 'string' });
    equal(answer.status >= 400, true, `refused (${answer.status})`);
  });

for (const method of ['PUT', 'PATCH'])
  rule('Limits', `user column code / ${method} to one that is not allowed is refused`, async (c) => {
    const layer = await c.layer();
    for (const code of ['1x', 'x-y', 'x'.repeat(45), ''])
      equal(
        (await c.send(method, `${layer}structure/size/`, { type: 'number', code })).status >= 400,
        true,
        code,
      );
    const codes = (await c.send('GET', `${layer}structure/`)).json.map((column: Body) => column.code);
    equal(codes.includes('size'), true, 'the old code is there');
  });
for (const code of ['svc_id', 'geom'])
  rule('Layer structure', `every layer has ${code}: it cannot be deleted, nor made twice`, async (c) => {
    const layer = await c.layer();
    const refused = [
      await c.send('DELETE', `${layer}structure/${code}/`),
      await c.send('POST', `${layer}structure/`, { code, type: 'string' }),
    ];
    equal(
      refused.every((answer) => answer.status >= 400),
      true,
      'refused',
    );
    const codes = (await c.send('GET', `${layer}structure/`)).json.map((column: Body) => column.code);
    equal(codes.filter((one: string) => one === code).length, 1, 'columns of that code');
  });
rule('Layer structure', 'DELETE structure/<field>/ / objects have no value of it any more', async (c) => {
  const layer = await c.layer();
  const { id } = await c.make(`${layer}objects/`, { fields: { title: 'x', size: 1 } });
  await c.send('DELETE', `${layer}structure/size/`);
  equal((await c.send('GET', `${layer}objects/${id}/`)).json.fields, { title: 'x' }, 'fields');
});
rule('Layer structure', 'PATCH structure/<field>/ / code: objects keep their values', async (c) => {
  const layer = await c.layer();
  const { id } = await c.make(`${layer}objects/`, { fields: { title: 'x', size: 1 } });
  await c.send('PATCH', `${layer}structure/size/`, { type: 'number', code: 'weight' });
  equal((await c.send('GET', `${layer}objects/${id}/`)).json.fields, { title: 'x', weight: 1 }, 'fields');
});
for (const method of ['PUT', 'PATCH']) {
  rule('Layer structure', `${method} structure/<field>/ / parent_id puts it below a title`, async (c) => {
    const layer = await c.layer();
    const { id } = await c.make(`${layer}structure/`, { code: 'group', type: 'title' });
    const body = { type: 'number', parent_id: id };
    holds((await c.send(method, `${layer}structure/size/`, body)).json, { parent_id: id });
  });
  rule('Layer structure', `${method} structure/<field>/ / sort changes the order`, async (c) => {
    const layer = await c.layer();
    const order = async () =>
      (await c.send('GET', `${layer}structure/`)).json
        .filter(({ type }: Body) => type !== 'geom')
        .sort((a: { sort: number }, b: { sort: number }) => a.sort - b.sort)
        .map(({ code }: Body) => code);
    const last = (await order()).at(-1);
    equal(last, 'size', 'last before');
    const title = (await c.send('GET', `${layer}structure/`)).json.find(({ code }: Body) => code === 'title');
    await c.send(method, `${layer}structure/size/`, { type: 'number', sort: title.sort - 0.5 });
    equal((await order()).at(-1), 'title', 'last afterwards');
  });
  rule('Layer structure', `${method} structure/<field>/ / format`, async (c) => {
    const layer = await c.layer();
    const { id } = await c.make(`${layer}objects/`, { fields: { size: 2 } });
    await c.send(method, `${layer}structure/size/`, { type: 'number', format: { suffix: ' m' } });
    equal((await c.send('GET', `${layer}objects/${id}/?f=fjson`)).json.fields.size, '2 m', 'display string');
    await c.send(method, `${layer}structure/size/`, { type: 'number', name: 'Size' });
    equal(
      (await c.send('GET', `${layer}objects/${id}/?f=fjson`)).json.fields.size,
      '2 m',
      'kept when absent',
    );
  });
  rule('Layer structure', `${method} structure/<field>/ / 404 when the column does not exist`, async (c) =>
    status(await c.send(method, `${await c.layer()}structure/none/`, { type: 'number' }), 404),
  );
}
rule(
  'Layer structure',
  'localized_value / a value becomes that of the main language, and back',
  async (c) => {
    const layer = await c.layer();
    const { id } = await c.make(`${layer}objects/`, { fields: { title: 'x' } });
    const field = `${layer}structure/title/`;
    await c.send('PATCH', field, { type: 'string', localized_value: true });
    await c.send('PUT', `${layer}objects/${id}/?lng=fr`, { fields: { title: 'y' } });
    const title = async (lng: string) =>
      (await c.send('GET', `${layer}objects/${id}/${lng}`)).json.fields.title;
    equal([await title(''), await title('?lng=fr')], ['x', 'y'], 'values by language');
    await c.send('PATCH', field, { type: 'string', localized_value: false });
    equal([await title(''), await title('?lng=fr')], ['x', 'x'], 'values without languages');
  },
);

const required = { type: 'string', required: true };
rule('Columns', 'required / null is refused', async (c) => {
  const objects = `${await layerWith(c, { word: required })}objects/`;
  const { id } = await c.make(objects, { fields: { word: 'x' } });
  const fields = { word: null };
  const answers = [
    await c.send('POST', objects, { fields }),
    await c.send('PUT', `${objects}${id}/`, { fields }),
  ];
  for (const answer of answers) {
    status(answer, 500);
    equal(JSON.stringify(answer.json.data).includes('word'), true, 'data names the column');
  }
  equal((await c.send('GET', `${objects}${id}/`)).json.fields.word, 'x', 'value afterwards');
});

/**
 * Creates a layer with a title `group` and below it the column `word` with the value `x`. Returns the paths of the layer
 * and of the object.
 */
async function grouped(c: Client): Promise<{ layer: string; object: string }> {
  const layer = await layerWith(c, { group: 'title' });
  const columns = (await c.send('GET', `${layer}structure/`)).json as { id: number; code: string }[];
  const { id: parent_id } = columns.find(({ code }) => code === 'group')!;
  await c.make(`${layer}structure/`, { code: 'word', type: 'string', parent_id });
  const { id } = await c.make(`${layer}objects/`, { fields: { word: 'x' } });
  return { layer, object: `${layer}objects/${id}/` };
}
const readings: [
  what: string,
  read: (c: Client, at: { layer: string; object: string }) => Promise<unknown>,
][] = [
  ['of an object', async (c, { object }) => (await c.send('GET', object)).json],
  ['with f=fjson', async (c, { object }) => (await c.send('GET', `${object}?f=fjson`)).json],
  ['of a list of all', async (c, { layer }) => (await c.send('GET', `${layer}objects/?fields=*`)).json[0]],
  [
    'of POST filter/',
    async (c, { layer }) => (await c.send('POST', `${layer}filter/`, { fields: '*' })).json[0],
  ],
  ['of a new object', async (c, { layer }) => c.make(`${layer}objects/`, { fields: { word: 'x' } })],
  [
    'of a changed one',
    async (c, { object }) => (await c.send('PUT', object, { fields: { word: 'x' } })).json,
  ],
];
for (const [what, read] of readings)
  rule('Columns', `decided: a title is never present in fields ${what}`, async (c) =>
    equal(((await read(c, await grouped(c))) as { fields: unknown })?.fields, { word: 'x' }, 'fields'),
  );
rule('Columns', 'decided: a title is no column of an export', async (c) => {
  const { layer } = await grouped(c);
  await c.make(`${layer}objects/`, { fields: {}, geom: { type: 'Point', coordinates: [1, 1] } });
  const { features } = JSON.parse((await raw(c, `${layer}export/?format=geojson`)).text);
  equal(
    features.some(({ properties }: { properties: object }) => 'group' in properties),
    false,
    'group in properties',
  );
});
rule('Columns', 'DELETE of a title leaves the columns below it', async (c) => {
  const { layer } = await grouped(c);
  equal((await c.send('DELETE', `${layer}structure/group/`)).json, null, 'answer');
  equal(valuesOf(await c.send('GET', `${layer}objects/?fields=word`), 'word'), ['x'], 'values');
});
