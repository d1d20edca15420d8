import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { isLanguage } from '@cartulary/columns';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv } from 'ajv';
import { startServer, type TestServer } from '../../support/server.js';

interface Media {
  schema?: Record<string, unknown>;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  parameters?: {
    name: string;
    in: string;
    description: string;
    schema: Record<string, unknown>;
    example?: unknown;
  }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

/** Forms of errors that the doors of the OGC standards have of their own. */
const doorForms: Readonly<Record<string, string[]>> = {
  ogc: ['application/problem+json'],
  wms: ['text/xml', 'application/vnd.ogc.se_xml'],
  wmts: ['application/xml'],
  wfs: ['application/xml'],
};

let server: TestServer;
let document: Record<string, any>;
let operations: { name: string; method: string; path: string; operation: Operation }[];
before(async () => {
  server = await startServer();
  const answer = await server.request('GET', '//api/2.8/openapi.json');
  assert.equal(answer.status, 200);
  document = answer.json;
  operations = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, item]) =>
      Object.entries(item).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method,
        path,
        operation,
      })),
  );
});
after(() => server.stop());

test('the OpenAPI document is valid, names every function, and has a page', async () => {
  assert.equal(document.openapi, '3.1.0');
  const result = await new Validator().validate(structuredClone(document));
  assert.ok(result.valid, JSON.stringify(result.errors));
  assert.equal(document.info.license.name, 'MIT');
  assert.ok(document.servers.length);

  const P = '/api/2.8/{project}';
  const layer = `${P}/{map}/layers/{layer}`;
  const functions = operations.map(({ name }) => name);
  for (const name of [
    `POST ${P}/login/`,
    `POST ${P}/logout/`,
    `GET ${P}/authorized/`,
    `GET ${P}/users/list/`,
    `GET ${P}/users/info/`,
    `POST ${P}/`,
    `GET ${P}/{map}/`,
    `GET ${P}/maps/`,
    `GET ${P}/maps/available/`,
    `GET ${P}/maps/public/`,
    `GET ${P}/{map}/layers/`,
    `POST ${P}/{map}/publish/`,
    `POST ${P}/{map}/folders/`,
    `POST ${P}/{map}/layers/`,
    `PATCH ${layer}/`,
    `GET ${P}/{map}/search/`,
    `GET ${layer}/bbox/`,
    `GET ${layer}/structure/`,
    `POST ${layer}/import/`,
    `GET ${layer}/export/`,
    `GET ${layer}/count/`,
    `GET ${layer}/objects/`,
    `POST ${layer}/filter/`,
    'GET /tms/{project}/{map}/',
  ]) {
    assert.ok(functions.includes(name), `${name} is documented`);
  }
  const page = await server.request('GET', '//api/2.8/docs/');
  assert.equal(page.status, 200);
  assert.match(page.text, /Cartulary/);
});

test('every function has a unique name, a summary and a described tag', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.deepEqual(ids, [...new Set(ids)]);
  const tags = document.tags.map(({ name }: { name: string }) => name);
  for (const { name, operation } of operations) {
    assert.match(operation.operationId, /^[a-z]+[A-Z][A-Za-z0-9]*$/, name);
    assert.ok(operation.summary, `${name} has a summary`);
    for (const tag of operation.tags) assert.ok(tags.includes(tag), `${name}: the tag ${tag} is described`);
  }
});

test('every function takes f with its valid forms only', () => {
  const forms = operations.flatMap(({ name, operation }) =>
    name.includes('{project}')
      ? [[name, operation.parameters?.find((one) => one.name === 'f')?.schema.enum] as const]
      : [],
  );
  assert.ok(forms.length > 50);
  for (const [name, values] of forms) {
    assert.ok(Array.isArray(values), `${name} has f`);
    assert.ok(!values.includes('xml'), name);
  }
});

test('every parameter, body and answer is described, and shown by an example that fits its schema', () => {
  const ajv = new Ajv({ strict: false, coerceTypes: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', ...document });
  const fits = (schema: Record<string, unknown>, example: unknown, what: string): void => {
    const resolved = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
    const isValid = ajv.compile(resolved);
    assert.ok(isValid(example), `${what}: ${JSON.stringify(example)} ${JSON.stringify(isValid.errors)}`);
  };
  const ofMedia = (content: Record<string, Media> | undefined, what: string): void => {
    for (const [type, { schema, example, examples }] of Object.entries(content ?? {})) {
      assert.ok(schema, `${what} ${type} has a schema`);
      const shown = examples ? Object.values(examples).map(({ value }) => value) : [example];
      for (const value of shown) {
        assert.notEqual(value, undefined, `${what} ${type} has an example`);
        fits(schema, value, `${what} ${type}`);
      }
    }
  };
  for (const { name, method, path, operation } of operations) {
    const parameters = operation.parameters ?? [];
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    assert.deepEqual(
      parameters.filter((one) => one.in === 'path').map((one) => one.name),
      inPath,
      name,
    );
    for (const parameter of parameters) {
      const what = `${name} ${parameter.name}`;
      assert.ok(parameter.description?.length > 3, `${what} has a description`);
      if (parameter.in === 'path') assert.notEqual(parameter.example, undefined, what);
      if (parameter.example !== undefined) fits(parameter.schema, parameter.example, what);
    }
    ofMedia(operation.requestBody?.content, `${name} body`);
    for (const [status, response] of Object.entries(operation.responses)) {
      assert.ok(response.description, `${name} ${status} has a description`);
      ofMedia(response.content, `${name} ${status}`);
    }
    // The protocol of uploads has its own statuses: 201 for a new upload, 204 for a stored part.
    const said = path.includes('/files/uploads/') && operation.responses[method === 'post' ? 201 : 204];
    if (said) assert.equal(Boolean(said.content), method === 'post', name);
    // Writes in the doors of the OGC standards answer without a body.
    else if (path.startsWith('/ogc/') && method !== 'get')
      assert.ok(operation.responses[method === 'post' ? 201 : 204], name);
    else assert.ok(operation.responses[200]?.content, `${name} says what it answers`);
  }
});

test('every function describes how a token is sent and which errors occur', () => {
  for (const { name, method, path, operation } of operations) {
    const { responses, security } = operation;
    const has = (status: number): boolean => String(status) in responses;
    for (const status of [400, 405, 431, 500, 503]) assert.ok(has(status), `${name}: ${status}`);
    const own = doorForms[path.split('/')[1]!] ?? [];
    assert.deepEqual(Object.keys(responses[500]!.content!), [...own, 'application/json'], name);
    assert.deepEqual(Object.keys(responses[400]!.content!), [...own, 'text/html', 'application/json'], name);
    assert.equal(has(404), path.includes('{'), `${name}: 404`);
    assert.equal(has(413) && has(415), method !== 'get', `${name}: 413, 415`);
    assert.equal(
      has(429),
      /(login|login\/password|ext-login|ext-auth|import|export|events|uploads)\/$/.test(path),
      `${name}: 429`,
    );
    const isPart = /\/uploads\/\{upload\}\/$/.test(path) && method === 'patch';
    assert.deepEqual([has(409), has(460)], [isPart, isPart], `${name}: 409, 460`);
    if (path.includes('/files/uploads/')) assert.equal(has(412), method !== 'get', `${name}: 412`);
    const needsToken = security.length > 0 && !security.some((one) => Object.keys(one).length === 0);
    if (security.length) assert.ok(has(401) && has(403), `${name}: 401, 403`);
    // A job that was started without a token belongs to everybody who knows its id. The services of OGC read by POST, too.
    if (
      method !== 'get' &&
      !/^\/(wfs|wms|wmts)\//.test(path) &&
      !/(login|logout|filter|export|statistics|statistics\/groups|jobs\/\{job\})\/$/.test(path)
    )
      assert.ok(needsToken, `${name}: a token`);
  }
});

test('doors answer in the forms that are described', async () => {
  await server.admin('POST', '/', { code: 'doors' });
  await server.admin('POST', '/doors/layers/', { code: 'places' });
  const answered: string[] = [];
  for (const [path, of] of [
    ['/wms/demo/doors/', '/wms/{project}/{map}/'],
    ['/wms/demo/nothing/?service=WMS&request=GetCapabilities', '/wms/{project}/{map}/'],
    ['/wms/demo/nothing/?version=1.1.1&request=GetMap', '/wms/{project}/{map}/'],
    ['/wms/demo/%ff/', '/wms/{project}/{map}/'],
    ['/wmts/demo/doors/?request=none', '/wmts/{project}/{map}/'],
    ['/wfs/demo/doors/?request=none', '/wfs/{project}/{map}/'],
    ['/wfs/demo/doors/?request=GetCapabilities', '/wfs/{project}/{map}/'],
    ['/ogc/demo/doors/?limit=1', '/ogc/{project}/{map}/'],
    ['/ogc/demo/doors/?f=html', '/ogc/{project}/{map}/'],
    ['/ogc/demo/doors/api', '/ogc/{project}/{map}/api/'],
    ['/ogc/demo/doors/collections/places/schema', '/ogc/{project}/{map}/collections/{layer}/schema/'],
    ['/ogc/demo/doors/collections/places/items', '/ogc/{project}/{map}/collections/{layer}/items/'],
    ['/ogc/demo/doors/tiles', '/ogc/{project}/{map}/tiles/'],
  ] as const) {
    const answer = await server.request('GET', `/${path}`, { token: server.adminToken });
    const [type] = String(answer.headers.get('content-type')).split(';');
    answered.push(`${answer.status} ${type}`);
    const { responses } = document.paths[of].get as Operation;
    const types = Object.keys(responses[answer.status]?.content ?? {});
    assert.ok(types.includes(type!), `${path}: ${answer.status} ${type}, described: ${types}`);
  }
  assert.ok(new Set(answered).size >= 8, answered.join(', '));
});

test('every parameter of the query that a function reads is described', async () => {
  // A parameter without a schema would be read unchecked.
  const reads = operations.find(({ name }) => name.startsWith('GET') && name.endsWith('/objects/'))!;
  const named = reads.operation.parameters!.map(({ name }) => name);
  for (const name of [
    ...['fields', 'fcode', 'fval', 'offset', 'limit', 'sort', 'fbbox', 'returnBbox', 'bboxSR', 'returnGeom'],
    ...['geomSR', 'geomZoom', 'returnCentroid', 'lng', 'f'],
  ]) {
    assert.ok(named.includes(name), name);
  }
});

test('a language that passes the pattern never makes Intl throw', async () => {
  const good = ['en', 'ru', 'pt-BR', 'zh-Hans-CN', 'es-419', 'de-1996', 'sr-Latn', 'fil'];
  for (const code of good) {
    assert.ok(isLanguage(code), code);
    assert.ok(new Intl.Locale(code));
  }
  const bad = [
    'abcd',
    'en-a',
    'en-US-US',
    'en-abc-abc',
    'a',
    'en_US',
    'de-1996-1996',
    'en-x',
    'en-abcdefghi',
  ];
  for (const code of bad) {
    assert.ok(!isLanguage(code), code);
    const answer = await server.request('GET', `/nothing/?lng=${code}`);
    assert.equal(answer.status, 400, code);
  }
  assert.ok(!isLanguage(''));
});

test('every field of the drawing settings is described, with its range and default', async () => {
  await server.admin('POST', '/', { code: 'fields' });
  await server.admin('POST', '/fields/layers/', { code: 'l' });
  for (const code of ['n', 'm'])
    await server.admin('POST', '/fields/layers/l/structure/', { code, type: 'number' });
  const path = '/fields/layers/l/';
  const change = (body: object) => server.admin('PATCH', path, body);
  const columns = [{ code: 'n' }];
  const shown: Record<string, object>[] = [
    await change({ simpleStyle: { marker: {}, label: { column: 'n' } } }),
    await change({ render_type: 1, vectorSettings: {} }),
    await change({
      render_settings: { minZoom: 0, maxZoom: 24, opacity: 1, buffer: 1, cache: true },
    }),
  ];
  for (let type = 1; type <= 7; type++)
    shown.push(
      await change({
        visualSettings: {
          type,
          columnCode: 'n',
          classesSettings: { columns, ...(type === 1 ? { limits: [0, 1] } : {}) },
        },
      }),
    );
  const { schema } =
    document.paths['/api/2.8/{project}/{map}/layers/{layer}/'].patch.requestBody.content['application/json'];
  const undescribed: string[] = [];
  const compare = (value: unknown, described: any, at: string): void => {
    const own = described?.anyOf?.[0] ?? described;
    if (!own?.description) undescribed.push(at);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !own?.properties) return;
    for (const [key, inner] of Object.entries(value)) compare(inner, own.properties[key], `${at}.${key}`);
  };
  for (const layer of shown)
    for (const name of ['simpleStyle', 'vectorSettings', 'visualSettings', 'render_settings'])
      if (layer[name]) compare(layer[name], schema.properties[name], name);
  assert.deepEqual(undescribed, []);
  assert.ok(shown.every((layer) => layer.render_settings));
});

test('what a client has already is answered 304 only where the document says so', async () => {
  await server.admin('POST', '/', { code: 'kept' });
  await server.admin('POST', '/kept/layers/', { code: 'a', css_style: '#a { marker-file: url(cafe); }' });
  await server.admin('POST', '/kept/layers/a/structure/', { code: 'photo', type: 'file' });
  await server.admin('POST', '/kept/layers/a/objects/', {
    fields: {},
    geom: { type: 'Point', coordinates: [1, 2] },
  });
  const form = new FormData();
  form.set('file', new Blob(['hello']), 'hello.txt');
  const { uuid } = await server.admin('POST', '/kept/layers/a/objects/1/files/?field=photo', form);
  const names: Record<string, string> = {
    ...{ project: 'demo', map: 'kept', layer: 'a', object: '1', field: 'photo', uuid, icon: 'cafe' },
    ...{ z: '0', x: '0', y: '0', format: 'png', set: 'WebMercatorQuad', matrixSet: 'WebMercatorQuad' },
    ...{ style: 'default', fonts: 'Noto Sans Regular', range: '0-255' },
  };
  const kept: string[] = [];
  for (const { name, method, path, operation } of operations) {
    if (method !== 'get') continue;
    const filled = path.replace(/\{(\w+)\}/g, (_, part) => encodeURIComponent(names[part] ?? 'none'));
    const { status } = await server.request('GET', `//${filled.slice(1)}`, {
      token: server.adminToken,
      headers: { 'if-none-match': '*' },
    });
    assert.ok(operation.responses[status], `${name}: ${status}`);
    if (status === 304) kept.push(path);
  }
  for (const path of ['/tiles/{project}/{map}/sprite.json', '/api/2.8/{project}/files/{uuid}/'])
    assert.ok(kept.includes(path), path);
});

test('behind a prefix the document names the server there: its page and generated clients send requests to it', async () => {
  assert.equal(document.servers[0].url, '/');
  const behind = await startServer({ CARTULARY_BASE_URL: 'https://maps.example.org/geo' });
  try {
    const { json } = await behind.request('GET', '//api/2.8/openapi.json');
    assert.equal(json.servers[0].url, '/geo');
  } finally {
    await behind.stop();
  }
});
