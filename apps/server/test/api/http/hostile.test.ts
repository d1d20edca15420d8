import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestAnswer, type TestServer } from '../../support/server.js';

/** Texts that are dangerous if they ever become SQL, HTML, a path or a property name. */
const hostile = [
  `'; drop table cartulary.container; --`,
  `"; drop table cartulary.container; --`,
  `$1`,
  `\\'; select pg_sleep(10); --`,
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `../../../etc/passwd`,
  `%00`,
  `__proto__`,
  `{{7*7}}`,
  `𝕏 ё 名前 שלום`,
];

const isJson = ({ headers }: TestAnswer): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true &&
  headers.get('x-content-type-options') === 'nosniff';

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  await server.admin('POST', '/m/layers/l/structure/', { code: 'name', type: 'string' });
  await server.admin('POST', '/m/layers/l/structure/', { code: 'size', type: 'number' });
});
test.after(() => server.stop());

/** Everything that a write could have changed. */
async function state(): Promise<string> {
  const parts = [
    '/m/',
    '/m/layers/?type=full&returnCss=1',
    '/m/layers/l/structure/',
    '/m/layers/l/objects/?fields=*&returnGeom=1',
    '/users/list/',
  ];
  return JSON.stringify(await Promise.all(parts.map((path) => server.admin('GET', path))));
}

test('hostile names and values are stored and returned as they are', async () => {
  for (const text of hostile) {
    const folder = await server.admin('POST', '/m/folders/', { name: text });
    assert.equal(folder.name, text);
    const { id } = await server.admin('POST', '/m/layers/l/objects/', { fields: { name: text } });
    const object = await server.admin('GET', `/m/layers/l/objects/${id}/`);
    assert.equal(object.fields.name, text);
    const found = await server.admin(
      'GET',
      `/m/layers/l/objects/?fields=name&fcode=name&fval=${encodeURIComponent(text)}`,
    );
    assert.deepEqual(
      found.map((item: { id: number }) => item.id),
      [id],
    );
    const filtered = await server.admin('POST', '/m/layers/l/filter/', {
      fields: ['name'],
      filter: { op: '=', args: [{ property: 'name' }, text] },
    });
    assert.equal(filtered.length, 1);
  }
});

test('hostile codes, columns and parameters are refused with their name, as text', async () => {
  assert.equal((await server.request('GET', '/m/layers/l/objects/?fields=__proto__')).status, 400);
  const before = await state();
  for (const text of hostile.filter((one) => one !== '__proto__')) {
    const sent = encodeURIComponent(text);
    const answers = await Promise.all([
      server.request('POST', '/', { token: server.adminToken, body: { code: text } }),
      server.request('POST', '/m/layers/', { token: server.adminToken, body: { code: text } }),
      server.request('POST', '/m/layers/l/structure/', {
        token: server.adminToken,
        body: { code: text, type: 'string' },
      }),
      server.request('GET', `/m/layers/l/objects/?fields=${sent}`),
      server.request('GET', `/m/layers/l/objects/?fields=name&sort=${sent}`),
      server.request('GET', `/m/layers/l/objects/?fields=name&fcode=${sent}&fval=1`),
      server.request('GET', `/m/layers/l/objects/?fbbox=${sent}`),
      server.request('GET', `/m/layers/l/objects/?limit=${sent}`),
      server.request('GET', `/${sent}/`),
      server.request('GET', `/m/layers/${sent}/`),
      server.request('GET', `//tms/demo/m/?x=${sent}&y=0&z=0`),
      server.request('GET', `//tms/demo/m/?x=0&y=0&z=0&layers=${sent}`),
      server.request('GET', `/m/layers/l/objects/?fields=name&token=${sent}`),
    ]);
    for (const [i, answer] of answers.entries()) {
      assert.ok(answer.status >= 400, `${i} ${text}: ${answer.status}`);
      assert.ok(isJson(answer) || !/<script>|<img/.test(answer.text), `${i} ${text}: HTML is escaped`);
      assert.ok(
        !/from cartulary|syntax error|cartulary_data|node_modules|\.js:\d+/i.test(answer.text),
        `${i} ${text}: ${answer.text}`,
      );
      assert.ok(!answer.text.includes('"internal"'), `${i} ${text}: ${answer.text}`);
    }
  }
  assert.equal(await state(), before);
});

/** Method, path, body (a text is sent as it is), status, code. */
const mistakes: [string, string, unknown, number, string][] = [
  ['POST', '/m/layers/l/objects/', '{"fields": ', 400, 'bad_request'],
  ['POST', '/m/layers/l/objects/', { fields: [] }, 400, 'bad_request'],
  ['POST', '/m/layers/l/objects/', { fields: { size: 'large' } }, 500, 'value_invalid'],
  ['POST', '/m/layers/l/objects/', { fields: { size: 2 ** 60 } }, 500, 'value_invalid'],
  ['POST', '/m/layers/l/objects/', { fields: { name: 'a\u0000b' } }, 500, 'value_invalid'],
  [
    'POST',
    '/m/layers/l/objects/',
    { fields: {}, geom: { type: 'Point', coordinates: ['x', 'y'] } },
    500,
    'value_invalid',
  ],
  [
    'POST',
    '/m/layers/l/objects/',
    { fields: {}, geom: { type: 'Circle', coordinates: [0, 0] } },
    500,
    'value_invalid',
  ],
  ['PUT', '/m/layers/l/objects/999999/', { fields: {} }, 404, 'object_not_found'],
  ['DELETE', '/m/layers/l/objects/999999/', undefined, 404, 'object_not_found'],
  ['DELETE', '/m/layers/l/objects/', { delete_params: '1;999999' }, 404, 'object_not_found'],
  ['POST', '/', {}, 500, 'required_missing'],
  ['POST', '/', { code: 7 }, 400, 'bad_request'],
  ['POST', '/', { code: 'm' }, 500, 'code_taken'],
  ['POST', '/', { code: 'users' }, 500, 'code_reserved'],
  ['POST', '/m/layers/', { code: 'l' }, 500, 'code_taken'],
  ['POST', '/m/layers/', { code: '1st' }, 500, 'code_invalid'],
  ['POST', '/m/layers/', { code: 'x', css_style: '#x { polygon-fill: ; }' }, 500, 'style_invalid'],
  ['POST', '/m/layers/', { code: 'x', parent_id: 999999 }, 404, 'container_not_found'],
  ['PATCH', '/m/layers/l/', { css_style: '#l { marker-file: url(/etc/passwd); }' }, 500, 'style_invalid'],
  ['POST', '/m/layers/l/structure/', { code: 'x' }, 500, 'type_missing'],
  ['POST', '/m/layers/l/structure/', { code: 'svc_id', type: 'number' }, 500, 'code_reserved'],
  ['DELETE', '/m/layers/l/structure/none/', undefined, 404, 'column_not_found'],
  ['POST', '/m/publish/', [{ id: 1, parent_id: 0, map_layer_id: 999999 }], 400, 'bad_request'],
  ['POST', '/m/publish/', { id: 1 }, 400, 'bad_request'],
  ['GET', '/m/layers/l/objects/?fcode=name&fval=x', undefined, 500, 'filter_column_not_selected'],
  ['GET', '/m/layers/l/objects/?geomSR=9999', undefined, 400, 'bad_request'],
  ['GET', '/m/layers/l/objects/?f=xml', undefined, 400, 'bad_request'],
  ['GET', '/m/layers/l/objects/?f=pdf', undefined, 400, 'bad_request'],
  ['GET', '/m/layers/l/export/?format=nothing', undefined, 500, 'format_invalid'],
  ['GET', '/m/layers/none/structure/', undefined, 404, 'layer_not_found'],
  ['GET', '/none/', undefined, 404, 'map_not_found'],
  ['GET', '//api/2.8/none/m/', undefined, 500, 'project_not_found'],
  ['GET', '//api/2.8/demo/m/?token=wrong', undefined, 401, 'not_authenticated'],
  ['PUT', '/m/', {}, 405, 'method_not_allowed'],
  ['GET', '//tms/demo/m/?x=1&y=0&z=0', undefined, 400, 'bad_request'],
  ['GET', '//tms/demo/m/?x=0&y=0&z=25', undefined, 400, 'bad_request'],
  [
    'POST',
    '/m/layers/l/import/',
    '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"stays out"},"geometry":null},{]}',
    500,
    'import_failed',
  ],
  ['POST', '/m/layers/l/refresh/', {}, 500, 'not_materialized'],
];

for (const [method, path, body, status, code] of mistakes) {
  test(`${method} ${path} ${typeof body === 'string' ? body : (JSON.stringify(body) ?? '')} is ${status} ${code}, nothing stored`, async () => {
    const before = await state();
    const options = { token: path.includes('token=') ? undefined : server.adminToken, body };
    const type: Record<string, string> =
      typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    const json = await server.request(method, path, {
      ...options,
      headers: { ...type, accept: 'application/json' },
    });
    assert.equal(json.status, status, json.text);
    assert.equal(json.json.error, 'error');
    assert.equal(json.json.code, code);
    assert.equal(typeof json.json.message, 'string');
    assert.equal(typeof json.json.data, 'object');
    const page = await server.request(method, path, {
      ...options,
      headers: { ...type, accept: 'text/html' },
    });
    assert.match(
      page.headers.get('content-type') ?? '',
      status === 500 ? /^application\/json/ : /^text\/html/,
    );
    assert.equal(await state(), before);
  });
}
