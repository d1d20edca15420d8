import { equal, rule, status } from '../../rules.js';
import { raw } from '../support.js';

const optional = 'Optional parameters accepted by every function';

for (const f of ['json', 'fjson'])
  rule(optional, `f=${f} is accepted`, async (c) =>
    equal((await c.send('GET', `${await c.map()}?f=${f}`)).status, 200, 'status'),
  );
for (const f of ['pdf', 'xml', ''])
  rule(optional, `decided: f=${f} of a function that does not have it is 400`, async (c) =>
    status(await c.send('GET', `${await c.map()}?f=${f}`), 400),
  );
rule(
  optional,
  'lng / names of containers and columns in this language, else in the main language',
  async (c) => {
    const map = await c.map();
    const name = { en: 'Town', ru: 'Город' };
    await c.make(`${map}layers/`, { code: 'a', localized_name: true, name });
    await c.make(`${map}layers/a/structure/`, { code: 'x', type: 'string', localized_name: true, name });
    const layer = async (lng: string): Promise<unknown> =>
      (await c.send('GET', `${map}layers/a/?lng=${lng}`)).json.name;
    const column = async (lng: string): Promise<unknown> =>
      (await c.send('GET', `${map}layers/a/structure/?lng=${lng}`)).json.find(
        (one: { code: string }) => one.code === 'x',
      ).name;
    equal([await layer('ru'), await layer('en'), await column('ru')], ['Город', 'Town', 'Город'], 'names');
    equal(await layer('de'), await layer(''.padEnd(2, 'en')), 'name in a language that it lacks');
  },
);

const spellings = 'Spellings of parameters';
for (const on of ['1', 'true', 'True', 'TRUE'])
  rule(spellings, `a switch may be written ${on}`, async (c) => {
    const layer = await c.layer();
    const { json } = await c.send('GET', `${layer}?returnBbox=${on}`);
    equal(Object.hasOwn(json, 'bbox'), true, 'bbox is there');
    equal((await c.send('GET', `${layer}count/?precise=${on}`)).json, 0, 'count');
    equal((await c.send('POST', `${layer}filter/`, { returnGeom: on })).json, [], 'filter');
  });
for (const off of ['0', 'false', 'False', 'FALSE'])
  rule(spellings, `a switch may be written ${off}`, async (c) => {
    const { json } = await c.send('GET', `${await c.layer()}?returnBbox=${off}`);
    equal(Object.hasOwn(json, 'bbox'), false, 'bbox is there');
  });
rule(spellings, 'an empty optional parameter is the same as an absent one', async (c) => {
  const layer = await c.layer();
  await c.make(`${layer}objects/`, { fields: { title: 'a' } });
  const empty = 'lng=&limit=&offset=&sort=&fbbox=&returnGeom=&geomSR=&geomZoom=&bboxSR=';
  equal((await c.send('GET', `${layer}objects/?fields=title&${empty}`)).json?.length, 1, 'list');
  equal((await c.send('POST', `${layer}filter/`, { fields: 'title', lng: '' })).json?.length, 1, 'filter');
  for (const path of ['count/?precise=', 'icon/?size=', 'export/?format=csv&zip=&langs=&feature_ids='])
    equal((await c.send('GET', layer + path)).status, 200, path);
});
rule(spellings, 'the values of a form are read by their types', async (c) => {
  const map = await c.map();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const folder = await c.make(`${map}folders/`, { code: 'f' });
  const body = `code=l&parent_id=${folder.id}&sort=1&localized_name=FALSE`;
  const layer = await raw(c, `${map}layers/`, { body, headers });
  equal([layer.status, layer.json?.parent_id], [200, folder.id], 'layer in the folder');
  const column = 'code=x&type=string&required=True&parent_id=0';
  const made = await raw(c, `${map}layers/l/structure/`, { body: column, headers });
  equal([made.status, made.json?.required], [200, true], 'required');
});
rule(spellings, 'JSON may begin with a byte order mark', async (c) => {
  const headers = { 'content-type': 'application/json' };
  equal((await raw(c, `${await c.map()}layers/`, { body: '\ufeff{}', headers })).status, 200, 'status');
});

rule(spellings, 'lng in capitals is the same language', async (c) => {
  const layer = await c.layer();
  await c.make(`${layer}structure/`, { code: 'word', type: 'string', localized_value: true });
  const { id } = await c.make(`${layer}objects/?lng=EN`, { fields: { word: 'one' } });
  await c.send('PUT', `${layer}objects/${id}/?lng=en`, { fields: { word: 'two' } });
  for (const lng of ['en', 'EN']) {
    const read = await c.send('GET', `${layer}objects/${id}/?lng=${lng}`);
    equal(read.json?.fields?.word, 'two', `value for lng=${lng}`);
    const [found] = (await c.send('POST', `${layer}filter/`, { fields: 'word', lng })).json ?? [];
    equal(found?.fields?.word, 'two', `value in the list for lng=${lng}`);
  }
});

const errors = 'Errors';
rule(errors, '405 / HTTP method not allowed, as HTML', async (c) =>
  status(await c.send('DELETE', `${await c.layer()}objects/1/geom/`), 405),
);
for (const [method, path] of [
  ['PUT', '/maps/available/'],
  ['POST', '/users/list/'],
  ['DELETE', '/login/'],
  ['PATCH', '/image/00000000-0000-4000-8000-000000000000/'],
] as const)
  rule(errors, `405 / ${method} P${path}`, async (c) => status(await c.send(method, path), 405));
for (const [method, path] of [
  ['PUT', 'count/'],
  ['DELETE', 'export/?format=geojson'],
  ['GET', 'import/'],
  ['PUT', 'filter/'],
  ['DELETE', 'bbox/'],
] as const)
  rule(errors, `405 / ${method} P/<map>/layers/<layer>/${path}`, async (c) =>
    status(await c.send(method, (await c.layer()) + path), 405),
  );
rule(errors, '405 / a method that the interface does not have', async (c) => {
  const map = await c.map();
  for (const method of ['PROPFIND', 'LOCK', 'SEARCH']) status(await c.send(method, map), 405);
});
for (const [name, body] of Object.entries({
  'malformed JSON': '{"code": ',
  'a JSON text that is no object': '"x"',
}))
  rule(errors, `decided: ${name} is 400`, async (c) => {
    const headers = { 'content-type': 'application/json' };
    equal((await raw(c, `${await c.map()}layers/`, { body, headers })).status, 400, 'status');
  });
rule(errors, 'decided: the wrong type of a known key is 400', async (c) =>
  status(await c.send('POST', `${await c.map()}layers/`, { code: 7 }), 400),
);
rule(errors, 'decided: an unknown key is ignored', async (c) =>
  equal((await c.send('POST', `${await c.map()}layers/`, { unknown_key: 7 })).status, 200, 'status'),
);
rule(errors, 'decided: an empty body is the same as {} where all is optional', async (c) =>
  equal((await raw(c, `${await c.map()}layers/`, { method: 'POST' })).status, 200, 'status'),
);
for (const [name, query] of Object.entries({
  bboxSR: 'layers/?bboxSR=1',
  returnBbox: 'layers/?returnBbox=perhaps',
  type: 'layers/?type=half',
}))
  rule(errors, `decided: an unknown value of ${name} is 400`, async (c) =>
    status(await c.send('GET', (await c.map()) + query), 400),
  );
rule(errors, 'decided: a client that asks for JSON gets the error object for 4xx too', async (c) => {
  const answer = await raw(c, '/no_such_map/', { headers: { accept: 'application/json' } });
  equal([answer.status, answer.json?.error, answer.json?.code], [404, 'error', 'map_not_found'], 'answer');
});
rule(errors, 'decided: an HTML page escapes what it shows', async (c) => {
  const text = '<script>alert(1)</script>';
  const answer = await c.send('GET', `${await c.layer()}objects/?fields=${encodeURIComponent(text)}`);
  equal(
    [answer.status, answer.text.includes(text)],
    [400, false],
    'status, and whether it is there as it is',
  );
});
rule(errors, 'data names what is wrong', async (c) => {
  const { json } = await c.send('POST', `${await c.layer()}structure/`, { code: 'x' });
  equal([json.error, json.data.required], ['error', ['type']], 'error and data.required');
});

rule('Requests', 'decided: both forms of a path are served, with and without the last slash', async (c) => {
  const map = await c.map();
  equal(
    [(await c.send('GET', map)).status, (await c.send('GET', map.slice(0, -1))).status],
    [200, 200],
    'statuses',
  );
});
rule('Requests', 'decided: programs of other origins may call, without credentials', async (c) => {
  const answer = await raw(c, await c.map(), { headers: { origin: 'https://elsewhere.example' } });
  equal(
    [
      answer.headers.get('access-control-allow-origin'),
      answer.headers.get('access-control-allow-credentials'),
    ],
    ['*', null],
    'headers',
  );
});
for (const method of ['PUT', 'PATCH', 'DELETE'])
  rule('Requests', `decided: programs of other origins may call ${method}`, async (c) => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': method };
    const answer = await raw(c, await c.map(), { method: 'OPTIONS', headers });
    const granted = (answer.headers.get('access-control-allow-methods') ?? '').split(/,\s*/);
    equal([answer.status < 300, granted.includes(method)], [true, true], 'status, granted');
  });
rule('Requests', 'response bodies are JSON', async (c) => {
  const { status, type } = await c.send('GET', await c.map());
  equal([status, type.startsWith('application/json')], [200, true], 'status, media type');
});
