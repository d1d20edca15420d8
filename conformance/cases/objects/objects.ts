import { equal, has, rule, status } from '../../rules.js';
import { layerWith, near, point, raw, square } from '../support.js';

const place = point(10, 20);

rule('Objects', 'GET one / id and the values of all columns', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: { title: 'one', size: 1.5 }, geom: place });
  const { json } = await c.send('GET', `${objects}${id}/`, undefined, '');
  equal([json?.id, json?.fields?.title, json?.fields?.size], [id, 'one', 1.5], 'id and values');
  equal([json.geom, json.bbox], [undefined, undefined], 'geom and bbox, absent by default');
});
for (const [query, key, [first, second]] of [
  ['returnGeom=1', 'geom', [10, 20]],
  ['returnGeom=1&geomSR=4326', 'geom', [10, 20]],
  ['returnGeom=1&geomSR=3857', 'geom', [1113194.9079, 2273030.927]],
  ['returnBbox=1', 'sw', [20, 10]],
  ['returnBbox=1&bboxSR=4326', 'ne', [20, 10]],
  ['returnBbox=1&bboxSR=3857', 'ne', [2273030.927, 1113194.9079]],
] as const)
  rule('Objects', `GET one / ${query}: ${key}`, async (c) => {
    const objects = `${await c.layer()}objects/`;
    const { id } = await c.make(objects, { fields: {}, geom: place });
    const { json } = await c.send('GET', `${objects}${id}/?${query}`);
    const pair = key === 'geom' ? json?.geom?.coordinates : json?.bbox?.[key];
    near(pair?.[0], first, 'first', 0.01);
    near(pair?.[1], second, 'second', 0.01);
  });
rule('Objects', 'GET one / geomZoom', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const coordinates = Array.from({ length: 101 }, (_, i) => [i / 100, (i % 2) / 1000]);
  const { id } = await c.make(objects, { fields: {}, geom: { type: 'LineString', coordinates } });
  const { json } = await c.send('GET', `${objects}${id}/?returnGeom=1&geomZoom=2`);
  equal(json?.geom?.coordinates?.length, 2, 'vertices at zoom 2');
});
rule('Objects', 'GET one / lng: create in the language, read in it and in the default one', async (c) => {
  const objects = `${await layerWith(c, { word: { type: 'string', localized_value: true } })}objects/`;
  const { id } = await c.make(`${objects}?lng=fr`, { fields: { word: 'mot' } });
  await raw(c, `${objects}${id}/`, { method: 'PUT', body: { fields: { word: 'word' } } });
  equal((await c.send('GET', `${objects}${id}/?lng=fr`)).json?.fields?.word, 'mot', 'lng=fr');
  equal((await c.send('GET', `${objects}${id}/`)).json?.fields?.word, 'word', 'default language');
});
rule('Objects', 'GET one / nonexistent: 200 with its id and empty fields', async (c) => {
  const answer = await c.send('GET', `${await c.layer()}objects/999/`);
  status(answer, 200);
  equal([answer.json?.id, answer.json?.fields], [999, {}], 'id and fields');
});
rule('Objects', 'GET one / f=pdf is a PDF', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: { title: 'one' }, geom: place });
  const answer = await raw(c, `${objects}${id}/?f=pdf`);
  equal(
    [answer.type, answer.bytes.subarray(0, 5).toString()],
    ['application/pdf', '%PDF-'],
    'type and signature',
  );
});
for (const path of ['objects/?fields=*&f=pdf', 'structure/?f=pdf', 'objects/1/?f=xml'])
  rule('Errors', `decided: ${path} is 400`, async (c) =>
    status(await c.send('GET', (await c.layer()) + path), 400),
  );

rule('Objects', 'POST / object structure', async (c) => {
  const made = await c.make(`${await c.layer()}objects/`, { fields: { title: 'one' }, geom: place });
  has(made, 'id fields');
  equal([made.fields.title, typeof made.id], ['one', 'number'], 'title and type of id');
});
rule('Objects', 'POST / no geometry when geom is absent', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: { title: 'one' } });
  const { json } = await c.send('GET', `${objects}${id}/?returnGeom=1`);
  equal([json?.fields?.title, json?.geom ?? null], ['one', null], 'title, geom');
});
rule('Objects', 'POST / 500 when fields is absent', async (c) =>
  status(await c.send('POST', `${await c.layer()}objects/`, { geom: place }), 500),
);
rule('Objects', 'POST / a required column must be listed, data names it', async (c) => {
  const objects = `${await layerWith(c, { word: { type: 'string', required: true } })}objects/`;
  const answer = await c.send('POST', objects, { fields: {} });
  status(answer, 500);
  equal(answer.json?.data?.required, ['word'], 'data.required');
});
rule('Objects', 'PUT / a required column may be absent when it does not change', async (c) => {
  const objects = `${await layerWith(c, { word: { type: 'string', required: true }, size: 'number' })}objects/`;
  const { id } = await c.make(objects, { fields: { word: 'x' } });
  const { json } = await c.send('PUT', `${objects}${id}/`, { fields: { size: 2 } });
  equal([json?.fields?.word, json?.fields?.size], ['x', 2], 'values');
});
rule('Objects', 'PUT / changes the given values and keeps the others', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: { title: 'one', size: 1 }, geom: place });
  const { json } = await c.send('PUT', `${objects}${id}/`, { fields: { title: 'two' } });
  equal([json?.id, json?.fields?.title, json?.fields?.size], [id, 'two', 1], 'id and values');
  equal((await c.send('GET', `${objects}${id}/geom/`)).json, place, 'geometry');
});
rule('Objects', 'POST / decided: all or nothing', async (c) => {
  const layer = await c.layer();
  const answer = await c.send('POST', `${layer}objects/`, { fields: { title: 'x', size: 'no number' } });
  status(answer, 500);
  equal([answer.json?.code, answer.json?.data?.columns], ['value_invalid', ['size']], 'code and columns');
  equal((await c.send('GET', `${layer}count/?precise=true`)).json, 0, 'count');
});
for (const [method, path] of [
  ['POST', 'objects/'],
  ['PUT', 'objects/1/'],
  ['DELETE', 'objects/1/'],
  ['DELETE', 'objects/'],
  ['POST', 'objects/1/copy/'],
  ['GET', 'objects/1/geom/'],
  ['PUT', 'objects/1/geom/'],
  ['POST', 'objects/1/files/'],
  ['DELETE', 'objects/1/files/1/'],
  ['POST', 'import/'],
  ['POST', 'makevalid/'],
] as const)
  rule('Authentication', `${method} P/<map>/layers/<layer>/${path} / 401 without a token`, async (c) =>
    status(await c.send(method, (await c.layer()) + path, method === 'GET' ? undefined : {}, ''), 401),
  );

rule('Objects', 'copy / the same id in the target, decided: columns by code, others left out', async (c) => {
  const [from, to] = [await c.layer(), await layerWith(c, { title: 'string' })];
  const { id } = await c.make(`${from}objects/`, { fields: { title: 'one', size: 1 }, geom: place });
  const target = { map_code: to.split('/')[1], layer_code: 'a' };
  const made = await c.make(`${from}objects/${id}/copy/`, target);
  equal([made.id, made.fields.title, 'size' in made.fields], [id, 'one', false], 'id, title, size');
  equal((await c.send('GET', `${to}objects/${id}/geom/`)).json, place, 'geometry');
  await c.send('PUT', `${from}objects/${id}/`, { fields: { title: 'two' } });
  await c.make(`${from}objects/${id}/copy/`, target);
  equal((await c.send('GET', `${to}objects/${id}/`)).json?.fields?.title, 'two', 'title when replaced');
  equal((await c.send('GET', `${to}count/?precise=true`)).json, 1, 'count when replaced');
});
for (const missing of ['map_code', 'layer_code'])
  rule('Objects', `copy / 500 when ${missing} is absent`, async (c) => {
    const layer = await c.layer();
    const { id } = await c.make(`${layer}objects/`, { fields: {} });
    const body = { map_code: layer.split('/')[1], layer_code: 'a', [missing]: undefined };
    status(await c.send('POST', `${layer}objects/${id}/copy/`, body), 500);
  });
for (const [method, path, body] of [
  ['PUT', '999/', { fields: {} }],
  ['POST', '999/copy/', undefined],
  ['DELETE', '999/', undefined],
  ['DELETE', '', { delete_params: '998;999' }],
  ['DELETE', '', { delete_params: '998-999' }],
  ['GET', '999/geom/', undefined],
  ['PUT', '999/geom/', place],
] as const)
  rule(
    'Errors',
    `${method} objects/${path} ${body ? JSON.stringify(body) : ''} / 404 when no object exists`,
    async (c) => {
      const layer = await c.layer();
      const target = { map_code: layer.split('/')[1], layer_code: 'a' };
      status(await c.send(method, `${layer}objects/${path}`, path.endsWith('copy/') ? target : body), 404);
    },
  );
rule('Objects', 'DELETE one / true, and it is gone', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: { title: 'one' } });
  equal((await c.send('DELETE', `${objects}${id}/`)).json, true, 'answer');
  equal((await c.send('GET', `${objects}${id}/`)).json?.fields, {}, 'fields');
});
const deletions: [what: string, text: (ids: number[]) => string, answer: true | 404, left: number][] = [
  ['ids separated by semicolons', ([a, b]) => `${a};${b}`, true, 1],
  ['one id', ([a]) => `${a}`, true, 2],
  ['a range written first-last', ([a, b]) => `${a}-${b}`, true, 1],
  ['decided: a range deletes what exists in it', ([, b]) => `${b}-${b! + 1000}`, true, 1],
  ['decided: a list with a missing id deletes nothing', ([a]) => `${a};999999`, 404, 3],
];
for (const [what, text, expected, left] of deletions)
  rule('Objects', `DELETE several / ${what}`, async (c) => {
    const layer = await c.layer();
    const ids: number[] = [];
    for (const title of 'abc') ids.push((await c.make(`${layer}objects/`, { fields: { title } })).id);
    const answer = await c.send('DELETE', `${layer}objects/`, { delete_params: text(ids) });
    if (expected === 404) status(answer, 404);
    else equal(answer.json, true, 'answer');
    equal((await c.send('GET', `${layer}count/?precise=true`)).json, left, 'objects left');
  });

rule('Objects', 'geom/ / change it and get it', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: {} });
  const polygon = square(0, 0, 2);
  equal((await c.send('PUT', `${objects}${id}/geom/`, polygon)).json, polygon, 'answer');
  equal((await c.send('GET', `${objects}${id}/geom/`)).json, polygon, 'geometry');
});
rule('Objects', 'geom/ / PUT with geomSR=3857', async (c) => {
  const objects = `${await c.layer()}objects/`;
  const { id } = await c.make(objects, { fields: {}, geom: place });
  await c.send('PUT', `${objects}${id}/geom/?geomSR=3857`, point(2226389.8158654715, 1118889.9748579594));
  const [x, y] = (await c.send('GET', `${objects}${id}/geom/`)).json.coordinates;
  near(x, 20, 'longitude');
  near(y, 10, 'latitude');
});
