import assert from 'node:assert/strict';
import test from 'node:test';
import { startServer, type TestServer } from '../../support/server.js';

interface Item {
  n: number | null;
  s: string | null;
  d: string | null;
  b: boolean | null;
}

const districts = ['Nord', 'Süd', 'Ost', 'Ёж'];
const items: Item[] = Array.from({ length: 200 }, (_, i) => ({
  n: i % 11 === 0 ? null : ((i * 37) % 90) - 20 + (i % 4) / 4,
  s: i % 13 === 0 ? null : districts[(i * 7 + (i >> 3)) % 4]!,
  d: i % 17 === 0 ? null : new Date(Date.UTC(2024, 0, 1 + ((i * 5) % 60))).toISOString(),
  b: i % 7 === 0 ? null : i % 3 === 0,
}));

let server: TestServer;
const layer = '/m/layers/l';
test.before(async () => {
  server = await startServer({ CARTULARY_STATISTICS_GROUPS: '50' });
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  for (const [code, type] of Object.entries({
    n: 'number',
    s: 'string',
    d: 'datetime',
    b: 'bool',
    j: 'json',
    t: 'title',
    l: 'string',
  }))
    await server.admin('POST', `${layer}/structure/`, { code, type, localized_value: code === 'l' });
  const create = items.map((fields, i) => ({
    fields: { ...fields, j: i ? { i } : null, l: i < 3 ? { en: `en ${i % 2}`, ru: `ru ${i % 2}` } : null },
    geom: i % 10 === 0 ? null : { type: 'Point', coordinates: [i / 10, 1] },
  }));
  await server.admin('POST', `${layer}/objects/batch/`, { create });
});
test.after(() => server.stop());

const ask = (body: object, path = 'statistics/', lng = '') =>
  server.request('POST', `${layer}/${path}${lng && `?lng=${lng}`}`, {
    token: server.adminToken,
    body,
    headers: { accept: 'application/json' },
  });
async function found(body: object, path?: string, lng?: string): Promise<any> {
  const answer = await ask(body, path, lng);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
const groupsOf = (body: object): Promise<any> => found(body, 'statistics/groups/');

const sorted = (values: number[]): number[] => [...values].sort((a, b) => a - b);
const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0);

/** Linear interpolation between the closest ranks, as `percentile_cont` defines it. */
function percentile(values: number[], at: number): number {
  const place = (at / 100) * (values.length - 1);
  const [low, high] = [values[Math.floor(place)]!, values[Math.ceil(place)]!];
  return low + (high - low) * (place - Math.floor(place));
}
const near = (actual: number, expected: number, what: string): void =>
  assert.ok(
    Math.abs(actual - expected) < 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: ${actual}, not ${expected}`,
  );

const over20 = { op: '>', args: [{ property: 'n' }, 20] };

test('the statistics of a number column are those of its values under the filter', async () => {
  for (const filter of [undefined, over20]) {
    const chosen = items.filter(({ n }) => !filter || (n !== null && n > 20));
    const values = sorted(chosen.flatMap(({ n }) => n ?? []));
    const answer = await found({ column: 'n', filter, percentiles: [0, 12.5, 50, 90, 100], frequent: 3 });
    assert.equal(answer.count, chosen.length);
    assert.equal(answer.nulls, chosen.length - values.length);
    assert.equal(answer.values, values.length);
    assert.equal(answer.distinct, new Set(values).size);
    assert.equal(answer.distinct_limited, false);
    assert.deepEqual([answer.min, answer.max], [values[0], values.at(-1)]);
    near(answer.sum, sum(values), 'sum');
    const mean = sum(values) / values.length;
    near(answer.mean, mean, 'mean');
    near(answer.deviation, Math.sqrt(sum(values.map((v) => (v - mean) ** 2)) / values.length), 'deviation');
    assert.deepEqual(
      answer.percentiles.map((one: any) => one.percentile),
      [0, 12.5, 50, 90, 100],
    );
    for (const one of answer.percentiles)
      near(one.value, percentile(values, one.percentile), `percentile ${one.percentile}`);
    assert.equal(answer.histogram, null);
    assert.equal(answer.frequent.length, 3);
    const times = (value: number) => values.filter((one) => one === value).length;
    for (const { value, count } of answer.frequent) assert.equal(count, times(value));
    assert.equal(answer.frequent[0].count, Math.max(...values.map(times)));
  }
});

test('the smallest numbers that there are have a histogram', async () => {
  await server.admin('POST', '/m/layers/', { code: 'tiny' });
  await server.admin('POST', '/m/layers/tiny/structure/', { code: 'n', type: 'number' });
  const create = [5e-324, -5e-324, 1e-310, 1e-300].map((n) => ({ fields: { n } }));
  await server.admin('POST', '/m/layers/tiny/objects/batch/', { create });
  const body = { column: 'n', histogram: 'equal', bins: 4 };
  const { histogram } = await server.admin('POST', '/m/layers/tiny/statistics/', body);
  assert.deepEqual([histogram[0].from, histogram.at(-1).to], [-5e-324, 1e-300]);
  assert.equal(
    histogram.reduce((all: number, { count }: any) => all + count, 0),
    4,
  );
});

test('the bins of both histograms hold every value once, and quantiles share the values evenly', async () => {
  const values = sorted(items.flatMap(({ n }) => n ?? []));
  for (const histogram of ['equal', 'quantile']) {
    const answer = await found({ column: 'n', histogram, bins: 7 });
    assert.equal(answer.histogram.length, 7);
    assert.deepEqual([answer.histogram[0].from, answer.histogram.at(-1).to], [values[0], values.at(-1)]);
    for (const [i, { from, to, count }] of answer.histogram.entries()) {
      const isLast = i === 6;
      assert.equal(
        count,
        values.filter((v) => v >= from && (v < to || (isLast && v === to))).length,
        histogram,
      );
      if (!isLast) assert.equal(answer.histogram[i + 1].from, to);
      if (histogram === 'equal') near(to - from, (values.at(-1)! - values[0]!) / 7, 'width');
      else assert.ok(Math.abs(count - values.length / 7) <= 8, `${count} of ${values.length}`);
    }
  }
});

test('texts, dates, truth values and other types', async () => {
  const text = await found({ column: 's', histogram: 'equal', distinct: 2 });
  const count = (value: string) => items.filter(({ s }) => s === value).length;
  assert.deepEqual(
    text.frequent.map((one: any) => [one.value, one.count]),
    [...new Set(items.flatMap(({ s }) => s ?? []))]
      .map((value) => [value, count(value)] as const)
      .sort((a, b) => b[1] - a[1] || new Intl.Collator('und').compare(a[0], b[0])),
  );
  assert.deepEqual([text.distinct, text.distinct_limited], [2, true]);
  assert.deepEqual([text.min, text.max], ['Nord', 'Ёж']);
  assert.deepEqual([text.mean, text.percentiles, text.histogram], [null, [], null]);

  const days = items.flatMap(({ d }) => d ?? []).sort();
  const date = await found({ column: 'd', histogram: 'equal', bins: 2, percentiles: [0, 100] });
  assert.deepEqual([date.min, date.max, date.mean], [days[0], days.at(-1), null]);
  assert.deepEqual(
    date.percentiles.map((one: any) => one.value),
    [days[0], days.at(-1)],
  );
  assert.equal(date.histogram[0].from, days[0]);
  assert.equal(date.histogram[0].count + date.histogram[1].count, days.length);

  const truth = await found({ column: 'b' });
  assert.deepEqual([truth.min, truth.values], [null, items.filter(({ b }) => b !== null).length]);
  assert.deepEqual(
    truth.frequent,
    [false, true].map((value) => ({ value, count: items.filter(({ b }) => b === value).length })),
  );
  const json = await found({ column: 'j' });
  assert.deepEqual([json.count, json.nulls, json.values, json.frequent], [200, 1, 199, []]);
  const geom = await found({ column: 'geom' });
  assert.deepEqual([geom.count, geom.nulls], [200, 20]);
  const ids = await found({ column: 'svc_id', fbbox: '0,0.05,2,0.55' });
  assert.deepEqual([ids.count, ids.min], [5, 2]);
});

test('a localized column is counted in the language of the request', async () => {
  for (const lng of ['en', 'ru'])
    assert.deepEqual((await found({ column: 'l' }, undefined, lng)).frequent, [
      { value: `${lng} 0`, count: 2 },
      { value: `${lng} 1`, count: 1 },
    ]);
});

test('no values, equal values and the greatest numbers have statistics too', async () => {
  const none = await found({
    column: 'n',
    filter: { op: '>', args: [{ property: 'n' }, 1e9] },
    histogram: 'quantile',
  });
  assert.deepEqual(
    [none.count, none.min, none.sum, none.percentiles, none.histogram, none.frequent],
    [0, null, null, [], [], []],
  );
  await server.admin('POST', '/m/layers/', { code: 'huge' });
  await server.admin('POST', '/m/layers/huge/structure/', { code: 'n', type: 'number' });
  const store = (n: number) => server.admin('POST', '/m/layers/huge/objects/', { fields: { n } });
  await store(4);
  await store(4);
  const asked = { column: 'n', histogram: 'equal', bins: 5 };
  const equal = await server.admin('POST', '/m/layers/huge/statistics/', asked);
  assert.deepEqual(equal.histogram, [{ from: 4, to: 4, count: 2 }]);
  const others = ['1.5e308', '-1.5e308', '9e99', '-9e99', "'NaN'", "'Infinity'"].map(
    (value, i) => `select ${10 + i} as svc_id, null::geometry as geom, ${value}::double precision as n`,
  );
  const query = ['select svc_id, geom, n from m.huge', ...others].join(' union all ');
  await server.admin('POST', '/m/layers/', { code: 'far', type: 'virtual', json: { query } });
  const far = await server.admin('POST', '/m/layers/far/statistics/', asked);
  assert.deepEqual([far.count, far.nulls, far.values, far.max], [8, 0, 4, 9e99]);
  assert.deepEqual(
    far.histogram.map((one: any) => one.count),
    [1, 0, 2, 0, 1],
  );
});

test('grouped statistics are those of the objects of each group', async () => {
  const { groups, more } = await groupsOf({ by: ['s', 'b'], of: ['n', 'd'], percentiles: [50] });
  assert.equal(more, false);
  const keyOf = ({ s, b }: Pick<Item, 's' | 'b'>): string => JSON.stringify([s, b]);
  const expected = new Map<string, Item[]>();
  for (const item of items) expected.set(keyOf(item), [...(expected.get(keyOf(item)) ?? []), item]);
  assert.equal(groups.length, expected.size);
  for (const [i, group] of groups.entries()) {
    const members = expected.get(keyOf(group.by))!;
    assert.equal(group.count, members.length);
    if (i) assert.ok(groups[i - 1].count >= group.count);
    const values = sorted(members.flatMap(({ n }) => n ?? []));
    assert.equal(group.of.n.count, values.length);
    assert.deepEqual([group.of.n.min, group.of.n.max], [values[0] ?? null, values.at(-1) ?? null]);
    if (values.length) near(group.of.n.percentiles[0].value, percentile(values, 50), 'median');
    assert.equal(
      group.of.d.max,
      members
        .flatMap(({ d }) => d ?? [])
        .sort()
        .at(-1) ?? null,
    );
  }
  const [all] = (await groupsOf({ by: [], of: ['n'], filter: over20 })).groups;
  assert.deepEqual([all.by, all.count], [{}, items.filter(({ n }) => n !== null && n > 20).length]);
  assert.deepEqual(await groupsOf({ by: [], filter: { op: '<', args: [{ property: 'n' }, -1e9] } }), {
    groups: [],
    more: false,
  });
  const few = await groupsOf({ by: ['d'], sort: 'by', limit: 3 });
  assert.deepEqual(
    few.groups.map((one: any) => one.by.d),
    [...new Set(items.flatMap(({ d }) => d ?? []))].sort().slice(0, 3),
  );
  assert.equal(few.more, true);
  assert.equal((await groupsOf({ by: ['n'], limit: 500 })).groups.length, 50, 'the setting is the limit');
});

test('a very long text counts by its beginning', async () => {
  await server.admin('POST', '/m/layers/', { code: 'long' });
  await server.admin('POST', '/m/layers/long/structure/', { code: 't', type: 'text' });
  await server.admin('POST', '/m/layers/long/objects/', { fields: { t: 'x'.repeat(9000) } });
  const { frequent } = await server.admin('POST', '/m/layers/long/statistics/', { column: 't' });
  assert.deepEqual(frequent, [{ value: 'x'.repeat(500), count: 1 }]);
  const { groups } = await server.admin('POST', '/m/layers/long/statistics/groups/', { by: ['t'] });
  assert.equal(groups[0].by.t.length, 500);
});

test('what is no statistics is refused with the name of the parameter', async () => {
  for (const [body, parameter] of [
    [{ column: 'none' }, 'column'],
    [{ column: 't' }, 'column'],
    [{ column: 'n', histogram: 'log' }, 'histogram'],
    [{ column: 'n', bins: 501 }, 'bins'],
    [{ column: 'n', percentiles: [101] }, 'percentiles'],
    [{ column: 'n', filter: { op: 'x', args: [] } }, 'filter'],
    [{ column: 'n', fbbox: '1,2' }, 'fbbox'],
  ] as const) {
    const answer = await ask(body);
    assert.equal(answer.status, 400, answer.text);
    assert.match(JSON.stringify(answer.json.data), new RegExp(parameter));
  }
  for (const [body, parameter] of [
    [{ by: ['j'] }, 'by'],
    [{ by: ['none'] }, 'by'],
    [{ by: ['s'], of: ['s'] }, 'of'],
    [{ by: ['s'], limit: 0 }, 'limit'],
  ] as const) {
    const answer = await ask(body, 'statistics/groups/');
    assert.equal(answer.status, 400, answer.text);
    assert.match(JSON.stringify(answer.json.data), new RegExp(parameter));
  }
});
