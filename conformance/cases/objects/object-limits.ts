import { equal, has, rule, status } from '../../rules.js';
import { raw, reading } from '../support.js';

rule('Objects', 'list / decided: limit is 1,000 by default, at most 50,000', async (c) => {
  const layer = await c.layer();
  const features = Array.from({ length: 1001 }, (_, size) => ({
    type: 'Feature',
    properties: { size },
    geometry: null,
  }));
  await c.make(`${layer}import/`, { type: 'FeatureCollection', features });
  equal((await c.send('GET', `${layer}objects/?fields=size`)).json?.length, 1000, 'objects without limit');
  equal(
    (await c.send('GET', `${layer}objects/?fields=size&limit=50000`)).json?.length,
    1001,
    'objects with limit',
  );
  has((await c.send('GET', `${layer}objects/?fields=size&limit=1`)).json?.[0], 'id fields');
});
rule('Objects', 'list / decided: more than 50,000 objects come in several pages', async (c) => {
  const layer = await c.layer();
  const geometry = null;
  const features = Array.from({ length: 50_001 }, (_, size) => ({
    type: 'Feature',
    properties: { size },
    geometry,
  }));
  await c.make(`${layer}import/`, { type: 'FeatureCollection', features });
  const first = await raw(c, `${layer}objects/?fields=size&limit=60000`);
  equal(first.json?.length, 50_000, 'objects with limit=60000');
  const rest = /[?&](cursor=[^&>]+)/.exec(first.headers.get('link') ?? '')?.[1];
  const last = await raw(c, `${layer}objects/?fields=size&${rest}`);
  equal(last.json?.length, 1, 'objects that its Link leads to, by cursor');
  equal(
    (await c.send('GET', `${layer}objects/?fields=size&limit=60000&offset=50000`)).json?.length,
    1,
    'the rest',
  );
  equal(
    (await c.send('POST', `${layer}filter/`, { fields: 'size', limit: 60_000 })).json?.length,
    50_000,
    'filter/',
  );
});
for (const query of [
  'limit=-1',
  'limit=x',
  'offset=-1',
  'offset=x',
  'sort=none',
  'sort=size,x',
  'fbbox=1,2,3',
  'fbbox=a,b,c,d',
  'returnGeom=perhaps',
  'geomZoom=x',
])
  rule(
    'Objects',
    `list / decided: ${query} is 400`,
    reading(async (c, layer) => status(await c.send('GET', `${layer}objects/?fields=title&${query}`), 400)),
  );
rule(
  'Objects',
  'list / limit=0 gives an empty list, as does an offset beyond the end',
  reading(async (c, layer) => {
    for (const query of ['limit=0', 'offset=99'])
      equal((await c.send('GET', `${layer}objects/?fields=title&${query}`)).json, [], query);
  }),
);
rule('Objects', 'count / is exact after each write of a small layer', async (c) => {
  const layer = await c.layer();
  const counts = async () =>
    Promise.all(
      ['', '?precise=true'].map(async (query) => (await c.send('GET', `${layer}count/${query}`)).json),
    );
  const { id } = await c.make(`${layer}objects/`, { fields: {} });
  equal(await counts(), [1, 1], 'after create');
  await c.send('DELETE', `${layer}objects/${id}/`);
  equal(await counts(), [0, 0], 'after delete');
});
