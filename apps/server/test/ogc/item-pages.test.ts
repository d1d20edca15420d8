/** OGC API Features: pages of a list are walked by their links, forwards to the end and backwards to the beginning. */
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { startServer, type TestAnswer, type TestServer } from '../support/server.js';

let server: TestServer;
const items = '//ogc/demo/m/collections/walk/items';
const count = 23;

/** Texts that are too long for an address, values of all types, and none. */
const fieldsOf = (i: number) => ({
  s: i % 5 === 0 ? null : ['ä', 'A', '', 'z %&+', 'Ω'][i % 5]! + (i % 3),
  t: i % 7 === 0 ? null : i % 4 === 3 ? 'x'.repeat(5_000) + i : `short ${i % 4}`,
  n: [null, 0, -0, 1e-310, 1.5, -3][i % 6],
  d: i % 6 ? new Date(1.6e12 + (i % 9) * 1e9 + (i % 2)).toISOString() : null,
  b: [true, false, null][i % 3],
});

before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'walk' });
  for (const [code, type] of [
    ['s', 'string'],
    ['t', 'text'],
    ['n', 'number'],
    ['d', 'datetime'],
    ['b', 'bool'],
  ])
    await server.admin('POST', '/m/layers/walk/structure/', { code, type });
  await server.admin('POST', '/m/layers/walk/objects/batch/', {
    create: Array.from({ length: count }, (_, i) => ({
      fields: fieldsOf(i),
      geom: i % 9 === 8 ? null : { type: 'Point', coordinates: [i - 18, i / 2] },
    })),
  });
});
after(() => server?.stop());

const get = (path: string) => server.request('GET', path, { headers: { accept: 'application/geo+json' } });
const idsOf = ({ json }: TestAnswer): number[] => json.features.map(({ id }: { id: number }) => id);

/** The pages from one on, along a relation. */
async function walked(first: TestAnswer, rel: 'next' | 'prev', where: string): Promise<TestAnswer[]> {
  const pages = [first];
  for (;;) {
    const { json } = pages.at(-1)!;
    const href = json.links.find((link: { rel: string }) => link.rel === rel)?.href as string | undefined;
    if (href === undefined) return pages;
    const page = await get(`/${href.slice(server.url.length)}`);
    assert.equal(page.status, 200, `${rel} of ${where}: ${href} ${page.text.slice(0, 300)}`);
    assert.ok(pages.push(page) <= 2 * count, `${rel} of ${where} has no end`);
  }
}

const sorts = ['', 's', '-t', 't', 'b,-t', 't,n', '-d,t', '-n', '-svc_id'];
const conditions = [
  '',
  'filter=n IS NULL',
  'filter=n>=0',
  'bbox=-16,-5,4,20',
  'b=true',
  "filter=t LIKE 'x%25'",
];

test('links lead to the end and back to the beginning, over all orders and conditions', async () => {
  for (const sort of sorts)
    for (const condition of conditions) {
      const query = [sort && `sortby=${sort}`, condition].filter(Boolean).join('&');
      const whole = idsOf(await get(`${items}?${query}&limit=1000`));
      assert.ok(whole.length > 1, query);
      for (const limit of [2, 5]) {
        const where = `${query}&limit=${limit}`;
        const forwards = await walked(await get(`${items}?${where}`), 'next', where);
        assert.deepEqual(forwards.flatMap(idsOf), whole, where);
        const back = await walked(forwards.at(-1)!, 'prev', where);
        assert.deepEqual(back.toReversed().flatMap(idsOf), whole, `back: ${where}`);
        const again = await walked(back.at(-1)!, 'next', where);
        assert.deepEqual(again.flatMap(idsOf), whole, `again: ${where}`);
      }
    }
});

test('links from a page by offset lead to the beginning without repeating a feature', async () => {
  for (const sort of ['', 't', '-t', 's,-n']) {
    const whole = idsOf(await get(`${items}?sortby=${sort}&limit=1000`));
    const where = `sortby=${sort}&limit=5&offset=3`;
    const forwards = await walked(await get(`${items}?${where}`), 'next', where);
    assert.deepEqual(forwards.flatMap(idsOf), whole.slice(3), where);
    for (const from of [forwards[0]!, forwards.at(-1)!]) {
      const back = await walked(from, 'prev', where);
      const end = whole.indexOf(idsOf(from).at(-1)!) + 1;
      assert.deepEqual(back.toReversed().flatMap(idsOf), whole.slice(0, end), `back: ${where}`);
    }
  }
});

test('places of pages that no link has given are refused', async () => {
  for (const wrong of ['before=1', 'skip=1', 'cursor=&before=x', 'cursor=&skip=-1', 'cursor=&before=1e9']) {
    const answer = await get(`${items}?${wrong}`);
    assert.equal(answer.status, 400, `${wrong}: ${answer.text.slice(0, 200)}`);
  }
});
