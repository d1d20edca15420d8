import { equal, rule, status } from '../../rules.js';
import { layerWith, near, point, raw, reading, valuesOf } from '../support.js';

const mercatorOf20 = 2226389.8158654715;
const mercatorOf10 = 1118889.9748579594;

for (const [query, what] of [
  ['', 'precise is false by default'],
  ['?precise=false', 'precise=false, exact while there are few'],
  ['?precise=true', 'precise=true is exact'],
] as const)
  rule(
    'Objects',
    `count / a bare number: ${what}`,
    reading(async (c, layer) => equal((await c.send('GET', `${layer}count/${query}`)).text, '3', 'answer')),
  );

const lists: [what: string, query: string, titles: string[] | 400 | 500][] = [
  ['sort ascending by default', 'fields=title&sort=size', ['a', 'b', 'c']],
  ['sort a is ascending', 'fields=title&sort=size,a', ['a', 'b', 'c']],
  ['sort d is descending', 'fields=title&sort=size,d', ['c', 'b', 'a']],
  ['offset', 'fields=title&sort=size&offset=1', ['b', 'c']],
  ['limit', 'fields=title&sort=size&limit=2', ['a', 'b']],
  ['offset and limit', 'fields=title&sort=size&offset=1&limit=1', ['b']],
  ['fcode and fval', 'fields=title&fcode=title&fval=b', ['b']],
  ['fval that nothing matches is an empty list', 'fields=title&fcode=title&fval=z', []],
  ['fcode that is not in fields is 500', 'fields=title&fcode=size&fval=1', 500],
  ['fcode with fields=*', 'fields=*&fcode=size&fval=1', ['b']],
  ['decided: fval compares in the type of the column', 'fields=title,size&fcode=size&fval=1.0', ['b']],
  ['decided: several values of fval by |', 'fields=title&fcode=title&fval=a%7Cc&sort=size', ['a', 'c']],
  ['fbbox is south, west, north, east', 'fields=title&fbbox=9,19,11,21', ['b']],
  ['fbbox is not west, south, east, north', 'fields=title&fbbox=19,9,21,11', []],
  [
    'bboxSR=3857 applies to fbbox',
    `fields=title&bboxSR=3857&fbbox=${mercatorOf10 - 9},${mercatorOf20 - 9},${mercatorOf10 + 9},${mercatorOf20 + 9}`,
    ['b'],
  ],
  ['bboxSR=4326 is the default of fbbox', 'fields=title&bboxSR=4326&fbbox=9,19,11,21', ['b']],
  ['decided: another bboxSR is 400', 'fields=title&bboxSR=2154', 400],
  ['decided: another geomSR is 400', 'fields=title&geomSR=2154', 400],
  ['decided: an unknown parameter is ignored', 'fields=title&sort=size&nonsense=1', ['a', 'b', 'c']],
];
for (const [what, query, expected] of lists)
  rule(
    'Objects',
    `list / ${what}`,
    reading(async (c, layer) => {
      const answer = await c.send('GET', `${layer}objects/?${query}`);
      if (typeof expected === 'number') return status(answer, expected);
      equal(valuesOf(answer), expected, 'titles');
    }),
  );

rule('Objects', 'list / sort by several columns, separated by a vertical bar', async (c) => {
  const layer = await c.layer();
  for (const [title, size] of [
    ['x', 1],
    ['y', 2],
    ['z', 1],
  ])
    await c.make(`${layer}objects/`, { fields: { title, size } });
  equal(
    valuesOf(await c.send('GET', `${layer}objects/?fields=title&sort=size,d%7Ctitle,d`)),
    ['y', 'z', 'x'],
    'titles',
  );
});
rule('Objects', 'list / decided: svc_id ends every sort', async (c) => {
  const layer = await c.layer();
  for (const title of ['x', 'y', 'z']) await c.make(`${layer}objects/`, { fields: { title, size: 1 } });
  for (const direction of 'ad')
    equal(
      valuesOf(await c.send('GET', `${layer}objects/?fields=title&sort=size,${direction}`)),
      ['x', 'y', 'z'],
      direction,
    );
});

rule(
  'Objects',
  'list / fields holds only the requested columns',
  reading(async (c, layer) => {
    const [first] = (await c.send('GET', `${layer}objects/?fields=title&sort=size`)).json;
    equal(first.fields, { title: 'a' }, 'fields');
    equal(typeof first.id, 'number', 'type of id');
  }),
);
rule(
  'Objects',
  'list / fields=* is all columns',
  reading(async (c, layer) => {
    const [first] = (await c.send('GET', `${layer}objects/?fields=*&sort=size`)).json;
    equal([first.fields.title, first.fields.size], ['a', 0], 'values');
  }),
);
rule(
  'Objects',
  'list / geom and bbox are absent by default',
  reading(async (c, layer) => {
    const [first] = (await c.send('GET', `${layer}objects/?fields=title&sort=size`)).json;
    equal([first.geom, first.bbox], [undefined, undefined], 'geom and bbox');
  }),
);
rule(
  'Objects',
  'list / returnGeom=1 includes GeoJSON, geomSR=4326 by default',
  reading(async (c, layer) => {
    const { json } = await c.send('GET', `${layer}objects/?fields=title&sort=size&returnGeom=1`);
    equal(json?.[1]?.geom, point(20, 10), 'geometry');
  }),
);
rule(
  'Objects',
  'list / geomSR=3857',
  reading(async (c, layer) => {
    const { json } = await c.send('GET', `${layer}objects/?fields=title&sort=size&returnGeom=1&geomSR=3857`);
    near(json?.[1]?.geom?.coordinates[0], mercatorOf20, 'x', 0.01);
    near(json?.[1]?.geom?.coordinates[1], mercatorOf10, 'y', 0.01);
  }),
);
rule(
  'Objects',
  'list / returnBbox=1, bboxSR=4326: decided: [lat, lon]',
  reading(async (c, layer) => {
    const { json } = await c.send('GET', `${layer}objects/?fields=title&sort=size&returnBbox=1`);
    equal(json?.[1]?.bbox, { sw: [10, 20], ne: [10, 20] }, 'bbox');
  }),
);
rule(
  'Objects',
  'list / returnBbox=1, bboxSR=3857: decided: [y, x]',
  reading(async (c, layer) => {
    const { json } = await c.send('GET', `${layer}objects/?fields=title&sort=size&returnBbox=1&bboxSR=3857`);
    near(json?.[1]?.bbox?.sw[0], mercatorOf10, 'y', 0.01);
    near(json?.[1]?.bbox?.ne[1], mercatorOf20, 'x', 0.01);
  }),
);
rule(
  'Objects',
  'list / decided: sw and ne joined by commas are a valid fbbox',
  reading(async (c, layer) => {
    const objects = `${layer}objects/?fields=title&sort=size`;
    for (const sr of [4326, 3857]) {
      const { bbox } = (await c.send('GET', `${objects}&returnBbox=1&bboxSR=${sr}`)).json[1];
      const found = await c.send(
        'GET',
        `${objects}&bboxSR=${sr}&fbbox=${[...bbox.sw, ...bbox.ne].join(',')}`,
      );
      equal(valuesOf(found), ['b'], `titles in ${sr}`);
    }
  }),
);

rule('Objects', 'list / lng selects the language, the default one without it', async (c) => {
  const objects = `${await layerWith(c, { word: { type: 'string', localized_value: true } })}objects/`;
  const { id } = await c.make(objects, { fields: { word: 'first' } });
  await raw(c, `${objects}${id}/?lng=fr`, { method: 'PUT', body: { fields: { word: 'second' } } });
  equal(valuesOf(await c.send('GET', `${objects}?fields=word`), 'word'), ['first'], 'default language');
  equal(valuesOf(await c.send('GET', `${objects}?fields=word&lng=fr`), 'word'), ['second'], 'lng=fr');
});
rule(
  'Objects',
  'list / decided: Link rel="next" when there is more, and leads on',
  reading(async (c, layer) => {
    const first = await raw(c, `${layer}objects/?fields=title&sort=size&limit=2`);
    const next = /^<([^>]*)>;\s*rel="?next"?$/.exec(first.headers.get('link') ?? '')?.[1] ?? 'no link';
    const { pathname, search } = new URL(next, c.target.url);
    const second = await raw(c, `/${pathname}${search}`);
    equal(valuesOf(second), ['c'], 'titles of the rest');
    equal(second.headers.get('link'), null, 'Link of the last page');
  }),
);
rule(
  'Objects',
  'list / without a token, of a published map',
  reading(async (c, layer) => {
    const answer = await c.send('GET', `${layer}objects/?fields=title&sort=size`, undefined, '');
    equal(valuesOf(answer), ['a', 'b', 'c'], 'titles');
  }),
);
rule('Objects', 'list / 404 when the layer does not exist', async (c) =>
  status(await c.send('GET', `${await c.map()}layers/none/objects/?fields=*`), 404),
);

/** The parameters of the next page in the answer's `Link`. */
const nextOf = (answer: { headers: Headers }): URLSearchParams =>
  new URL(/<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? 'none:').searchParams;

rule(
  'Objects',
  'list / decided: Link goes on by cursor, unless the request gave an offset',
  reading(async (c, layer) => {
    const cursor = nextOf(await raw(c, `${layer}objects/?limit=1`));
    equal([cursor.has('cursor'), cursor.has('offset')], [true, false], 'cursor, offset');
    const rest = await c.send('GET', `${layer}objects/?${cursor}&fields=title`);
    equal(rest.json.length, 1, 'objects of the next part');
    const offset = nextOf(await raw(c, `${layer}objects/?limit=1&offset=1`));
    equal([offset.has('cursor'), offset.get('offset')], [false, '2'], 'cursor, offset');
  }),
);

rule(
  'Objects',
  'list / decided: Cartulary-Truncated reports the objects that the default limit leaves out',
  async (c) => {
    const layer = await c.layer();
    const features = Array.from({ length: 1_003 }, () => ({
      type: 'Feature',
      properties: {},
      geometry: null,
    }));
    await c.make(`${layer}import/`, { type: 'FeatureCollection', features });
    const code = layer.split('/').at(-2);
    const whole = (await raw(c, `${layer}objects/`)).headers.get('cartulary-truncated');
    equal(whole, `${code}=1000/1003`, 'header');
    const part = (await raw(c, `${layer}objects/?limit=5`)).headers.get('cartulary-truncated');
    equal(part, null, 'header where the limit was asked for');
  },
);
