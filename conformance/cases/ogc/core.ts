import { equal } from '../../rules.js';
import { found, get, linkIn, ogcRule, refused, titlesOf } from './door.js';

const openapi = 'application/vnd.oai.openapi+json;version=3.0';

ogcRule(
  'Core',
  'landing page: links to the definition, the classes and the collections',
  async ({ c, root }) => {
    const landing = await found(c, root);
    for (const rel of ['service-desc', 'conformance', 'data', 'self'])
      equal(typeof linkIn(landing, rel), 'string', `link ${rel}`);
    const { type } = landing.json.links.find(({ rel }: { rel: string }) => rel === 'service-desc');
    equal(type, openapi, 'media type of the link');
    const api = await found(c, linkIn(landing, 'service-desc')!);
    equal(api.type, openapi, 'media type of the definition');
    equal(/^3\.0\./.test(api.json.openapi), true, 'version of OpenAPI');
  },
);

ogcRule('Core', 'conformance: the classes of parts 1 to 5 and of CQL2', async ({ c, root }) => {
  const { conformsTo } = (await found(c, `${root}/conformance`)).json;
  for (const name of [
    ...['core', 'oas30', 'html', 'geojson'].map((one) => `ogcapi-features-1/1.0/conf/${one}`),
    'ogcapi-features-2/1.0/conf/crs',
    ...['queryables', 'filter', 'features-filter'].map((one) => `ogcapi-features-3/1.0/conf/${one}`),
    'ogcapi-features-4/1.0/conf/create-replace-delete',
    'ogcapi-features-5/1.0/conf/schemas',
    ...['cql2-text', 'cql2-json', 'basic-cql2'].map((one) => `cql2/1.0/conf/${one}`),
  ])
    equal(conformsTo.includes(`http://www.opengis.net/spec/${name}`), true, name);
});

ogcRule('Core', 'collections: each has an id, an extent and links to its items', async ({ c, root, at }) => {
  const { collections } = (await found(c, `${root}/collections`)).json;
  equal(
    collections.map(({ id }: { id: string }) => id),
    ['a'],
    'ids',
  );
  const one = await found(c, at);
  equal(one.json.id, 'a', 'id');
  equal(one.json.extent.spatial.bbox, [[0, 0, 40, 20]], 'extent');
  const types = one.json.links
    .filter(({ rel }: { rel: string }) => rel === 'items')
    .map(({ type }: { type: string }) => type);
  equal(types.includes('application/geo+json'), true, 'link to GeoJSON');
});

ogcRule('Core', 'items: a feature collection with numbers and links', async ({ c, at }) => {
  const items = await found(c, `${at}/items`);
  equal(items.type, 'application/geo+json', 'media type');
  equal(items.json.type, 'FeatureCollection', 'type');
  equal(titlesOf(items), ['a', 'b', 'c'], 'features');
  equal([items.json.numberMatched, items.json.numberReturned], [3, 3], 'numbers');
  equal(linkIn(items, 'next'), undefined, 'no next page');
});

ogcRule('Core', 'items: limit and links to the other pages', async ({ c, at }) => {
  const first = await found(c, `${at}/items?limit=2`);
  equal(titlesOf(first), ['a', 'b'], 'first page');
  const second = await found(c, linkIn(first, 'next')!);
  equal(titlesOf(second), ['c'], 'second page');
  equal(linkIn(second, 'next'), undefined, 'no third page');
  equal(titlesOf(await found(c, linkIn(second, 'prev')!)), ['a', 'b'], 'back');
  equal((await get(c, `${at}/items?limit=100000000`)).status, 200, 'a limit above the largest one');
  for (const limit of ['0', '-1', 'x']) await refused(c, `${at}/items?limit=${limit}`, 400);
});

ogcRule('Core', 'items: bbox', async ({ c, at }) => {
  equal(titlesOf(await found(c, `${at}/items?bbox=15,5,25,15`)), ['b'], 'four numbers');
  equal(titlesOf(await found(c, `${at}/items?bbox=15,5,-9,25,15,9`)), ['b'], 'six numbers');
  equal(titlesOf(await found(c, `${at}/items?bbox=25,-5,15,25`)), ['a', 'c'], 'over the antimeridian');
  for (const bbox of ['1,2,3', '1,2,3,x', '0,5,1,0']) await refused(c, `${at}/items?bbox=${bbox}`, 400);
});

ogcRule('Core', 'items: datetime', async ({ c, at }) => {
  equal(
    titlesOf(await found(c, `${at}/items?datetime=2024-01-01T00:00:00Z/..`)).length,
    3,
    'features without times',
  );
  await refused(c, `${at}/items?datetime=yesterday`, 400);
});

ogcRule('Core', 'items: values of properties', async ({ c, at }) => {
  equal(titlesOf(await found(c, `${at}/items?title=b&size=1`)), ['b'], 'features');
});

ogcRule('Core', 'unknown parameters are 400', async ({ c, root, at }) => {
  for (const path of [root, `${root}/collections`, at, `${at}/items`, `${at}/items/1`])
    await refused(c, `${path}?nonsense=1`, 400);
});

ogcRule('Core', 'a feature, with links to itself and its collection', async ({ c, at }) => {
  const all = await found(c, `${at}/items`);
  const { id } = all.json.features[1];
  const one = await found(c, `${at}/items/${id}`);
  equal(one.type, 'application/geo+json', 'media type');
  equal([one.json.type, one.json.id, one.json.properties.title], ['Feature', id, 'b'], 'feature');
  for (const rel of ['self', 'collection']) equal(typeof linkIn(one, rel), 'string', `link ${rel}`);
  await refused(c, `${at}/items/999999999`, 404);
});

ogcRule('Core', 'what does not exist is 404', async ({ c, root }) => {
  for (const path of [`${root}/collections/none`, `${root}/collections/none/items`, `${root}x`])
    await refused(c, path, 404);
});

ogcRule('HTML', 'pages by f=html and by Accept', async ({ c, root, at }) => {
  for (const path of [
    root,
    `${root}/conformance`,
    `${root}/collections`,
    at,
    `${at}/items`,
    `${at}/items/1`,
  ]) {
    equal((await found(c, `${path}?f=html`)).type.startsWith('text/html'), true, path);
    equal((await get(c, path, { accept: 'text/html' })).type.startsWith('text/html'), true, path);
  }
});
