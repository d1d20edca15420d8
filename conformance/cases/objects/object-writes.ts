import { equal, rule, status } from '../../rules.js';
import { abc, layerWith, near, point, square } from '../support.js';

rule('Objects', 'PUT / geom changes the geometry, null removes it', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: { title: 'one' }, geom: point(1, 2) });
  const geom = async () => (await c.send('GET', `${objects}${id}/?returnGeom=1`)).json;
  status(await c.send('PUT', `${objects}${id}/`, { fields: {}, geom: square(0, 0, 2) }), 200);
  equal((await geom()).geom, square(0, 0, 2), 'geometry');
  status(await c.send('PUT', `${objects}${id}/`, { fields: {}, geom: null }), 200);
  const { fields, geom: left } = await geom();
  equal([fields.title, left ?? null], ['one', null], 'title, geometry');
});
rule('Objects', 'PUT / null removes a value', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: { title: 'one', size: 1 } });
  await c.send('PUT', `${objects}${id}/`, { fields: { title: null } });
  const { fields } = (await c.send('GET', `${objects}${id}/`)).json;
  equal([fields.title ?? null, fields.size], [null, 1], 'values');
});
for (const value of [null, '', 'x'])
  rule('Objects', `decided: a column of type title takes nothing: ${JSON.stringify(value)}`, async (c) => {
    const objects = `${await layerWith(c, { head: 'title', x: 'string' })}objects/`;
    const { id } = await c.make(objects, { fields: { x: 'one' } });
    for (const [method, path] of [
      ['POST', objects],
      ['PUT', `${objects}${id}/`],
    ] as const) {
      const answer = await c.send(method, path, { fields: { head: value } });
      status(answer, 500);
      equal([answer.json.code, answer.json.data.columns], ['value_invalid', ['head']], 'code and columns');
    }
  });
rule('Objects', 'PUT / lng changes the value in that language alone', async (c) => {
  const objects = `${await layerWith(c, { word: { type: 'string', localized_value: true } })}objects/`;
  const { id } = await c.make(objects, { fields: { word: 'one' } });
  const answer = await c.send('PUT', `${objects}${id}/?lng=fr`, { fields: { word: 'un' } });
  equal(answer.json?.fields?.word, 'un', 'answer');
  equal((await c.send('GET', `${objects}${id}/`)).json.fields.word, 'one', 'the default language');
});
rule('Objects', 'PUT / decided: all or nothing, data names the columns', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: { title: 'one', size: 1 }, geom: point(1, 2) });
  const wrong = { fields: { title: 'two', size: 'many' }, geom: point(3, 4) };
  const answer = await c.send('PUT', `${objects}${id}/`, wrong);
  status(answer, 500);
  equal([answer.json.code, answer.json.data.columns], ['value_invalid', ['size']], 'code and columns');
  const { fields, geom } = (await c.send('GET', `${objects}${id}/?returnGeom=1`)).json;
  equal([fields, geom], [{ title: 'one', size: 1 }, point(1, 2)], 'the object');
});
for (const [method, path] of [
  ['POST', ''],
  ['PUT', 'id/'],
] as const)
  rule(
    'Objects',
    `${method} / a column that the layer lacks is refused or ignored, never stored`,
    async (c) => {
      const objects = `${await c.layer()}objects/`;
      const { id } = await c.make(objects, { fields: { title: 'one' } });
      const body = { fields: { title: 'one', none: 'x' } };
      const answer = await c.send(method, objects + path.replace('id', String(id)), body);
      const read = (await c.send('GET', `${objects}${id}/`)).json.fields;
      equal(
        [answer.status < 500 || answer.json.code !== 'internal', 'none' in read],
        [true, false],
        'answer, value',
      );
    },
  );
rule('Objects', 'ids are not given again after a deletion', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: {} });
  await c.send('DELETE', `${objects}${id}/`);
  const next = (await c.make(objects, { fields: {} })).id;
  equal([Number.isInteger(next), next === id], [true, false], 'an integer, the same id');
});
rule('Objects', 'svc_id is the id of the object', async (c) => {
  const layer = await abc(c);
  const list = (await c.send('GET', `${layer}objects/?fields=svc_id,title`)).json;
  for (const { id, fields } of list) equal(fields.svc_id, id, 'svc_id');
  const { id } = list[1];
  const found = await c.send('GET', `${layer}objects/?fields=svc_id&fcode=svc_id&fval=${id}`);
  equal(
    found.json.map((one: { id: number }) => one.id),
    [id],
    'found by it',
  );
});

rule('Objects', 'DELETE several / delete_params is required', async (c) =>
  status(await c.send('DELETE', `${await c.layer()}objects/`, {}), 500),
);
for (const delete_params of ['a;b', '1,2', '5-1-2', 'all', '-', ';', 7])
  rule('Objects', `DELETE several / decided: ${JSON.stringify(delete_params)} deletes nothing`, async (c) => {
    const layer = await abc(c);
    const answer = await c.send('DELETE', `${layer}objects/`, { delete_params });
    equal([answer.status >= 400, answer.json?.code === 'internal'], [true, false], 'refused, a fault');
    equal((await c.send('GET', `${layer}count/?precise=true`)).json, 3, 'objects left');
  });

for (const geom of [
  { type: 'Point', coordinates: [1] },
  { type: 'Point', coordinates: ['a', 'b'] },
  {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
      ],
    ],
  },
  { type: 'LineString', coordinates: [[0, 0]] },
  { type: 'Point' },
  'POINT(1 2)',
  7,
])
  rule('Objects', `geom/ / decided: ${JSON.stringify(geom)} is refused, the geometry stays`, async (c) => {
    const objects = `${await c.layer()}objects/`;
    const { id } = await c.make(objects, { fields: {}, geom: point(1, 2) });
    const answers = [
      await c.send('PUT', `${objects}${id}/geom/`, geom),
      await c.send('PUT', `${objects}${id}/`, { fields: {}, geom }),
      await c.send('POST', objects, { fields: {}, geom }),
    ];
    const codes = answers.map(({ status: code, json }) =>
      code >= 400 && json?.code !== 'internal' ? 'refused' : code,
    );
    equal(codes, ['refused', 'refused', 'refused'], 'answers');
    equal((await c.send('GET', `${objects}${id}/geom/`)).json, point(1, 2), 'geometry');
  });
rule('Objects', 'geom/ / PUT answers the geometry in geomSR', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: {} });
  const sent = point(2226389.8158654715, 1118889.9748579594);
  const { json } = await c.send('PUT', `${objects}${id}/geom/?geomSR=3857`, sent);
  equal(json?.type, 'Point', 'type');
  near(json.coordinates[0], 2226389.8158654715, 'x', 0.01);
  near(json.coordinates[1], 1118889.9748579594, 'y', 0.01);
});
rule('Objects', 'decided: another geomSR of geom/ is 400', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: {} });
  status(await c.send('PUT', `${objects}${id}/geom/?geomSR=2154`, point(1, 2)), 400);
});
