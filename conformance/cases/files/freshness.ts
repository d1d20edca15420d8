import type { Client } from '../../client.js';
import { equal, rule, status } from '../../rules.js';
import { form, raw, sameBytes, square, tile } from '../support.js';

const geometry = square(-60, 10, 50);
const feature = { type: 'Feature', properties: {}, geometry };

interface Site {
  map: string;
  /** The path of the layer `a` in the folder `f`, drawn in red. */
  layer: string;
  /** The path of its only object: a valid polygon and an invalid part. */
  object: string;
  id: number;
  layerId: number;
  folder: { id: number; parent_id: number };
}

/** Creates a map with a layer in a folder, whose style uses its columns. */
async function site(c: Client): Promise<Site> {
  const map = await c.map();
  const folder = await c.make(`${map}folders/`, { code: 'f' });
  const { id: layerId } = await c.make(`${map}layers/`, { code: 'a', parent_id: folder.id });
  const layer = `${map}layers/a/`;
  await c.make(`${layer}structure/`, { code: 'title', type: 'string' });
  await c.make(`${layer}structure/`, { code: 'docs', type: 'file' });
  const css_style = `#a { polygon-fill: #ff0000; [title = 'y'] { polygon-fill: #00ff00; } }
    #a::text { text-name: [docs]; text-face-name: 'DejaVu Sans Book'; text-size: 20; text-fill: #000; }`;
  status(await c.send('PATCH', layer, { css_style }), 200);
  const { id } = await c.make(`${layer}objects/`, { fields: { title: 'x' }, geom: square(10, 10, 60) });
  return { map, layer, object: `${layer}objects/${id}/`, id, layerId, folder };
}
const item = ({ layerId }: Site, more: object = {}) => ({
  id: 1,
  parent_id: 0,
  map_layer_id: layerId,
  ...more,
});
const upload = (c: Client, { object }: Site) =>
  raw(c, `${object}files/`, { body: form('hello', 'a.txt', { field: 'docs' }) });

interface Write {
  what: string;
  /** The content before the first tile. */
  prepare?: (c: Client, site: Site) => Promise<unknown>;
  write: (c: Client, site: Site) => Promise<{ status: number }>;
}
const writes: Write[] = [
  {
    what: 'create object',
    write: (c, { layer }) => c.send('POST', `${layer}objects/`, { fields: {}, geom: geometry }),
  },
  {
    what: 'update object, its geometry',
    write: (c, { object }) => c.send('PUT', object, { fields: {}, geom: geometry }),
  },
  {
    what: 'update object, a value that the style looks at',
    write: (c, { object }) => c.send('PUT', object, { fields: { title: 'y' } }),
  },
  { what: 'delete object', write: (c, { object }) => c.send('DELETE', object) },
  {
    what: 'delete several',
    write: (c, { layer, id }) => c.send('DELETE', `${layer}objects/`, { delete_params: `${id}-${id + 9}` }),
  },
  { what: 'change geometry', write: (c, { object }) => c.send('PUT', `${object}geom/`, geometry) },
  {
    what: 'copy of an object into the layer',
    write: async (c, { layer, map }) => {
      const other = `${map}layers/b/`;
      await c.make(`${map}layers/`, { code: 'b', css_style: '#b { marker-width: 0; }' });
      const { id } = await c.make(`${other}objects/`, { fields: {}, geom: geometry });
      const target = { map_code: map.slice(1, -1), layer_code: 'a' };
      const answer = await c.send('POST', `${other}objects/${id}/copy/`, target);
      await c.send('DELETE', other);
      equal((await c.send('GET', layer)).status, 200, 'status of the layer');
      return answer;
    },
  },
  {
    what: 'import',
    write: (c, { layer }) =>
      c.send('POST', `${layer}import/?action=1`, { type: 'FeatureCollection', features: [feature] }),
  },
  {
    what: 'import of a file',
    write: (c, { layer }) => raw(c, `${layer}import/`, { body: form(JSON.stringify(feature), 'a.geojson') }),
  },
  { what: 'add file', write: upload },
  {
    what: 'delete file',
    prepare: upload,
    write: async (c, { object }) => {
      const { docs } = (await c.send('GET', object)).json.fields;
      return await c.send('DELETE', `${object}files/${docs}/?field=docs`);
    },
  },
  {
    what: 'change style',
    write: (c, { layer }) => c.send('PATCH', layer, { css_style: '#a { polygon-fill: #0000ff; }' }),
  },
  {
    what: 'change the type of a column that the style looks at',
    prepare: async (c, { layer, object }) => {
      const css_style = "#a { text-name: [title]; text-face-name: 'DejaVu Sans Book'; text-size: 20; }";
      status(await c.send('PATCH', layer, { css_style }), 200);
      await c.send('PUT', object, { fields: { title: '1.50' } });
    },
    write: (c, { layer }) => c.send('PATCH', `${layer}structure/title/`, { type: 'number' }),
  },
  { what: 'delete layer', write: (c, { layer }) => c.send('DELETE', layer) },
  { what: 'delete the folder of the layer', write: (c, { map }) => c.send('DELETE', `${map}folders/f/`) },
  {
    what: 'sort of the folder',
    prepare: async (c, { map }) => {
      const { id } = await c.make(`${map}folders/`, { code: 'g' });
      await c.make(`${map}layers/`, { code: 'b', parent_id: id, css_style: '#b { polygon-fill: #0000ff; }' });
      await c.make(`${map}layers/b/objects/`, { fields: {}, geom: square(10, 10, 60) });
    },
    write: (c, { map, folder }) =>
      c.send('PATCH', `${map}folders/f/`, { parent_id: folder.parent_id, sort: 9 }),
  },
  {
    what: 'saved publication tree, the layer not selected',
    write: (c, at) => c.send('POST', `${at.map}publish/`, [item(at, { selected: false })]),
  },
  {
    what: 'saved publication tree, without the layer',
    prepare: (c, at) => c.make(`${at.map}publish/`, [item(at)]),
    write: (c, { map }) => c.send('POST', `${map}publish/`, []),
  },
  {
    what: 'background of the map',
    write: (c, { map }) => c.send('PATCH', map, { css_style: 'Map { background-color: #00ff00; }' }),
  },
  {
    what: 'rights on the layer',
    write: (c, { layer }) => c.send('PUT', `${layer}rights/`, { user: 'public', right: 'none' }),
  },
];
for (const { what, prepare, write } of writes)
  rule('Tiles', `decided: never older than an acknowledged write: ${what}`, async (c) => {
    const at = await site(c);
    await prepare?.(c, at);
    const path = `//tms/${c.target.project}${at.map}?z=1&x=1&y=1`;
    const world = `//tms/${c.target.project}${at.map}?z=0&x=0&y=0`;
    const before = [await raw(c, path, { token: '' }), await raw(c, world, { token: '' })];
    equal((await write(c, at)).status, 200, 'status of the write');
    const after = [await raw(c, path, { token: '' }), await raw(c, world, { token: '' })];
    equal(
      before.every((one, index) => sameBytes(one, after[index]!)),
      false,
      'the same tiles after the write',
    );
  });
rule('Tiles', 'decided: an ETag is not fresh after a write', async (c) => {
  const at = await site(c);
  const etag = (await tile(c, at.map, 'z=0&x=0&y=0')).headers.get('etag') ?? '';
  await c.send('DELETE', at.object);
  equal((await tile(c, at.map, 'z=0&x=0&y=0', { 'if-none-match': etag })).status, 200, 'status');
});
rule('Tiles', 'decided: never older than an acknowledged write: makevalid', async (c) => {
  const map = await c.map();
  // The outline of a polygon with a spike includes the spike; the outline of the repaired polygon does not.
  const ring = [
    [0, 0],
    [20, 0],
    [20, 20],
    [60, 20],
    [20, 20],
    [0, 20],
    [0, 0],
  ];
  const css_style = '#a { [mapnik::geometry_type = 3] { line-width: 4; line-color: #f00; } }';
  await c.make(`${map}layers/`, { code: 'a', css_style });
  const layer = `${map}layers/a/`;
  const geom = { type: 'Polygon', coordinates: [ring] };
  const { id } = await c.make(`${layer}objects/`, { fields: {}, geom });
  const [before, stored] = [
    await tile(c, map, 'z=0&x=0&y=0'),
    await c.send('GET', `${layer}objects/${id}/geom/`),
  ];
  await c.make(`${layer}makevalid/`, {});
  const geometries = [stored.json, (await c.send('GET', `${layer}objects/${id}/geom/`)).json];
  equal(JSON.stringify(geometries[0]) === JSON.stringify(geometries[1]), false, 'the same geometry');
  equal(sameBytes(before, await tile(c, map, 'z=0&x=0&y=0')), false, 'the same tile after makevalid');
});
