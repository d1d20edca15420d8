import { equal, has, rule, status } from '../../rules.js';
import { reading } from '../support.js';

const over0 = { op: '>', args: [{ property: 'size' }, 0] };

rule(
  'Objects',
  'POST statistics/ / decided: a number column under a filter',
  reading(async (c, layer) => {
    const body = { column: 'size', filter: over0, histogram: 'equal', bins: 2, percentiles: [50] };
    const answer = await c.send('POST', `${layer}statistics/`, body);
    status(answer, 200);
    const { count, nulls, min, max, mean, sum, percentiles, histogram } = answer.json;
    equal(
      { count, nulls, min, max, mean, sum },
      { count: 2, nulls: 0, min: 1, max: 2, mean: 1.5, sum: 3 },
      'values',
    );
    equal(percentiles, [{ percentile: 50, value: 1.5 }], 'percentiles');
    equal(
      histogram,
      [
        { from: 1, to: 1.5, count: 1 },
        { from: 1.5, to: 2, count: 1 },
      ],
      'histogram',
    );
  }),
);
rule(
  'Objects',
  'POST statistics/ / decided: the most frequent texts',
  reading(async (c, layer) => {
    const { json } = await c.send('POST', `${layer}statistics/`, { column: 'title' });
    equal(json?.frequent?.[0], { value: 'a', count: 1 }, 'frequent');
    equal([json?.distinct, json?.distinct_limited], [3, false], 'distinct');
  }),
);
rule(
  'Objects',
  'POST statistics/ / decided: an unknown column is 400',
  reading(async (c, layer) => status(await c.send('POST', `${layer}statistics/`, { column: 'none' }), 400)),
);
rule(
  'Objects',
  'POST statistics/groups/ / decided: count and statistics by a column',
  reading(async (c, layer) => {
    const body = { by: ['title'], of: ['size'], sort: 'by', limit: 2 };
    const { json } = await c.send('POST', `${layer}statistics/groups/`, body);
    equal(json?.more, true, 'more');
    equal([json?.groups?.[1]?.by, json?.groups?.[1]?.count], [{ title: 'b' }, 1], 'group');
    has(json?.groups?.[1]?.of?.size, 'count min max mean sum percentiles');
  }),
);
