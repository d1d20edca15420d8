import { equal } from '../../rules.js';
import { raw } from '../support.js';
import { crs84, epsg, found, linkIn, ogcRule, ogcWriteRule, refused, titlesOf } from './door.js';

ogcRule('CRS', 'the systems of a collection, and that of its storage', async ({ c, at }) => {
  const { crs, storageCrs } = (await found(c, at)).json;
  equal(crs.includes(crs84) && crs.includes(epsg(4326)), true, 'CRS84 and EPSG:4326');
  equal(crs.includes(storageCrs), true, 'the system of the storage');
});

ogcRule(
  'CRS',
  'crs: the axes come in the order of the system, and Content-Crs names it',
  async ({ c, at }) => {
    const positionIn = async (query: string) => {
      const { headers, json } = await found(c, `${at}/items${query}`);
      return [headers.get('content-crs'), json.features[1].geometry.coordinates];
    };
    equal(await positionIn(''), [`<${crs84}>`, [20, 10]], 'without crs');
    equal(await positionIn(`?crs=${epsg(4326)}`), [`<${epsg(4326)}>`, [10, 20]], 'EPSG:4326');
    const [, [x, y]] = (await positionIn(`?crs=${epsg(3857)}`)) as [string, [number, number]];
    equal([Math.round(x), Math.round(y)], [2_226_390, 1_118_890], 'EPSG:3857');
    await refused(c, `${at}/items?crs=${epsg(99999)}`, 400);
  },
);

ogcRule('CRS', 'bbox-crs', async ({ c, at }) => {
  equal(titlesOf(await found(c, `${at}/items?bbox=5,15,15,25&bbox-crs=${epsg(4326)}`)), ['b'], 'EPSG:4326');
  await refused(c, `${at}/items?bbox=0,15,5,25&bbox-crs=nonsense`, 400);
});

ogcRule('Filter', 'queryables name the properties', async ({ c, at }) => {
  const queryables = await found(c, `${at}/queryables`);
  equal(queryables.type, 'application/schema+json', 'media type');
  const { title, size } = queryables.json.properties;
  equal([title.type, size.type], ['string', 'number'], 'types');
});

const filters: [text: string, json: object, titles: string[]][] = [
  ["title = 'b'", { op: '=', args: [{ property: 'title' }, 'b'] }, ['b']],
  ['size BETWEEN 1 AND 2', { op: 'between', args: [{ property: 'size' }, 1, 2] }, ['b', 'c']],
  ["title IN ('a','c')", { op: 'in', args: [{ property: 'title' }, ['a', 'c']] }, ['a', 'c']],
  [
    "CASEI(title) LIKE CASEI('B%')",
    {
      op: 'like',
      args: [
        { op: 'casei', args: [{ property: 'title' }] },
        { op: 'casei', args: ['B%'] },
      ],
    },
    ['b'],
  ],
  [
    'NOT (size * 2 > 1)',
    { op: 'not', args: [{ op: '>', args: [{ op: '*', args: [{ property: 'size' }, 2] }, 1] }] },
    ['a'],
  ],
  [
    'S_INTERSECTS(geom,BBOX(15,5,25,15))',
    { op: 's_intersects', args: [{ property: 'geom' }, { bbox: [15, 5, 25, 15] }] },
    ['b'],
  ],
  [
    'S_DISJOINT(geom,POINT(20 10))',
    { op: 's_disjoint', args: [{ property: 'geom' }, { type: 'Point', coordinates: [20, 10] }] },
    ['a', 'c'],
  ],
];
for (const [text, json, titles] of filters)
  ogcRule('Filter', `${text}, as text and as JSON`, async ({ c, at }) => {
    const ask = (filter: string, lang: string) =>
      found(c, `${at}/items?filter=${encodeURIComponent(filter)}&filter-lang=${lang}`);
    equal(titlesOf(await ask(text, 'cql2-text')), titles, 'text');
    equal(titlesOf(await ask(JSON.stringify(json), 'cql2-json')), titles, 'JSON');
  });

ogcRule('Filter', 'wrong filters are 400', async ({ c, at }) => {
  for (const filter of ['title =', "none = 'x'", "size = 'x'", '{"op":"drop"}', ''])
    await refused(c, `${at}/items?filter=${encodeURIComponent(filter)}`, 400);
  await refused(c, `${at}/items?filter=true&filter-lang=nonsense`, 400);
});

ogcRule('Filter', 'filter-crs', async ({ c, at }) => {
  const filter = encodeURIComponent('S_WITHIN(geom,BBOX(5,15,15,25))');
  equal(
    titlesOf(await found(c, `${at}/items?filter=${filter}&filter-crs=${epsg(4326)}`)),
    ['b'],
    'EPSG:4326',
  );
});

ogcWriteRule('Transactions', 'create, replace, update and delete', async ({ c, at }) => {
  const feature = {
    type: 'Feature',
    properties: { title: 'd', size: 9 },
    geometry: { type: 'Point', coordinates: [1, 2] },
  };
  const made = await raw(c, `${at}/items`, { body: feature });
  equal(made.status, 201, 'POST');
  const item = linkIn(
    { ...made, json: { links: [{ rel: 'made', href: made.headers.get('location') }] } },
    'made',
  )!;
  const etag = (await found(c, item)).headers.get('etag') ?? '';
  const replaced = { ...feature, properties: { title: 'e' } };
  const put = async (tag: string) =>
    (await raw(c, item, { method: 'PUT', body: replaced, headers: { 'if-match': tag } })).status;
  equal(await put('"another"'), 412, 'PUT of another version');
  equal(await put(etag), 204, 'PUT');
  equal((await found(c, item)).json.properties.size, null, 'what PUT leaves out is empty');
  equal((await raw(c, item, { method: 'PATCH', body: { properties: { size: 5 } } })).status, 204, 'PATCH');
  const { title, size } = (await found(c, item)).json.properties;
  equal([title, size], ['e', 5], 'properties');
  equal((await raw(c, item, { method: 'DELETE' })).status, 204, 'DELETE');
  await refused(c, item, 404);
});

ogcWriteRule(
  'Transactions',
  'other media types are 415, and If-None-Match: * refuses what exists',
  async (door) => {
    const { c, at } = door;
    const body = JSON.stringify({ type: 'Feature', properties: { title: 'd' }, geometry: null });
    const id = (await found(c, `${at}/items`)).json.features[0].id;
    const statusOf = async (method: string, path: string, headers: Record<string, string>) =>
      (await raw(c, path, { method, body, headers })).status;
    equal(await statusOf('POST', `${at}/items`, { 'content-type': 'text/plain' }), 415, 'text');
    const item = `${at}/items/${id}`;
    equal(
      await statusOf('PATCH', item, { 'content-type': 'application/json-patch+json' }),
      415,
      'JSON Patch',
    );
    const conditional = { 'content-type': 'application/geo+json', 'if-none-match': '*' };
    equal(await statusOf('PUT', item, conditional), 412, 'PUT of what exists');
  },
);

ogcWriteRule('Transactions', 'OPTIONS lists the methods', async ({ c, at }) => {
  const allow = async (path: string) =>
    (await raw(c, path, { method: 'OPTIONS' })).headers.get('allow')?.split(', ') ?? [];
  equal((await allow(`${at}/items`)).includes('POST'), true, 'POST');
  const ofItem = await allow(`${at}/items/1`);
  equal(
    ['PUT', 'PATCH', 'DELETE'].every((method) => ofItem.includes(method)),
    true,
    'PUT, PATCH, DELETE',
  );
});

ogcRule('Schemas', 'the schema has the id and the geometry', async ({ c, at }) => {
  const { properties } = (await found(c, `${at}/schema`)).json;
  const roles = Object.values(properties as Record<string, Record<string, unknown>>).map(
    (one) => one['x-ogc-role'],
  );
  equal(roles.includes('id') && roles.includes('primary-geometry'), true, 'roles');
});
