import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestServer } from '../../support/server.js';

const layer = '/m/layers/l';
const count = 200;

/** Values of an object. Many objects have the same values, and some have none. */
function fieldsOf(i: number): Record<string, unknown> {
  return {
    name: i % 7 ? ['а', 'б', 'B', 'b', 'ё', 'e', "'; --", 'a|b', '🌍', ''][i % 10] : null,
    size: i % 5 ? ((i * 7919) % 23) / 7 - 1 : null,
    day: i % 6 ? `2024-0${1 + (i % 9)}-01T00:00:00.${String(i % 3).padStart(3, '0')}Z` : null,
    ok: i % 3 ? i % 2 === 0 : null,
    note: { en: `n${i % 4}`, ru: `н${i % 3}` },
  };
}

let server: TestServer;
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm', locales: [{ code: 'en' }, { code: 'ru' }] });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  for (const [code, type] of [
    ['name', 'string'],
    ['size', 'number'],
    ['day', 'datetime'],
    ['ok', 'bool'],
  ])
    await server.admin('POST', `${layer}/structure/`, { code, type });
  await server.admin('POST', `${layer}/structure/`, { code: 'note', type: 'string', localized_value: true });
  const create = Array.from({ length: count }, (_, i) => ({ fields: fieldsOf(i) }));
  await server.admin('POST', `${layer}/objects/batch/`, { create });
});
test.after(() => server.stop());

/** The ids of a list page by page; `between` runs after each page. */
async function pages(
  parameters: Record<string, string>,
  { post = false, between = async (_page: number) => {} } = {},
): Promise<number[][]> {
  const first = new URLSearchParams({ ...parameters, limit: '17', cursor: '' });
  const found: number[][] = [];
  let url = post ? `${layer}/filter/` : `${layer}/objects/?${first}`;
  for (;;) {
    const body = post ? Object.fromEntries(first) : undefined;
    const { status, json, headers, text } = await server.request(post ? 'POST' : 'GET', url, { body });
    assert.equal(status, 200, text);
    found.push(json.map(({ id }: { id: number }) => id));
    const next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
    if (!next) return found;
    assert.ok(found.length < 100, 'it does not end');
    assert.doesNotMatch(next, /offset/);
    url = next.slice(next.indexOf(layer));
    await between(found.length);
  }
}

const sorts = [
  '',
  'name,a',
  'name,d',
  'size,d|name,a',
  'ok,a|size,a',
  'day,d|ok,d',
  'svc_id,d',
  'note,a|day,a',
];

for (const sort of sorts)
  test(`page by page it is the whole list, sorted by '${sort}'`, async () => {
    const whole = await server.admin('GET', `${layer}/objects/?${new URLSearchParams({ sort, lng: 'ru' })}`);
    const ids = whole.map(({ id }: { id: number }) => id);
    assert.equal(ids.length, count);
    for (const post of [false, true]) {
      const found = await pages({ sort, lng: 'ru' }, { post });
      assert.deepEqual(found.flat(), ids);
      assert.ok(found.slice(0, -1).every((page) => page.length === 17));
    }
  });

test('with a filter, and of nothing', async () => {
  const filter = { sort: 'size,a', fields: 'name', fcode: 'name', fval: 'b' };
  const whole = await server.admin('GET', `${layer}/objects/?${new URLSearchParams(filter)}`);
  assert.deepEqual(
    (await pages(filter)).flat(),
    whole.map(({ id }: { id: number }) => id),
  );
  assert.deepEqual(await pages({ ...filter, fval: 'nothing' }), [[]]);
});

test('what stays as it is comes once, whatever is written between the pages', async () => {
  const untouched = new Set<number>();
  const whole = await server.admin('GET', `${layer}/objects/`);
  for (const { id } of whole) if (id % 4 === 0) untouched.add(id);
  const others = whole.map(({ id }: { id: number }) => id).filter((id: number) => !untouched.has(id));
  const found = await pages(
    { sort: 'size,d|name,a' },
    {
      async between(page) {
        // The last object of a page may also move or be deleted.
        const taken = others.splice(0, 12);
        await server.admin('POST', `${layer}/objects/batch/`, {
          delete: taken.slice(0, 6),
          update: taken.slice(6).map((id: number) => ({ id, fields: { size: page - 3 } })),
          create: [{ fields: { size: 0.5 + page } }, { fields: { size: -page } }],
        });
      },
    },
  );
  const seen = found.flat().filter((id) => untouched.has(id));
  assert.equal(seen.length, untouched.size, 'each once');
  assert.deepEqual(new Set(seen), untouched);
});

test('cursors with long values work until they exceed the length of an address', async () => {
  await server.admin('POST', '/m/layers/', { code: 'long' });
  await server.admin('POST', '/m/layers/long/structure/', { code: 'text', type: 'text' });
  const list = '/m/layers/long/objects/';
  const ask = (cursor: string) =>
    server.request('GET', `${list}?sort=text,a&limit=1&cursor=${cursor}`, {
      headers: { accept: 'application/json' },
    });
  for (const [length, goesOn] of [
    [1_400, true],
    [1_800, false],
  ] as const) {
    await server.admin('POST', list, { fields: { text: 'ы'.repeat(length) } });
    await server.admin('POST', list, { fields: { text: 'ъ'.repeat(length) } });
    const { status, headers, json } = await ask('');
    assert.equal(status, goesOn ? 200 : 400, JSON.stringify(json));
    if (!goesOn) return void assert.match(json.message, /too long/);
    const cursor = new URL(/<([^>]*)>/.exec(headers.get('link')!)![1]!).searchParams.get('cursor')!;
    const next = await ask(cursor);
    assert.deepEqual([next.status, next.json.length], [200, 1]);
    await server.admin('DELETE', list, { delete_params: '1-2' });
  }
});

test('a cursor of another list, or none, is 400', async () => {
  const link = (await server.request('GET', `${layer}/objects/?cursor=&limit=2&sort=size,d`)).headers.get(
    'link',
  )!;
  const cursor = new URL(/<([^>]*)>/.exec(link)![1]!).searchParams.get('cursor')!;
  const [order] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  const forged = (...parts: unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');
  for (const [parameters, why] of [
    [`cursor=${cursor}`, /sorted otherwise/],
    [`cursor=${cursor}&sort=size,a`, /sorted otherwise/],
    [`cursor=${cursor}&sort=size,d&offset=3`, /offset/],
    ['cursor=x', /not one/],
    [`cursor=${'x'.repeat(5_000)}`, /not one/],
    [`cursor=${encodeURIComponent("'; drop")}`, /not one/],
    [`cursor=${forged({})}`, /otherwise|not one/],
    ...['1e999', '1e-999', "1'", 'NaNa', {}, [], 5, ''].map(
      (key) => [`sort=size,d&cursor=${forged(order, 5, key)}`, /not one/] as const,
    ),
    [`sort=size,d&cursor=${forged(order, '5', '1')}`, /not one/],
    [`sort=size,d&cursor=${forged(order, 5, '1', '1')}`, /otherwise/],
  ] as [string, RegExp][]) {
    const { status, json, text } = await server.request('GET', `${layer}/objects/?${parameters}`, {
      headers: { accept: 'application/json' },
    });
    assert.equal(status, 400, `${parameters}: ${text}`);
    assert.match(json.message, why);
  }
  const day = (await server.admin('GET', `${layer}/structure/`)).find((one: any) => one.code === 'day').id;
  for (const key of ['2024-13-45 99:00:00.000000', 'now', '2024-01-01', 'infinity']) {
    const at = `sort=day,a&cursor=${forged(`${day}a`, 5, key)}`;
    assert.equal((await server.request('GET', `${layer}/objects/?${at}`)).status, 400, key);
  }
});
