import type { Client } from '../../client.js';
import { equal, rule, status } from '../../rules.js';
import { point } from '../support.js';

/** Creates a layer `a` with two objects. Returns the path of a layer `q` that is a query over it. */
async function query(c: Client, type: string, text = 'select svc_id, geom, title from {a}'): Promise<string> {
  const layer = await c.layer();
  const [map] = layer.split('layers/') as [string];
  for (const [title, x] of [
    ['one', 10],
    ['two', 20],
  ] as const)
    await c.make(`${layer}objects/`, { fields: { title }, geom: point(x, x) });
  const json = { query: text.replace('{a}', `${map.slice(1, -1)}.a`) };
  await c.make(`${map}layers/`, { code: 'q', type, json });
  return `${map}layers/q/`;
}
const add = (c: Client, layer: string) =>
  c.make(`${layer.replace('/q/', '/a/')}objects/`, { fields: { title: 'three' }, geom: point(30, 30) });

rule('Layers', "GET layers/<layer>/ / type is 'virtual' for a virtual layer", async (c) =>
  equal((await c.send('GET', await query(c, 'virtual'))).json.type, 'virtual', 'type'),
);
for (const method of ['PUT', 'PATCH'])
  rule(
    'Layers',
    `${method} layers/<layer>/ / takes what GET answered, for every kind of layer`,
    async (c) => {
      for (const type of ['virtual', 'material', 'raster']) {
        const layer = await query(c, type === 'raster' ? 'virtual' : type);
        const path = type === 'raster' ? layer.replace('/q/', '/r/') : layer;
        if (type === 'raster') await c.make(layer.replace('q/', ''), { code: 'r', type });
        const { json } = await c.send('GET', path);
        const answer = await c.send(method, path, { ...json, name: 'New' });
        equal([type, answer.status, answer.json?.name], [type, 200, 'New'], 'type, status, name');
        status(await c.send(method, path, { type: 'external' }), 400);
      }
    },
  );
rule('Layers', 'GET layers/ / the tree names the type of a layer', async (c) => {
  for (const type of ['virtual', 'material']) {
    const layer = await query(c, type);
    const tree = (await c.send('GET', `${layer.replace('q/', '')}?type=full`)).json;
    equal(tree.find(({ code }: { code: string }) => code === 'q').type, type, 'type');
  }
});
rule('Layers', 'bbox / of a virtual layer', async (c) =>
  equal(
    (await c.send('GET', `${await query(c, 'virtual')}bbox/`)).json,
    { sw: [10, 10], ne: [20, 20] },
    'bbox',
  ),
);
rule('Objects', 'of a virtual layer / list, object, count', async (c) => {
  const layer = await query(c, 'virtual');
  const list = (await c.send('GET', `${layer}objects/?fields=title&sort=title,d`)).json;
  equal(
    list.map(({ fields }: { fields: { title: string } }) => fields.title),
    ['two', 'one'],
    'titles',
  );
  equal((await c.send('GET', `${layer}objects/1/`)).json.fields.title, 'one', 'title');
  equal((await c.send('GET', `${layer}count/?precise=true`)).json, 2, 'count');
});
rule('Layers', 'refresh / runs the query of a materialized layer again', async (c) => {
  const layer = await query(c, 'material');
  await add(c, layer);
  equal((await c.send('GET', `${layer}count/?precise=true`)).json, 2, 'before');
  status(await c.send('POST', `${layer}refresh/`), 200);
  equal((await c.send('GET', `${layer}count/?precise=true`)).json, 3, 'after');
});
rule('Layers', 'refresh / 500 when the layer is virtual', async (c) =>
  status(await c.send('POST', `${await query(c, 'virtual')}refresh/`), 500),
);
rule('Layers', 'decided: a virtual layer shows what its sources have now', async (c) => {
  const layer = await query(c, 'virtual');
  await add(c, layer);
  equal((await c.send('GET', `${layer}count/?precise=true`)).json, 3, 'count');
});
rule('Layers', 'decided: writes to a virtual layer answer 400', async (c) => {
  const layer = await query(c, 'virtual');
  status(await c.send('POST', `${layer}objects/`, { fields: {} }), 400);
  status(await c.send('DELETE', `${layer}objects/1/`), 400);
  status(await c.send('POST', `${layer}structure/`, { code: 'x', type: 'number' }), 400);
});
for (const text of [
  'drop table x',
  'select pg_sleep(1) as svc_id from {a}',
  'select 1 as svc_id from pg_class',
])
  rule('Layers', `decided: the query '${text.slice(0, 30)}' is query_invalid`, async (c) => {
    const layer = await query(c, 'virtual');
    const json = { query: text.replace('{a}', `${layer.split('/')[1]}.a`) };
    const answer = await c.send('PATCH', layer, { json });
    equal(
      [answer.status, answer.json.code, typeof answer.json.data.position],
      [500, 'query_invalid', 'number'],
      'error',
    );
  });
rule('Layers', 'decided: a layer that a virtual layer reads is deleted by force alone', async (c) => {
  const layer = await query(c, 'virtual');
  const source = layer.replace('/q/', '/a/');
  status(await c.send('DELETE', source), 400);
  status(await c.send('DELETE', `${source}?force=1`), 200);
  status(await c.send('GET', `${layer}objects/`), 500);
});
rule('Layers', 'decided: an external layer from a host that is not allowed is refused', async (c) =>
  status(
    await c.send('POST', `${await c.map()}layers/`, {
      type: 'external',
      json: { url: 'https://host.invalid/{z}/{x}/{y}.png' },
    }),
    400,
  ),
);
