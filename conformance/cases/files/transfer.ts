import type { Client } from '../../client.js';
import { equal, has, rule, status } from '../../rules.js';
import { abc, form, layerWith, near, point, raw, reading, valuesOf } from '../support.js';

const feature = (title: string, geometry: object = point(10, 20), id?: number) => ({
  type: 'Feature',
  ...(id === undefined ? {} : { id }),
  properties: { title },
  geometry,
});
const collection = (...features: object[]) => ({ type: 'FeatureCollection', features });
const one = collection(feature('one'));
const mercator = collection(feature('one', point(2226389.8158654715, 1118889.9748579594)));

const ways: [what: string, body: unknown, headers: Record<string, string>][] = [
  ['GeoJSON in the body', one, {}],
  ['a multipart file with the variable file', form(JSON.stringify(one), 'a.geojson'), {}],
  [
    'a file in the body with X-Filename',
    JSON.stringify(one),
    { 'x-filename': 'a.geojson', 'content-type': 'application/octet-stream' },
  ],
];
for (const [what, body, headers] of ways)
  rule('Import', `${what}; the answer is the layer`, async (c) => {
    const layer = await c.layer();
    const answer = await raw(c, `${layer}import/`, { body, headers });
    has(answer.json, 'id type code name sort parent_id selected map_layer_id');
    equal(valuesOf(await c.send('GET', `${layer}objects/?fields=title`)), ['one'], 'titles');
  });
const wkt =
  'PROJCS["WGS 84 / Pseudo-Mercator",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",0],UNIT["metre",1],EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +wktext +no_defs"],AUTHORITY["EPSG","3857"]]';
for (const [what, srs] of [
  ['EPSG number', '3857'],
  ['EPSG code', 'EPSG:3857'],
  ['WKT', wkt],
  [
    'proj4',
    '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs',
  ],
])
  rule('Import', `srs as ${what}`, async (c) => {
    const layer = await c.layer();
    await c.make(`${layer}import/?srs=${encodeURIComponent(srs!)}`, mercator);
    const { json } = await c.send('GET', `${layer}objects/?fields=title&returnGeom=1`);
    near(json?.[0]?.geom?.coordinates[0], 20, 'longitude');
    near(json?.[0]?.geom?.coordinates[1], 10, 'latitude');
  });
for (const [query, titles] of [
  ['', ['old', 'one']],
  ['?action=2', ['old', 'one']],
  ['?action=1', ['one']],
] as const)
  rule('Import', `action: import/${query}`, async (c) => {
    const layer = await c.layer();
    await c.make(`${layer}objects/`, { fields: { title: 'old' } });
    await c.make(`${layer}import/${query}`, one);
    equal(valuesOf(await c.send('GET', `${layer}objects/?fields=title&sort=title`)), titles, 'titles');
  });
rule('Import', 'action=1 and srs as variables of a form, after its file', async (c) => {
  const layer = await c.layer();
  await c.make(`${layer}objects/`, { fields: { title: 'old' } });
  const body = form(JSON.stringify(mercator), 'a.geojson');
  body.append('action', '1');
  body.append('srs', '3857');
  await raw(c, `${layer}import/`, { body });
  const { json } = await c.send('GET', `${layer}objects/?fields=title&returnGeom=1`);
  equal(json.length, 1, 'objects');
  near(json?.[0]?.geom?.coordinates[0], 20, 'longitude');
});
rule('Import', 'all or nothing', async (c) => {
  const layer = await c.layer();
  status(
    await c.send(
      'POST',
      `${layer}import/`,
      collection(feature('one'), { type: 'Feature', geometry: { type: 'Nonsense' } }),
    ),
    500,
  );
  equal((await c.send('GET', `${layer}count/?precise=true`)).json, 0, 'count');
});

/** Titles by size in a layer with the objects `a`, `b`, `c` after an import. */
async function merged(c: Client, query: string, features: (ids: number[]) => object[]) {
  const layer = await abc(c);
  const list = async () =>
    (await c.send('GET', `${layer}objects/?fields=title,size&sort=svc_id`)).json as Listed[];
  const before = await list();
  const body = collection(...features(before.map(({ id }) => id)));
  const answer = await c.send('POST', `${layer}import/${query}`, body);
  return { answer, before, after: await list() };
}
interface Listed {
  id: number;
  fields: { title: string; size: number };
}
rule(
  'Import',
  'action=2 merges: a feature with the id of an object changes it, others are added',
  async (c) => {
    const { answer, before, after } = await merged(c, '?action=2', ([, second]) => [
      feature('changed', point(1, 1), second),
      feature('new'),
    ]);
    status(answer, 200);
    equal(
      after.map(({ fields }) => fields.title),
      ['a', 'changed', 'c', 'new'],
      'titles',
    );
    equal(
      after.slice(0, 3).map(({ id }) => id),
      before.map(({ id }) => id),
      'ids',
    );
    equal(after[1]!.fields.size, 1, 'a value that the feature lacks');
  },
);
rule('Import', 'action=2 keeps the id of a feature that no object has', async (c) => {
  const { after } = await merged(c, '', (ids) => [feature('new', point(1, 1), Math.max(...ids) + 100)]);
  equal(after.length, 4, 'objects');
  equal(after[3]!.fields.title, 'new', 'the last');
});
rule('Import', 'action=1 replaces: what was there is gone, also what has an id of the file', async (c) => {
  const { after } = await merged(c, '?action=1', ([, second]) => [feature('changed', point(1, 1), second)]);
  equal(
    after.map(({ fields }) => [fields.title, fields.size ?? null]),
    [['changed', null]],
    'objects',
  );
});
rule('Import', 'an export that is merged again changes nothing', async (c) => {
  const layer = await abc(c);
  const list = async () => (await c.send('GET', `${layer}objects/?fields=*&returnGeom=1&sort=svc_id`)).json;
  const before = await list();
  const { text } = await raw(c, `${layer}export/?format=geojson`);
  status(await raw(c, `${layer}import/?action=2`, { body: JSON.parse(text) }), 200);
  equal(await list(), before, 'objects');
});
for (const query of ['action=3', 'action=x'])
  rule('Import', `decided: ${query} is 400`, async (c) =>
    status(await c.send('POST', `${await c.layer()}import/?${query}`, one), 400),
  );
rule('Import', 'a srs that is none is refused, nothing is stored', async (c) => {
  const layer = await c.layer();
  equal((await c.send('POST', `${layer}import/?srs=nonsense`, one)).status >= 400, true, 'refused');
  equal((await c.send('GET', `${layer}count/?precise=true`)).json, 0, 'count');
});
rule('Import', '404 when the layer does not exist', async (c) =>
  status(await c.send('POST', `${await c.map()}layers/none/import/`, one), 404),
);
rule('Import', 'new properties become columns', async (c) => {
  const map = await c.map();
  await c.make(`${map}layers/`, { code: 'a' });
  const properties = { word: 'x', count: 1.5 };
  await c.make(`${map}layers/a/import/`, collection({ type: 'Feature', properties, geometry: point(1, 1) }));
  const [object] = (await c.send('GET', `${map}layers/a/objects/?fields=*`)).json;
  equal(object.fields, properties, 'fields');
});

rule(
  'Export',
  'geojson is a file',
  reading(async (c, layer) => {
    const { features } = JSON.parse((await raw(c, `${layer}export/?format=geojson`, { token: '' })).text);
    equal(
      features.map((f: { properties: { title: string } }) => f.properties.title).sort(),
      ['a', 'b', 'c'],
      'titles',
    );
  }),
);
rule('Export', 'feature_ids', async (c) => {
  const layer = await abc(c);
  const [a, , third] = (await c.send('GET', `${layer}objects/?fields=title&sort=size`)).json;
  const { features } = JSON.parse(
    (await raw(c, `${layer}export/?format=geojson&feature_ids=${a.id},${third.id}`)).text,
  );
  equal(
    features.map((f: { properties: { title: string } }) => f.properties.title).sort(),
    ['a', 'c'],
    'titles',
  );
});
rule(
  'Export',
  'zip forces packing',
  reading(async (c, layer) =>
    equal(
      (await raw(c, `${layer}export/?format=geojson&zip=1`)).bytes.subarray(0, 4).toString('latin1'),
      'PK\u0003\u0004',
      'signature',
    ),
  ),
);
rule('Export', 'langs: the languages named, all when empty', async (c) => {
  const layer = await layerWith(c, { word: { type: 'string', localized_value: true } });
  const { id } = await c.make(`${layer}objects/`, { fields: { word: 'first' }, geom: point(1, 1) });
  await c.send('PUT', `${layer}objects/${id}/?lng=fr`, { fields: { word: 'second' } });
  const text = async (langs: string) => (await raw(c, `${layer}export/?format=geojson&langs=${langs}`)).text;
  const [all, french, german] = [await text(''), await text('fr'), await text('de')];
  equal([all.includes('first'), all.includes('second')], [true, true], 'all languages');
  equal([french.includes('second'), german.includes('second')], [true, false], 'French with fr and with de');
});
for (const query of ['?format=nonsense', ''])
  rule(
    'Export',
    `500 for export/${query}`,
    reading(async (c, layer) => status(await raw(c, `${layer}export/${query}`), 500)),
  );

rule('makevalid', 'mends a polygon; the answer is the layer without css_style', async (c) => {
  const layer = await c.layer();
  const ring = [
    [0, 0],
    [2, 2],
    [2, 0],
    [0, 2],
    [0, 0],
  ];
  const { id } = await c.make(`${layer}objects/`, {
    fields: {},
    geom: { type: 'Polygon', coordinates: [ring] },
  });
  const answer = await c.make(`${layer}makevalid/`, {});
  has(answer, 'id type code name sort parent_id selected map_layer_id');
  equal('css_style' in answer, false, 'css_style');
  equal(
    (await c.send('GET', `${layer}objects/${id}/geom/`)).json?.type,
    'MultiPolygon',
    'type of the geometry',
  );
});
