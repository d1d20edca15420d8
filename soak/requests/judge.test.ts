import assert from 'node:assert/strict';
import test from 'node:test';
import type { Answer } from '../client.js';
import { codeOf, faultOf, undeclared } from './judge.js';

const answer = (status: number, text: string, type = 'application/json'): Answer => ({
  status,
  type,
  headers: {},
  bytes: Buffer.from(text),
  text,
  json: undefined,
});
const sent = { method: 'GET', path: '/api/2.8/demo/' };

test('an answer is a fault if it is an error of the service, or reveals internals', () => {
  const fault = '{"error":"error","code":"internal","message":"a fault","data":{}}';
  assert.equal(faultOf(answer(500, fault), sent), 'internal');
  assert.equal(faultOf(answer(500, '<p><code>internal</code></p>', 'text/html'), sent), 'internal');
  assert.match(faultOf(answer(500, 'Oops'), sent)!, /without a code/);
  for (const text of [
    'at read (/app/src/db/pool.js:3)',
    'select svc_id from cartulary_data.layer_1',
    '/tmp/a',
  ])
    assert.match(faultOf(answer(400, `<code>bad_request</code> ${text}`, 'text/html'), sent)!, /inside/);
});

test('what the caller has sent may be repeated, and errors of the catalogue are none', () => {
  const refusal = '{"code":"value_invalid","message":"the column \'/tmp/a\'"}';
  assert.equal(faultOf(answer(500, refusal), { ...sent, path: '/api/?x=%2Ftmp%2Fa' }), undefined);
  assert.equal(faultOf(answer(500, refusal), { ...sent, body: '{"/tmp/a": 1}' }), undefined);
  assert.equal(faultOf(answer(404, '<code>map_not_found</code>', 'text/html'), sent), undefined);
  assert.equal(faultOf(answer(200, 'select a from cartulary_data.layer_1'), sent), undefined);
  const query = '{"code":"query_invalid","message":"line 1: syntax error at or near \\"x\\""}';
  assert.equal(faultOf(answer(500, query), sent), undefined);
  assert.equal(codeOf({ status: 500, text: query }), 'query_invalid');
});

test('an answer that the document does not tell of', () => {
  const responses = { 200: { content: { 'application/json': {} } }, 404: { content: { 'text/html': {} } } };
  const operation = { operationId: 'a', method: 'GET', path: '/', parameters: [], responses };
  assert.equal(undeclared(answer(200, '{}'), operation), undefined);
  assert.match(undeclared(answer(400, '{}'), operation)!, /status 400/);
  assert.match(undeclared(answer(404, '{}'), operation)!, /media type application\/json/);
});
