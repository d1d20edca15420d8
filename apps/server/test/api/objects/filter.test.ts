import assert from 'node:assert/strict';
import test from 'node:test';
import { freshCode, startServer, type TestServer } from '../../support/server.js';

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
const random = randomFrom(7);
const whole = (below: number): number => Math.floor(random() * below);
const pick = <T>(items: readonly T[]): T => items[whole(items.length)]!;

/** West, south, east, north; a point where they are equal. */
type Extent = [number, number, number, number];

interface Item {
  id: number;
  n: number | null;
  m: number | null;
  s: string | null;
  t: string | null;
  d: string | null;
  b: boolean | null;
  l: { en?: string; ru?: string } | null;
  geom: Extent | null;
}

const words = ['', 'a', 'A', 'b', 'ä', 'Ab', 'a_b', 'a%b', 'a\\b', 'Ё', 'ж', '10', '9', "it's", '"', 'x\ny'];
const maybe = <T>(value: T): T | null => (random() < 0.15 ? null : value);

const items: Item[] = Array.from({ length: 120 }, (_, i) => {
  const [west, south] = [whole(20) - 10, whole(20) - 10];
  const size = pick([0, 0, 1, 3, 6]);
  return {
    id: i + 1,
    n: maybe(whole(10) / 2),
    m: maybe(whole(6)),
    s: maybe(pick(words)),
    t: maybe(pick(words)),
    d: maybe(`2024-05-0${1 + whole(5)}T0${whole(3)}:00:00.000Z`),
    b: maybe(random() < 0.5),
    l: maybe(pick([{ en: pick(words) }, { ru: pick(words) }, { en: pick(words), ru: pick(words) }])),
    geom: maybe<Extent>([west, south, west + size, south + size]),
  };
});

const geoJson = ([west, south, east, north]: Extent): object =>
  west === east
    ? { type: 'Point', coordinates: [west, south] }
    : {
        type: 'Polygon',
        coordinates: [
          [
            [west, south],
            [east, south],
            [east, north],
            [west, north],
            [west, south],
          ],
        ],
      };

let server: TestServer;
const layer = '/m/layers/l';
test.before(async () => {
  server = await startServer();
  await server.admin('POST', '/', { code: 'm' });
  await server.admin('POST', '/m/layers/', { code: 'l' });
  for (const [code, type] of [
    ['n', 'number'],
    ['m', 'number'],
    ['s', 'string'],
    ['t', 'text'],
    ['d', 'datetime'],
    ['b', 'bool'],
    ['l', 'string'],
    ['j', 'json'],
    ['heading', 'title'],
  ]) {
    await server.admin('POST', `${layer}/structure/`, { code, type, localized_value: code === 'l' });
  }
  for (const { id: _id, geom, ...fields } of items) {
    await server.admin('POST', `${layer}/objects/`, { fields, geom: geom && geoJson(geom) });
  }
});
test.after(() => server.stop());

const filtered = (filter: unknown, more: object = {}) =>
  server.request('POST', `${layer}/filter/`, {
    body: { limit: 1000, filter, ...more },
    headers: { accept: 'application/json' },
  });

// A second implementation of the filters, over objects in memory, with null as the third truth value of SQL.

type Truth = boolean | null;
const collator = new Intl.Collator('und');

function read(item: Item, term: any): any {
  if (typeof term === 'string' && /^2024-05-0\d$/.test(term)) return new Date(term).toISOString();
  if (typeof term !== 'object' || term === null) return term;
  if (Array.isArray(term)) return term.map((part) => read(item, part));
  if ('timestamp' in term) return new Date(term.timestamp).toISOString();
  if ('date' in term) return new Date(term.date).toISOString();
  if (term.type === 'Point') return [...term.coordinates, ...term.coordinates];
  if (term.type === 'Polygon') return [...term.coordinates[0][0], ...term.coordinates[0][2]];
  if (term.bbox) return term.bbox;
  if (term.property === 'svc_id') return item.id;
  if (term.property === 'l') return item.l && (item.l.en ?? item.l.ru);
  return item[term.property as keyof Item];
}

function compare(a: any, b: any): number {
  if (typeof a === 'string' && !/^2024/.test(a)) {
    return collator.compare(a, b) || Buffer.compare(Buffer.from(a), Buffer.from(b));
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

const meets = (a: Extent, b: Extent): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
/** Within: no point outside, and the interiors intersect. */
const within = (a: Extent, b: Extent): boolean => {
  const isPoint = a[0] === a[2];
  if (b[0] === b[2]) return isPoint && a[0] === b[0] && a[1] === b[1];
  if (!isPoint) return a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3];
  return a[0] > b[0] && a[1] > b[1] && a[2] < b[2] && a[3] < b[3];
};

/** `%` and `_` are wildcards; `\` makes them literal. */
function isLike(text: string, pattern: string): boolean {
  const source = pattern.replace(/\\([\s\S])|%|_|[\s\S]/g, (part, escaped: string | undefined) => {
    if (escaped !== undefined) return `\\u{${escaped.codePointAt(0)!.toString(16)}}`;
    if (part === '%') return '[^]*';
    return part === '_' ? '[^]' : `\\u{${part.codePointAt(0)!.toString(16)}}`;
  });
  return new RegExp(`^${source}$`, 'u').test(text);
}

const both = (a: Truth, b: Truth): Truth =>
  a === false || b === false ? false : a === null || b === null ? null : true;
const negated = (a: Truth): Truth => (a === null ? null : !a);

function holds(item: Item, filter: any): Truth {
  if (typeof filter === 'boolean') return filter;
  const { op, args } = filter;
  if (op === 'and') return args.map((arg: any) => holds(item, arg)).reduce(both);
  if (op === 'or') return negated(args.map((arg: any) => negated(holds(item, arg))).reduce(both));
  if (op === 'not') return negated(holds(item, args[0]));
  const [a, b, c] = args.map((arg: any) => read(item, arg));
  if (op === 'isNull') return a === null;
  if (op === 'in') return a === null ? null : b.some((value: any) => compare(a, value) === 0);
  if (a === null || b === null || c === null) return null;
  switch (op) {
    case '=':
      return compare(a, b) === 0;
    case '<>':
      return compare(a, b) !== 0;
    case '<':
      return compare(a, b) < 0;
    case '<=':
      return compare(a, b) <= 0;
    case '>':
      return compare(a, b) > 0;
    case '>=':
      return compare(a, b) >= 0;
    case 'between':
      return compare(a, b) >= 0 && compare(a, c) <= 0;
    case 'like':
      return isLike(a, b);
    case 's_intersects':
      return meets(a, b);
    case 's_within':
      return within(a, b);
    case 's_contains':
      return within(b, a);
  }
  throw new Error(op);
}

const expected = (filter: unknown): number[] =>
  items.filter((item) => holds(item, filter) === true).map(({ id }) => id);

async function agrees(filter: unknown): Promise<number> {
  const answer = await filtered(filter);
  assert.equal(answer.status, 200, `${JSON.stringify(filter)}: ${answer.text}`);
  assert.deepEqual(
    answer.json.map(({ id }: { id: number }) => id),
    expected(filter),
    JSON.stringify(filter),
  );
  return answer.json.length;
}

const p = (property: string) => ({ property });
const day = (): unknown =>
  pick([
    `2024-05-0${1 + whole(5)}`,
    { date: `2024-05-0${1 + whole(5)}` },
    { timestamp: `2024-05-0${1 + whole(5)}T01:00:00Z` },
  ]);
const literals: Record<string, () => unknown> = {
  n: () => whole(10) / 2,
  m: () => whole(6),
  svc_id: () => pick([whole(120), 1.5]),
  s: () => pick(words),
  t: () => pick(words),
  l: () => pick(words),
  d: day,
  b: () => random() < 0.5,
};
const comparisons = ['=', '<>', '<', '<=', '>', '>='];
const shapes = (): object => {
  const [west, south] = [whole(20) - 10, whole(20) - 10];
  const size = pick([0, 2, 5, 12]);
  if (size && random() < 0.3) return { bbox: [west, south, west + size, south + size] };
  return geoJson([west, south, west + size, south + size]);
};

for (const op of comparisons) {
  test(`${op} agrees with the same over the items, for every type`, async () => {
    let found = 0;
    for (const [code, literal] of Object.entries(literals)) {
      if (code === 'b' && op !== '=' && op !== '<>') continue;
      for (let i = 0; i < 4; i++) {
        found += await agrees({ op, args: [p(code), literal()] });
        found += await agrees({ op, args: [literal(), p(code)] });
      }
    }
    found += await agrees({ op, args: [p('n'), p('m')] });
    found += await agrees({ op, args: [p('s'), p('t')] });
    found += await agrees({ op, args: [p('l'), p('s')] });
    assert.ok(found > 0);
  });
}

test('in, between and isNull agree', async () => {
  for (const [code, literal] of Object.entries(literals)) {
    if (code !== 'd') await agrees({ op: 'in', args: [p(code), [literal(), literal(), literal()]] });
    if (code !== 'b') await agrees({ op: 'between', args: [p(code), literal(), literal()] });
    await agrees({ op: 'isNull', args: [p(code)] });
  }
  await agrees({ op: 'between', args: [p('n'), 1, p('m')] });
  await agrees({ op: 'between', args: [3, p('n'), p('m')] });
  assert.ok((await agrees({ op: 'isNull', args: [p('geom')] })) > 0);
  const days = await filtered({
    op: 'in',
    args: [p('d'), [{ date: '2024-05-01' }, '2024-05-02T03:00:00+02:00']],
  });
  assert.deepEqual(
    days.json.map(({ id }: { id: number }) => id),
    items
      .filter(({ d }) => d === '2024-05-01T00:00:00.000Z' || d === '2024-05-02T01:00:00.000Z')
      .map(({ id }) => id),
  );
  assert.equal((await filtered({ op: 'isNull', args: [p('j')] })).json.length, items.length);
});

test('like gives the same result, also for escaped characters', async () => {
  let found = 0;
  for (const pattern of [
    '%',
    '_',
    '',
    'a',
    'a%',
    '%b',
    '%a%b%',
    'a_b',
    'a\\_b',
    'a\\%b',
    'a\\\\b',
    '\\a',
    '%\\%%',
    '__',
    "%'%",
    'x_y',
    'Ё',
    '%"%',
    '%%%',
  ]) {
    found += await agrees({ op: 'like', args: [p('s'), pattern] });
    await agrees({ op: 'like', args: [p('t'), pattern] });
    await agrees({ op: 'like', args: [p('l'), pattern] });
  }
  assert.ok(found > items.length);
});

test('and, or, not agree, in three-valued logic, however they are nested', async () => {
  const build = (depth: number): unknown => {
    const kind = depth ? whole(5) : 0;
    if (kind === 1 || kind === 2) {
      return {
        op: kind === 1 ? 'and' : 'or',
        args: Array.from({ length: 1 + whole(3) }, () => build(depth - 1)),
      };
    }
    if (kind === 3) return { op: 'not', args: [build(depth - 1)] };
    const code = pick(['n', 'm', 's', 'l', 'b', 'd']);
    if (random() < 0.1) return random() < 0.5;
    return { op: code === 'b' ? '=' : pick(comparisons), args: [p(code), literals[code]!()] };
  };
  for (let i = 0; i < 60; i++) await agrees(build(4));
});

test('many comparisons of a property, which the database reads as a list, agree', async () => {
  let found = 0;
  for (const [code, literal] of Object.entries(literals))
    for (const [word, op] of [
      ['or', '='],
      ['and', '<>'],
    ]) {
      const terms = Array.from({ length: 12 }, (_, i) => ({
        op,
        args: i % 2 ? [p(code), literal()] : [literal(), p(code)],
      }));
      const others = [
        { op: word === 'or' ? '=' : '<>', args: [p('m'), p('n')] },
        { op: '<', args: [p('m'), 3] },
      ];
      const filter = { op: word, args: [...terms.slice(0, 6), ...others, ...terms.slice(6)] };
      found += await agrees(filter);
      await agrees({ op: 'not', args: [filter] });
    }
  assert.ok(found > 0);
  const wrong = Array.from({ length: 12 }, (_, i) => ({ op: '=', args: [p('n'), i === 7 ? 'x' : i] }));
  const { status, json } = await filtered({ op: 'or', args: wrong });
  assert.deepEqual([status, json.data.path], [400, 'filter.args[7].args[1]']);
});

for (const op of ['s_intersects', 's_within', 's_contains']) {
  test(`${op} agrees, with the geometry on either side`, async () => {
    let found = 0;
    for (let i = 0; i < 15; i++) {
      found += await agrees({ op, args: [p('geom'), shapes()] });
      found += await agrees({ op, args: [shapes(), p('geom')] });
    }
    assert.ok(found > 0);
    const all = items.filter(({ geom }) => geom).length;
    assert.equal((await filtered({ op, args: [p('geom'), p('geom')] })).json.length, all);
  });
}

test('s_dwithin agrees with the distance on the sphere, to half a percent', async () => {
  const radians = Math.PI / 180;
  const distance = (lon1: number, lat1: number, lon2: number, lat2: number): number => {
    const a =
      Math.sin(((lat2 - lat1) / 2) * radians) ** 2 +
      Math.cos(lat1 * radians) * Math.cos(lat2 * radians) * Math.sin(((lon2 - lon1) / 2) * radians) ** 2;
    return 2 * 6_371_008.8 * Math.asin(Math.sqrt(a));
  };
  const points = items.filter(({ geom }) => geom && geom[0] === geom[2]);
  for (const [lon, lat] of [
    [0, 0],
    [3.5, -4],
    [179.5, 80],
    [-10, 10],
  ] as const) {
    for (const metres of [0, 100_000, 500_000, 1_500_000, 12_000_000]) {
      const answer = await filtered({
        op: 's_dwithin',
        args: [p('geom'), { type: 'Point', coordinates: [lon, lat] }, metres],
      });
      const found = new Set(answer.json.map(({ id }: { id: number }) => id));
      for (const { id, geom } of points) {
        const length = distance(lon, lat, geom![0], geom![1]);
        if (Math.abs(length - metres) > 0.006 * Math.max(length, metres)) {
          assert.equal(found.has(id), length <= metres, `${id} ${length} ${metres}`);
        }
      }
    }
  }
});

test('s_dwithin reaches over the antimeridian and the poles', async () => {
  await server.admin('POST', '/m/layers/', { code: 'edges' });
  for (const coordinates of [
    [179.9, 10],
    [-179.9, 10],
    [180, 10],
    [-180, 10],
    [0, 89.9],
    [180, 89.9],
    [-180, -89.9],
  ]) {
    await server.admin('POST', '/m/layers/edges/objects/', {
      fields: {},
      geom: { type: 'Point', coordinates },
    });
  }
  const near = async (lon: number, lat: number, metres: number) => {
    const filter = {
      op: 's_dwithin',
      args: [{ type: 'Point', coordinates: [lon, lat] }, p('geom'), metres, 'meters'],
    };
    const answer = await server.request('POST', '/m/layers/edges/filter/', { body: { filter } });
    return answer.json.map(({ id }: { id: number }) => id);
  };
  assert.deepEqual(await near(179.95, 10, 30_000), [1, 2, 3, 4]);
  assert.deepEqual(await near(180, 10, 1), [3, 4]);
  assert.deepEqual(await near(-180, 10, 1), [3, 4]);
  assert.deepEqual(await near(-90, 90, 12_000), [5, 6]);
  assert.deepEqual(await near(90, -90, 12_000), [7]);
  assert.equal((await near(0, 0, 20_040_000)).length, 7);
});

test('invalid geometries are compared', async () => {
  await server.admin('POST', '/m/layers/', { code: 'knots' });
  const tangle = (seed: number): object => {
    const next = randomFrom(seed);
    const ring = Array.from({ length: 9 }, () => [Math.floor(next() * 10), Math.floor(next() * 10)]);
    return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] };
  };
  for (let i = 0; i < 60; i++)
    await server.admin('POST', '/m/layers/knots/objects/', { fields: {}, geom: tangle(i) });
  for (let i = 100; i < 120; i++) {
    for (const op of ['s_intersects', 's_within', 's_contains']) {
      const answer = await server.request('POST', '/m/layers/knots/filter/', {
        body: { filter: { op, args: [p('geom'), tangle(i)] } },
      });
      assert.equal(answer.status, 200, answer.text);
      if (op === 's_intersects') assert.ok(answer.json.length > 30);
    }
  }
});

test('a filter joins the other parameters, also as text of a form', async () => {
  const filter = { op: '>', args: [p('n'), 1] };
  const body = new URLSearchParams({
    filter: JSON.stringify(filter),
    fields: 'n,m',
    fcode: 'm',
    fval: '2',
    sort: 'n,d',
    limit: '1000',
  });
  const answer = await server.request('POST', `${layer}/filter/`, { body });
  const all = items
    .filter(({ n, m }) => n !== null && n > 1 && m === 2)
    .sort((a, b) => b.n! - a.n! || a.id - b.id);
  assert.deepEqual(
    answer.json,
    all.map(({ id, n, m }) => ({ id, fields: { n, m } })),
  );
});

const at = (text: string | null) => (text === null ? Number.NaN : Date.parse(text));
const third = Date.parse('2024-05-03T00:00:00Z');
const plain = (text: string) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
/** Filters in CQL2 text, and the same over an item. */
const rules: [string, (item: Item) => boolean | null][] = [
  ['n * 2 - m = 1', ({ n, m }) => n !== null && m !== null && n * 2 - m === 1],
  ['n % 2 = 0.5 OR m DIV 2 = 2', ({ n, m }) => (n !== null && n % 2 === 0.5) || m === 4 || m === 5],
  ['m / (m - 2) > 1', ({ m }) => m !== null && m !== 2 && m / (m - 2) > 1],
  ['2 ^ m BETWEEN n + 1 AND 9', ({ n, m }) => n !== null && m !== null && 2 ** m >= n + 1 && 2 ** m <= 9],
  ['m NOT IN (n, 1, 5)', ({ n, m }) => m !== null && m !== 1 && m !== 5 && n !== null && m !== n],
  ["CASEI(s) = casei('AB')", ({ s }) => s?.toLowerCase() === 'ab'],
  ["casei(s) LIKE casei('A%')", ({ s }) => s?.toLowerCase().startsWith('a') ?? null],
  ["ACCENTI(s) IN (ACCENTI('ä'), 'Е')", ({ s }) => s !== null && ['a', 'Е'].includes(plain(s))],
  ["\"s\" = 'it''s' OR t = 'a\\b'", ({ s, t }) => s === "it's" || t === 'a\\b'],
  ["d > TIMESTAMP('2024-05-03T00:00:00Z')", ({ d }) => at(d) > third],
  ["T_AFTER(d, DATE('2024-05-03'))", ({ d }) => at(d) > third],
  ["T_INTERSECTS(d, INTERVAL('..', '2024-05-03'))", ({ d }) => at(d) <= third],
  [
    "T_DURING(INTERVAL(d, d), INTERVAL('2024-05-03', '2024-05-04'))",
    ({ d }) => at(d) > third && at(d) < third + 864e5,
  ],
  ["NOT T_DISJOINT(d, DATE('2024-05-03'))", ({ d }) => at(d) === third],
  ['S_DISJOINT(geom, BBOX(-3,-3,3,3))', ({ geom }) => geom && !meets(geom, [-3, -3, 3, 3])],
  [
    's_intersects(geom, POLYGON((-3 -3, 3 -3, 3 3, -3 3, -3 -3)))',
    ({ geom }) => geom && meets(geom, [-3, -3, 3, 3]),
  ],
  ['S_EQUALS(geom, geom) AND NOT S_TOUCHES(geom, geom)', ({ geom }) => geom !== null],
  ['TRUE AND NOT (b = FALSE)', ({ b }) => b],
  [
    "A_CONTAINS(j, (1, 'a')) OR A_OVERLAPS(j, ('a')) OR a_equals(j, ()) OR A_CONTAINEDBY(j, ('x'))",
    () => false,
  ],
];

test('the further operators, in CQL2 text', async () => {
  for (const [text, rule] of rules) {
    const answer = await server.request(
      'GET',
      `${layer}/objects/?limit=1000&filter=${encodeURIComponent(text)}`,
    );
    assert.equal(answer.status, 200, `${text}: ${answer.text}`);
    const wanted = items.filter((item) => rule(item) === true).map(({ id }) => id);
    assert.deepEqual(
      answer.json.map(({ id }: Item) => id),
      wanted,
      text,
    );
  }
});

test('counts, statistics and exports take the text form, and calculations without a result are refused', async () => {
  const filter = encodeURIComponent('n > 1 AND m IS NOT NULL');
  const wanted = items.filter(({ n, m }) => n !== null && n > 1 && m !== null);
  for (const precise of ['', '&precise=1'])
    assert.equal(
      (await server.request('GET', `${layer}/count/?filter=${filter}${precise}`)).json,
      wanted.length,
    );
  const exported = await server.request('GET', `${layer}/export/?format=geojson&filter=${filter}`);
  assert.equal(exported.json.features.length, wanted.length);
  const statistics = await server.request('POST', `${layer}/statistics/`, {
    body: { column: 'n', filter: 'n > 1 AND m IS NOT NULL' },
  });
  assert.equal(statistics.json.count, wanted.length);
  for (const [text, message] of [
    ['n * 1e308 * 1e308 > 0', /calculates a number that is too large/],
    ['(0 - 1 - m) ^ 0.5 = 1', /no real number/],
    ['n = 1 AND none = 2', /at character 11: the layer has no column 'none'/],
  ] as const) {
    for (const address of ['objects/?', 'count/?precise=1&']) {
      const refused = await server.request('GET', `${layer}/${address}filter=${encodeURIComponent(text)}`, {
        headers: { accept: 'application/json' },
      });
      assert.equal(refused.status, 400, refused.text);
      assert.match(refused.json.message, message);
    }
  }
});

test('literals compare with each other, as programs that join conditions write them', async () => {
  const point = 'POINT(0 0)';
  for (const [text, isTrue] of [
    ['1 = 1', true],
    ['1=0', false],
    ["'a' <> 'b' AND 'a' < 'B'", true],
    ['true = TRUE', true],
    ['2 + 2 BETWEEN 1 AND 3', false],
    ['1 IN (2, 1.0)', true],
    ["'Paris' LIKE 'P%'", true],
    ["CASEI('PARIS') = 'paris'", true],
    ["'a' IS NULL OR 5 IS NULL OR TIMESTAMP('2024-01-01T00:00:00Z') IS NULL", false],
    ["DATE('2024-01-01') < TIMESTAMP('2024-01-01T00:00:01Z')", true],
    ["T_AFTER(DATE('2024-01-01'), DATE('2023-01-01'))", true],
    ["A_CONTAINS(('a', 'b'), ('a'))", true],
    [`S_INTERSECTS(${point}, BBOX(-1, -1, 1, 1))`, true],
    [`S_DISJOINT(${point}, ${point})`, false],
  ] as const) {
    const counted = await server.request(
      'GET',
      `${layer}/count/?precise=1&filter=${encodeURIComponent(`(${text}) AND svc_id > 0`)}`,
    );
    assert.equal(counted.json, isTrue ? items.length : 0, `${text}: ${counted.text}`);
  }
});

test('arrays that are too long to compare are refused', async () => {
  const path = `/${freshCode('m')}/`;
  await server.admin('POST', '/', { code: path.slice(1, -1) });
  await server.admin('POST', `${path}layers/`, { code: 'lists' });
  await server.admin('POST', `${path}layers/lists/structure/`, { code: 'list', type: 'json' });
  const list = Array.from({ length: 50_000 }, (_, i) => i);
  await server.admin('POST', `${path}layers/lists/objects/`, { fields: { list } });
  const ask = (filter: string) =>
    server.admin('GET', `${path}layers/lists/count/?precise=1&filter=${encodeURIComponent(filter)}`);
  assert.equal(await ask('A_CONTAINS(list, (7, 49999)) AND NOT A_CONTAINS(list, (-1))'), 1);
  await assert.rejects(ask('A_CONTAINS(list, list)'), /400.*compares arrays that are too long/s);
});

/** Invalid filters, and the position that the error names. */
const mistakes: [unknown, RegExp][] = [
  [null, /^filter: must be an object/],
  [5, /^filter: must be an object/],
  [[], /^filter: must be an object/],
  [{}, /^filter: has no op/],
  [{ op: 'and' }, /^filter: args must be an array/],
  [{ op: 'and', args: [] }, /^filter: takes at least 1 args/],
  [{ op: 'drop', args: [] }, /operator 'drop'/],
  [{ op: 'constructor', args: [] }, /operator 'constructor'/],
  [{ op: 'not', args: [true, true] }, /^filter: takes 1 args/],
  [
    { op: 'and', args: [true, { op: '=', args: [p('none'), 1] }] },
    /^filter\.args\[1\]\.args\[0\]: the layer has no column 'none'/,
  ],
  [{ op: '=', args: [p('c3'), 1] }, /no column 'c3'/],
  [{ op: '=', args: [p('n" or true --'), 1] }, /no column/],
  [{ op: '=', args: [{ property: ['n'] }, 1] }, /no column/],
  [{ op: '=', args: [p('heading'), 1] }, /no column/],
  [{ op: '=', args: [p('n')] }, /takes 2 args/],
  [{ op: '=', args: [p('n'), 'x'] }, /args\[1\]: is no value for the column 'n' of type number/],
  [{ op: '=', args: [p('n'), '1'] }, /is no value/],
  [{ op: '=', args: [p('n'), null] }, /is no value/],
  [{ op: '=', args: [p('n'), {}] }, /is no value/],
  [{ op: '=', args: [p('s'), 5] }, /is no value/],
  [{ op: '=', args: [p('s'), 'a\0'] }, /is no value/],
  [{ op: '=', args: [p('d'), '2024-02-31'] }, /is no value/],
  [{ op: '=', args: [p('d'), { timestamp: true }] }, /is no value/],
  [{ op: '=', args: [p('b'), 1] }, /is no value/],
  [{ op: '<', args: [p('b'), true] }, /have no order/],
  [{ op: '=', args: [p('n'), p('s')] }, /types number and string are not compared/],
  [{ op: '=', args: [p('j'), 1] }, /type json are not compared/],
  [{ op: '=', args: [p('geom'), 1] }, /type geom are not compared/],
  [{ op: '=', args: [1, 'a'] }, /args\[1\]: is no number/],
  [{ op: '=', args: [{}, 1] }, /args\[0\]: is no number/],
  [{ op: '<', args: [true, true] }, /have no order/],
  [{ op: 'in', args: [p('n'), []] }, /must be an array/],
  [{ op: 'in', args: [p('n'), [1, 'x']] }, /is no value/],
  [{ op: 'in', args: [1, ['a']] }, /is no number/],
  [{ op: 'between', args: [p('n'), 1] }, /takes 3 args/],
  [{ op: 'between', args: [p('b'), true, true] }, /have no order/],
  [{ op: 'like', args: [p('n'), '1'] }, /must be a property of type string/],
  [{ op: 'like', args: [p('s'), 5] }, /must be a text/],
  [{ op: 'like', args: [p('s'), 'a\\'] }, /single backslash/],
  [{ op: 'like', args: [p('s'), 'a\\\\\\'] }, /single backslash/],
  [{ op: 'like', args: [p('s'), 'x'.repeat(4001)] }, /at most 4000/],
  [{ op: 'isNull', args: [null] }, /is no number/],
  [{ op: 's_intersects', args: [p('n'), { type: 'Point', coordinates: [0, 0] }] }, /'n' holds no geometry/],
  [{ op: 's_intersects', args: [p('geom'), { type: 'Point', coordinates: [0] }] }, /args\[1\]: a position/],
  [{ op: 's_intersects', args: [p('geom'), { bbox: [0, 0, 1] }] }, /bbox must be/],
  [{ op: 's_intersects', args: [p('geom'), { bbox: [0, 5, 1, 0] }] }, /bbox must be/],
  [{ op: 's_dwithin', args: [p('geom'), { type: 'Point', coordinates: [0, 0] }] }, /takes 3 to 4 args/],
  [{ op: 's_dwithin', args: [p('geom'), { type: 'Point', coordinates: [0, 0] }, -1] }, /must be a distance/],
  [{ op: 's_dwithin', args: [p('geom'), { type: 'Point', coordinates: [0, 0] }, '5'] }, /must be a distance/],
  [{ op: 's_dwithin', args: [p('geom'), { type: 'Point', coordinates: [0, 0] }, 5, 'feet'] }, /in meters/],
  [{ op: 's_dwithin', args: [p('geom'), p('geom'), 5] }, /with a geometry/],
];

for (const [filter, message] of mistakes) {
  test(`${JSON.stringify(filter).slice(0, 90)} is 400 that says where`, async () => {
    const answer = await filtered(filter);
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.json.code, 'bad_request');
    assert.match(answer.json.message, message);
    assert.deepEqual(answer.json.data.parameters, ['filter']);
  });
}

test('a filter that is too large or too deep is refused at once', async () => {
  const equal = { op: '=', args: [p('n'), 1] };
  const nest = (depth: number): string =>
    '{"op":"not","args":['.repeat(depth) + JSON.stringify(equal) + ']}'.repeat(depth);
  const send = (text: string) =>
    server.request('POST', `${layer}/filter/`, {
      body: `{"filter":${text}}`,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
    });
  assert.equal((await send(nest(30))).status, 200);
  for (const [text, message] of [
    [nest(60), /nested more than/],
    [nest(700), /nested more than/],
    [JSON.stringify({ op: 'or', args: Array(2500).fill(equal) }), /more than 10000 terms/],
    [JSON.stringify({ op: 'in', args: [p('n'), Array(10_001).fill(1)] }), /more than 10000 terms/],
    [JSON.stringify({ op: '=', args: [p('s'), 'x'.repeat(1_000_001)] }), /more than 1000000 characters/],
    [
      JSON.stringify({
        op: 's_intersects',
        args: [p('geom'), { type: 'MultiPoint', coordinates: Array(300_000).fill([1, 2]) }],
      }),
      /more than 1000000 characters/,
    ],
  ] as const) {
    const start = Date.now();
    const answer = await send(text);
    assert.equal(answer.status, 400, answer.text.slice(0, 200));
    assert.match(answer.json.message, message);
    assert.ok(Date.now() - start < 5_000);
  }
  assert.equal((await send(JSON.stringify({ op: 'or', args: Array(1500).fill(equal) }))).status, 200);
  assert.equal((await send(JSON.stringify({ op: 'in', args: [p('n'), Array(9_900).fill(1)] }))).status, 200);
  const points = Array.from({ length: 50_000 }, (_, i) => [i % 7, i % 5]);
  assert.equal(
    (
      await send(
        JSON.stringify({
          op: 's_intersects',
          args: [p('geom'), { type: 'MultiPoint', coordinates: points }],
        }),
      )
    ).status,
    200,
  );
});
