import { equal, has, rule, status } from '../rules.js';

const point = { type: 'Point', coordinates: [10, 20] };

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

rule('Objects', 'create, get, change and delete', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: { title: 'one', size: 1.5 }, geom: point });
  const read = (await c.send('GET', `${objects}${id}/?returnGeom=1&returnBbox=1`)).json;
  equal([read.fields.title, read.fields.size], ['one', 1.5], 'values');
  equal(read.geom.coordinates, [10, 20], 'coordinates');
  has(read.bbox, 'sw ne');
  const changed = await c.send('PUT', `${objects}${id}/`, { fields: { title: 'two' } });
  equal(changed.json?.fields?.title, 'two', 'changed value');
  equal((await c.send('DELETE', `${objects}${id}/`)).json, true, 'delete');
});
rule('Objects', 'GET a nonexistent object / 200 with its id and empty fields', async (c) => {
  const { json } = await c.send('GET', `${await c.layer()}objects/999/`);
  equal([json?.id, json?.fields], [999, {}], 'id and fields');
});
for (const [method, path, body] of [
  ['PUT', '999/', { fields: {} }],
  ['DELETE', '999/', undefined],
  ['DELETE', '', { delete_params: '998;999' }],
  ['GET', '999/geom/', undefined],
  ['PUT', '999/geom/', point],
] as const)
  rule('Errors', `${method} objects/${path} / 404 when the object does not exist`, async (c) =>
    status(await c.send(method, `${await c.layer()}objects/${path}`, body), 404),
  );
for (const [form, text] of [
  ['ids separated by semicolons', '1;2'],
  ['a range', '1-2'],
])
  rule('Objects', `DELETE several / ${form}`, async (c) => {
    const layer = await c.layer();
    for (const title of ['one', 'two']) await c.make(`${layer}objects/`, { fields: { title } });
    equal((await c.send('DELETE', `${layer}objects/`, { delete_params: text })).json, true, 'answer');
    equal((await c.send('GET', `${layer}count/?precise=true`)).json, 0, 'count');
  });
const lists: [query: string, titles: string[] | number][] = [
  ['fields=title&sort=size,a', ['a', 'b', 'c']],
  ['fields=title&sort=size,d', ['c', 'b', 'a']],
  ['fields=title&sort=size&offset=1&limit=1', ['b']],
  ['fields=title&fcode=title&fval=b', ['b']],
  ['fields=title&fcode=title&fval=z', []],
  ['fields=title&fcode=size&fval=1', 500],
  ['fields=title&fbbox=9,9,11,21', ['b']],
];
for (const [query, expected] of lists)
  rule('Objects', `GET objects/?${query}`, async (c) => {
    const objects = `${await c.layer()}objects/`;
    for (const [size, title] of ['a', 'b', 'c'].entries()) {
      const geom = { type: 'Point', coordinates: [20 * size, 10 * size] };
      await c.make(objects, { fields: { title, size }, geom });
    }
    const answer = await c.send('GET', `${objects}?${query}`);
    if (typeof expected === 'number') return status(answer, expected);
    equal(
      answer.json?.map((o: { fields: { title: string } }) => o.fields.title),
      expected,
      'titles',
    );
  });
rule('Transfer', 'import GeoJSON in the body, export it', async (c) => {
  const layer = await c.layer();
  const feature = { type: 'Feature', properties: { title: 'one' }, geometry: point };
  await c.make(`${layer}import/`, { type: 'FeatureCollection', features: [feature] });
  const { text } = await c.send('GET', `${layer}export/?format=geojson`);
  equal(JSON.parse(text).features[0]?.geometry?.coordinates, [10, 20], 'coordinates');
});
rule('Transfer', 'export / 500 when the format is invalid', async (c) =>
  status(await c.send('GET', `${await c.layer()}export/?format=nonsense`), 500),
);
