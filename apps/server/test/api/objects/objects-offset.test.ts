import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestServer } from '../../support/server.js';

const layer = '/m/layers/l';
const count = 60;

let server: TestServer;
test.before(async () => {
  server = await startServer({ CARTULARY_LIST_OFFSET: '20' });
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  await server.admin('POST', `${layer}/structure/`, { code: 'size', type: 'number' });
  const create = Array.from({ length: count }, (_, i) => ({ fields: { size: i % 7 ? i % 5 : null } }));
  await server.admin('POST', `${layer}/objects/batch/`, { create });
});
test.after(() => server.stop());

const idsOf = (objects: { id: number }[]): number[] => objects.map(({ id }) => id);

test('an offset beyond the largest is 400 that names it, and the way on', async () => {
  const json = { accept: 'application/json' };
  for (const [method, path, body] of [
    ['GET', `${layer}/objects/?offset=21`, undefined],
    ['POST', `${layer}/filter/`, { offset: 21 }],
    ['POST', `${layer}/filter/`, { offset: 2 ** 53 - 1 }],
  ] as const) {
    const answer = await server.request(method, path, { body, headers: json });
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(
      [answer.json.code, answer.json.data],
      ['bad_request', { parameters: ['offset'], limit: 20 }],
    );
    assert.match(answer.json.message, /20.*cursor/);
  }
  assert.equal((await server.admin('GET', `${layer}/objects/?offset=20`)).length, count - 20);
});

for (const sort of ['', 'size,d'])
  for (const limit of [9, 10, 25])
    test(`a list with offsets continues by cursor: sorted by '${sort}', ${limit} at a time`, async () => {
      const whole = idsOf(await server.admin('GET', `${layer}/objects/?sort=${sort}`));
      const first = { sort, limit: String(limit), offset: '0' };
      for (const method of ['GET', 'POST']) {
        const found: number[] = [];
        const way: string[] = [];
        let url = method === 'GET' ? `${layer}/objects/?${new URLSearchParams(first)}` : `${layer}/filter/`;
        for (;;) {
          const { status, json, headers, text } = await server.request(method, url, {
            body: method === 'POST' ? first : undefined,
          });
          assert.equal(status, 200, text);
          found.push(...idsOf(json));
          const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
          if (!next) break;
          const parameters = new URL(next).searchParams;
          way.push(parameters.has('cursor') ? 'cursor' : parameters.get('offset')!);
          assert.ok(way.length < count, 'it does not end');
          url = next.slice(next.indexOf(layer));
        }
        assert.deepEqual(found, whole);
        assert.equal(way.at(-1), 'cursor');
        assert.ok(way.every((one) => one === 'cursor' || Number(one) <= 20));
      }
    });
