import type { Client } from '../../client.js';
import { equal, has, rule } from '../../rules.js';
import { type Body, holds, refuses } from './names.js';

const add = async (c: Client, body: Body) =>
  c.make(`${await c.layer()}structure/`, { code: 'x', type: 'string', ...body });

for (const key of 'id sort parent_id code name required type localized_name localized_value'.split(' '))
  rule('Layer structure', `column element / ${key}`, async (c) => has(await add(c, {}), key));
for (const [key, value] of Object.entries({
  required: false,
  localized_name: false,
  localized_value: false,
  parent_id: 0,
}))
  rule('Layer structure', `POST structure/ / ${key} is ${value} when absent`, async (c) =>
    holds(await add(c, {}), { [key]: value }),
  );
for (const [key, value] of Object.entries({ name: 'Depth', required: true, localized_value: true }))
  rule('Layer structure', `POST structure/ / ${key}`, async (c) =>
    holds(await add(c, { [key]: value }), { [key]: value }),
  );
rule('Layer structure', 'POST structure/ / a localized name in the language of lng', async (c) => {
  const layer = await c.layer();
  const name = { en: 'Depth', ru: 'Глубина' };
  await c.make(`${layer}structure/`, { code: 'x', type: 'string', localized_name: true, name });
  const columns = (await c.send('GET', `${layer}structure/?lng=ru`)).json as Body[];
  const shown = columns.find(({ code }) => code === 'x')?.name;
  equal(typeof shown === 'string' ? shown : (shown as Body)?.ru, 'Глубина', 'name');
});
rule('Layer structure', 'POST structure/ / parent_id of a column of type title', async (c) => {
  const layer = await c.layer();
  const { id } = await c.make(`${layer}structure/`, { code: 'group', type: 'title' });
  holds(await c.make(`${layer}structure/`, { code: 'x', type: 'string', parent_id: id }), { parent_id: id });
});
rule('Layer structure', 'POST structure/ / last when sort is absent', async (c) => {
  const layer = await c.layer();
  await c.make(`${layer}structure/`, { code: 'x', type: 'string' });
  const columns = (await c.send('GET', `${layer}structure/`)).json as { code: string; sort: number }[];
  equal(columns.sort((a, b) => a.sort - b.sort).at(-1)?.code, 'x', 'last column');
});
rule('Layer structure', 'svc_id and geom are always there', async (c) => {
  const map = await c.map();
  await c.make(`${map}layers/`, { code: 'a' });
  const columns = (await c.send('GET', `${map}layers/a/structure/`)).json as Body[];
  const types = Object.fromEntries(columns.map(({ code, type }) => [String(code), type]));
  equal(types, { svc_id: 'number', geom: 'geom' }, 'columns and types');
});
for (const method of ['PUT', 'PATCH']) {
  for (const [key, value] of Object.entries({
    code: 'y',
    name: 'Depth',
    required: true,
    localized_value: true,
  }))
    rule('Layer structure', `${method} structure/<field>/ / changes ${key}`, async (c) =>
      holds(
        (await c.send(method, `${await c.layer()}structure/size/`, { type: 'number', [key]: value })).json,
        {
          type: 'number',
          [key]: value,
        },
      ),
    );
  rule('Layer structure', `${method} structure/<field>/ / an absent attribute keeps its value`, async (c) => {
    const field = `${await c.layer()}structure/size/`;
    await c.send(method, field, { type: 'number', name: 'Size', required: true });
    holds((await c.send(method, field, { type: 'number' })).json, {
      code: 'size',
      name: 'Size',
      required: true,
    });
  });
}
const conversions: [from: string, value: unknown, to: string, kept: unknown, lost: number][] = [
  ['string', '12.5', 'number', 12.5, 0],
  ['number', 12.5, 'string', '12.5', 0],
  ['string', '2024-05-01', 'datetime', '2024-05-01T00:00:00.000Z', 0],
  ['string', 'true', 'bool', true, 0],
  ['number', 1, 'bool', true, 0],
  ['bool', true, 'text', 'true', 0],
  ['string', 'soon', 'datetime', null, 1],
  ['string', 'many', 'number', null, 1],
];
for (const [from, value, to, kept, lost] of conversions)
  rule(
    'Layer structure',
    `decided: type change / ${from} ${JSON.stringify(value)} to ${to}, lost ${lost}`,
    async (c) => {
      const layer = await c.layer();
      await c.make(`${layer}structure/`, { code: 'x', type: from });
      const { id } = await c.make(`${layer}objects/`, { fields: { x: value } });
      holds((await c.send('PATCH', `${layer}structure/x/`, { type: to })).json, { type: to, lost });
      equal((await c.send('GET', `${layer}objects/${id}/`)).json.fields.x ?? null, kept, 'value');
    },
  );

const column = { code: 'x', type: 'string' };
refuses('Layer structure', [
  [
    'GET structure/ / 404 when the layer does not exist',
    404,
    async (c) => c.send('GET', `${await c.map()}layers/none/structure/`),
  ],
  [
    'POST structure/ / 401 without a token',
    401,
    async (c) => c.send('POST', `${await c.layer()}structure/`, column, ''),
  ],
  [
    'PUT structure/<field>/ / 401 without a token',
    401,
    async (c) => c.send('PUT', `${await c.layer()}structure/size/`, { type: 'number' }, ''),
  ],
  [
    'DELETE structure/<field>/ / 401 without a token',
    401,
    async (c) => c.send('DELETE', `${await c.layer()}structure/size/`, undefined, ''),
  ],
  [
    'POST structure/ / code is required',
    500,
    async (c) => c.send('POST', `${await c.layer()}structure/`, { type: 'text' }),
  ],
  [
    'PUT structure/<field>/ / 500 when type is absent',
    500,
    async (c) => c.send('PUT', `${await c.layer()}structure/size/`, { name: 'x' }),
  ],
  [
    'POST structure/ / a code is unique within the layer',
    500,
    async (c) => c.send('POST', `${await c.layer()}structure/`, { code: 'size', type: 'text' }),
  ],
]);
rule('Layer structure', 'POST structure/ / parent_id of a column of another type is refused', async (c) => {
  const layer = await c.layer();
  const { id } = await c.make(`${layer}structure/`, { code: 'y', type: 'text' });
  const answer = await c.send('POST', `${layer}structure/`, { ...column, parent_id: id });
  equal(answer.status >= 400, true, `refused (${answer.status})`);
});
rule('Layer structure', 'POST structure/ / an unknown type is refused', async (c) => {
  const answer = await c.send('POST', `${await c.layer()}structure/`, { code: 'x', type: 'colour' });
  equal(answer.status >= 400, true, `refused (${answer.status})`);
});
