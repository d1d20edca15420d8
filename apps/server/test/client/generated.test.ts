import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { clientTypes } from '@cartulary/scripts/client/types.js';
import { startServer } from '../support/server.js';

test('the types of the client are what the OpenAPI document and the catalogue of errors give', async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const { json: document } = await server.request('GET', '//api/2.8/openapi.json');
  const files = await clientTypes(document);
  assert.deepEqual(Object.keys(files), ['schema.ts', 'catalogue.ts']);
  for (const [name, text] of Object.entries(files)) {
    const committed = readFileSync(`packages/client/src/generated/${name}`, 'utf8');
    assert.ok(text === committed, `${name} is outdated: npm run client:types`);
  }
  const operations = Object.values(document.paths).flatMap((item: any) => Object.values(item));
  for (const { operationId } of operations as { operationId: string }[])
    assert.ok(files['schema.ts']!.includes(`\n    ${operationId}: {`), operationId);
});
