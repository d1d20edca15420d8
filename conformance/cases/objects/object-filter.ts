import { equal, rule, status } from '../../rules.js';
import { abc, point, raw, reading, square, valuesOf } from '../support.js';

const title = { property: 'title' };
const size = { property: 'size' };
const geom = { property: 'geom' };
const is = (property: object, value: unknown) => ({ op: '=', args: [property, value] });

const bodies: [what: string, body: object, titles: string[] | 400 | 500][] = [
  ['fields as text', { fields: 'title', sort: 'size' }, ['a', 'b', 'c']],
  ['decided: fields as an array', { fields: ['title', 'size'], sort: 'size' }, ['a', 'b', 'c']],
  ['sort', { fields: 'title', sort: 'size,d' }, ['c', 'b', 'a']],
  ['offset and limit', { fields: 'title', sort: 'size', offset: 1, limit: 1 }, ['b']],
  ['fcode and fval', { fields: 'title', fcode: 'title', fval: 'c' }, ['c']],
  ['fcode that is not in fields is 500', { fields: 'title', fcode: 'size', fval: '1' }, 500],
  ['fbbox', { fields: 'title', fbbox: '9,19,11,21' }, ['b']],
  ['decided: a filter that is none is 400', { fields: 'title', filter: { op: 'nonsense', args: [] } }, 400],
  [
    'decided: a filter by an unknown column is 400',
    { fields: 'title', filter: is({ property: 'x' }, 1) },
    400,
  ],
];
for (const [what, body, expected] of bodies)
  rule(
    'Objects',
    `POST filter/ / ${what}`,
    reading(async (c, layer) => {
      const answer = await c.send('POST', `${layer}filter/`, body);
      if (typeof expected === 'number') return status(answer, expected);
      equal(valuesOf(answer), expected, 'titles');
    }),
  );
rule(
  'Objects',
  'POST filter/ / decided: a form',
  reading(async (c, layer) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await raw(c, `${layer}filter/`, { body: 'fields=title&fcode=title&fval=b', headers });
    equal(valuesOf(answer), ['b'], 'titles');
  }),
);
rule(
  'Objects',
  'POST filter/ / returnGeom and returnBbox',
  reading(async (c, layer) => {
    const body = { fields: 'title', fcode: 'title', fval: 'b', returnGeom: 1, returnBbox: 1 };
    const { json } = await c.send('POST', `${layer}filter/`, body);
    equal(
      [json?.[0]?.geom, json?.[0]?.bbox],
      [point(20, 10), { sw: [10, 20], ne: [10, 20] }],
      'geom and bbox',
    );
  }),
);

const expressions: [filter: { op: string; args: unknown[] }, titles: string[]][] = [
  [is(title, 'b'), ['b']],
  [{ op: '<>', args: [title, 'b'] }, ['a', 'c']],
  [{ op: '<', args: [size, 1] }, ['a']],
  [{ op: '<=', args: [size, 1] }, ['a', 'b']],
  [{ op: '>', args: [size, 1] }, ['c']],
  [{ op: '>=', args: [size, 1] }, ['b', 'c']],
  [
    {
      op: 'and',
      args: [
        { op: '>', args: [size, 0] },
        { op: '<', args: [size, 2] },
      ],
    },
    ['b'],
  ],
  [{ op: 'or', args: [is(size, 0), is(title, 'c')] }, ['a', 'c']],
  [{ op: 'not', args: [is(title, 'b')] }, ['a', 'c']],
  [{ op: 'in', args: [title, ['a', 'b', 'z']] }, ['a', 'b']],
  [{ op: 'between', args: [size, 1, 2] }, ['b', 'c']],
  [{ op: 'like', args: [title, 'b%'] }, ['b']],
  [{ op: 'isNull', args: [title] }, ['null']],
  [{ op: 's_intersects', args: [geom, square(-1, -1, 30)] }, ['a', 'b']],
  [{ op: 's_within', args: [geom, square(15, 5, 10)] }, ['b']],
  [{ op: 's_contains', args: [geom, point(20, 10)] }, ['b']],
  [{ op: 's_dwithin', args: [geom, point(20.01, 10), 2000] }, ['b']],
];
for (const [filter, titles] of expressions)
  rule('Objects', `POST filter/ / decided: CQL2-JSON ${filter.op}`, async (c) => {
    const layer = await abc(c);
    if (filter.op === 'isNull') await c.make(`${layer}objects/`, { fields: { size: 3 } });
    const answer = await c.send('POST', `${layer}filter/`, { fields: 'title', sort: 'size', filter });
    equal(valuesOf(answer), titles[0] === 'null' ? [null] : titles, 'titles');
  });
rule(
  'Objects',
  'POST filter/ / decided: values are bound and never become part of the statement',
  reading(async (c, layer) => {
    const filter = is(title, "b' OR '1'='1");
    equal(valuesOf(await c.send('POST', `${layer}filter/`, { fields: 'title', filter })), [], 'titles');
  }),
);
