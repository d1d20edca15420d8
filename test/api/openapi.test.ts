import assert from 'node:assert/strict';
import test from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { startServer } from '../support/server.js';

test('the OpenAPI document is valid, names every function, and has a page', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const { status, json } = await server.request('GET', '//api/2.8/openapi.json');
  assert.equal(status, 200);
  assert.equal(json.openapi, '3.1.0');
  const result = await new Validator().validate(json);
  assert.ok(result.valid, JSON.stringify(result.errors));

  const functions = Object.entries(json.paths as Record<string, object>).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const P = '/api/2.8/{project}';
  const layer = `${P}/{map}/layers/{layer}`;
  for (const name of [
    `POST ${P}/login/`,
    `POST ${P}/logout/`,
    `GET ${P}/authorized/`,
    `GET ${P}/users/list/`,
    `GET ${P}/users/info/`,
    `POST ${P}/`,
    `GET ${P}/{map}/`,
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
  for (const [path, item] of Object.entries(json.paths as Record<string, Record<string, any>>)) {
    for (const [method, operation] of Object.entries(item)) {
      assert.ok(operation.summary, `${method} ${path} has a summary`);
      assert.ok(operation.responses['4XX'] && operation.responses['500'], `${method} ${path} has its errors`);
    }
  }
  const page = await server.request('GET', '//api/2.8/docs/');
  assert.equal(page.status, 200);
  assert.match(page.text, /Cartulary/);
});
