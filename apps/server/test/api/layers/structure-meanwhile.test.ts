/** Requests during a change of their layer's structure wait for it, and are checked against the new structure. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freshCode, startServer, type TestServer } from '../../support/server.js';
import { outcome } from '../access/people.js';

let server: TestServer;
before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
});
after(() => server.stop());

const count = 5_000;

/** A layer whose column change takes long. Returns its path. */
async function fullLayer(): Promise<string> {
  const { code } = await server.admin('POST', '/m/layers/', { code: freshCode('l') });
  const at = `/m/layers/${code}/`;
  for (const [name, type] of [
    ['size', 'string'],
    ['name', 'string'],
  ])
    await server.admin('POST', `${at}structure/`, { code: name, type });
  await server.admin('POST', `${at}objects/batch/`, {
    create: Array.from({ length: count }, (_, i) => ({ fields: { size: String(i), name: `Number ${i}` } })),
  });
  return at;
}

const changes: [what: string, method: string, path: string, body?: object][] = [
  ['its type', 'PATCH', 'structure/size/', { type: 'number' }],
  ['its code', 'PATCH', 'structure/size/', { type: 'string', code: 'weight' }],
  ['its values', 'PATCH', 'structure/size/', { type: 'string', localized_value: true }],
  ['that it is required', 'PATCH', 'structure/size/', { type: 'string', required: true }],
  ['all of it', 'DELETE', 'structure/size/'],
];
for (const [what, method, path, body] of changes)
  test(`while a column changes (${what}), others read and write the layer`, async () => {
    const at = await fullLayer();
    const ask = (...[asked, to, sent]: [string, string, object?]) =>
      outcome(server, asked, `${at}${to}`, { token: server.adminToken, body: sent });
    const changed = ask(method, path, body);
    const answers = [];
    for (let i = 1; i <= 15; i++) {
      answers.push(
        ask('POST', 'objects/', { fields: { name: 'new' }, geom: { type: 'Point', coordinates: [1, 2] } }),
        ask('PUT', `objects/${i}/`, { fields: { name: 'changed' } }),
        ask('POST', 'objects/batch/', { update: [{ id: 100 + i, fields: { name: 'changed' } }] }),
        ask('PUT', `objects/${i}/geom/`, { type: 'Point', coordinates: [3, 4] }),
        ask('GET', `objects/${i}/`),
        ask('POST', 'filter/', { limit: 5, sort: 'name' }),
        ask('DELETE', `objects/${1_000 + i}/`),
      );
      await sleep(5);
    }
    assert.equal((await changed)[0], 200);
    const seen = new Set((await Promise.all(answers)).map(String));
    // An object without a value is refused once the column is required.
    seen.delete('500,required_missing');
    assert.deepEqual([...seen], ['200,']);
    const object = await server.admin('GET', `${at}objects/1/`);
    assert.equal(object.fields.name, 'changed');
  });

test('a value sent for the old type is checked against the new one', async () => {
  const at = await fullLayer();
  const ask = (...[asked, to, sent]: [string, string, object?]) =>
    outcome(server, asked, `${at}${to}`, { token: server.adminToken, body: sent });
  const changed = ask('PATCH', 'structure/size/', { type: 'number' });
  const written = Array.from({ length: 20 }, (_, i) =>
    ask('PUT', `objects/${i + 1}/`, { fields: { size: 'ten' } }),
  );
  assert.equal((await changed)[0], 200);
  for (const one of await Promise.all(written))
    assert.ok(['200,', '500,value_invalid'].includes(String(one)), String(one));
  const { fields } = await server.admin('GET', `${at}objects/21/`);
  assert.equal(fields.size, 20);
});
