import type { Client } from '../../client.js';
import { bands } from '../../formats/bands.js';
import { equal, has, rule } from '../../rules.js';
import { form, png, point, type Raw, raw } from '../support.js';

const section = 'Versioning';
const versions = ['2.0', '1.0'] as const;
type Version = (typeof versions)[number];

/** A request to an earlier version, below the project's path. */
const ask = (c: Client, version: Version, path: string, method = 'GET', body?: unknown): Promise<Raw> =>
  raw(c, `//api/${version}/${c.target.project}${path}`, { method, body });

rule(section, 'decided: GET /api/ / the versions served', async (c) => {
  const { json } = await raw(c, '//api/');
  equal(
    ['2.8', '2.0', '1.0'].every((version) => json.includes(version)),
    true,
    'all there',
  );
});
rule(section, 'the tile path carries no version', async (c) => {
  const tile = await raw(c, `//tms/${c.target.project}${await c.map()}?z=0&x=0&y=0`);
  equal([tile.status, png(tile.bytes).width], [200, 256], 'tile');
});

/** Creates a layer by 2.8, with an object at (1, 2) that has a file. */
interface Place {
  map: string;
  layer: string;
  /** Id and path of the object. */
  id: number;
  object: string;
  file: { id: number; uuid: string };
}
async function place(c: Client): Promise<Place> {
  const layer = await c.layer();
  const map = layer.replace('layers/a/', '');
  await c.make(`${layer}structure/`, { code: 'photo', type: 'file' });
  await c.make(`${layer}structure/`, { code: 'day', type: 'datetime' });
  const { id } = await c.make(`${layer}objects/`, { fields: { title: 'x' }, geom: point(1, 2) });
  const object = `${layer}objects/${id}/`;
  const { json } = await raw(c, `${object}files/?field=photo`, { body: form(bands, 'p.png') });
  return { map, layer, id, object, file: json };
}

for (const version of versions) {
  const own = (name: string, run: (c: Client) => Promise<void>): void =>
    rule(section, `${version} / ${name}`, run);

  own('login by user and pass', async (c) => {
    const body = { user: c.target.login, pass: c.target.password };
    equal(typeof (await ask(c, version, '/login/', 'POST', body)).json?.token, 'string', 'type of token');
  });
  own('functions that it does not have are 404', async (c) => {
    const { map, layer } = await place(c);
    for (const path of ['/users/list/', `${layer}count/`, `${map}search/?phrase=x`, `${map}dictionaries/`])
      equal((await ask(c, version, path)).status, 404, path);
  });
  own('initial settings of a public map by map_code', async (c) => {
    const map = await c.map();
    const { json } = await ask(c, version, `/?map_code=${map.slice(1, -1)}`);
    equal(json?.map?.code, map.slice(1, -1), 'code of the map');
  });
  own('create map answers id, code, name, css_style, group_layers', async (c) => {
    const map = await c.map();
    await c.send('DELETE', map);
    const { json } = await ask(c, version, '/', 'POST', { code: map.slice(1, -1), publish: false });
    equal(Object.keys(json).sort(), ['code', 'css_style', 'group_layers', 'id', 'name'], 'keys');
    equal((await c.send('GET', map, undefined, '')).status, 403, 'with publish false, to the public');
  });
  own('layer items carry icon_retina, g_type and bbox', async (c) => {
    const { map, layer } = await place(c);
    const [item] = (await ask(c, version, `${map}layers/`)).json;
    has(item, 'icon_retina g_type bbox');
    equal([item.g_type, item.bbox], ['Point', { sw: [2, 1], ne: [2, 1] }], 'values');
    has((await ask(c, version, layer)).json, 'icon_retina g_type bbox');
  });
  own('update layer by PUT', async (c) => {
    const { layer } = await place(c);
    equal((await ask(c, version, layer, 'PUT', { code: 'a', name: 'New' })).json?.name, 'New', 'name');
  });
  own(`column type of dates is ${version === '1.0' ? 'timestamp' : 'datetime'}`, async (c) => {
    const { layer } = await place(c);
    const type = version === '1.0' ? 'timestamp' : 'datetime';
    const { json } = await ask(c, version, `${layer}structure/`);
    equal(json.find(({ code }: { code: string }) => code === 'day').type, type, 'type');
    const changed = await ask(c, version, `${layer}structure/day/`, 'PUT', { type, name: 'Day' });
    equal([changed.status, changed.json?.type], [200, type], 'changed');
  });
  for (const method of ['PUT', 'PATCH'])
    own(`geometry change by ${method}`, async (c) => {
      const { object } = await place(c);
      const body = version === '2.0' ? { geom: point(3, 4) } : point(3, 4);
      const { json } = await ask(c, version, `${object}geom/`, method, body);
      equal((version === '2.0' ? json?.geom : json)?.coordinates, [3, 4], 'coordinates');
    });
  own('add and delete file', async (c) => {
    const { object } = await place(c);
    const added = await ask(c, version, `${object}files/?field=photo`, 'POST', form('text', 'a.txt'));
    const keys = version === '2.0' ? 'code id mime name path uuid' : 'code id mime name path';
    equal([Object.keys(added.json).sort().join(' '), added.json.code], [keys, ''], 'keys, and an empty code');
    const gone = await ask(c, version, `${object}files/${added.json.id}/?field=photo`, 'DELETE');
    equal(gone.json, version === '2.0' ? null : {}, 'answer of the deletion');
  });
  own(`image by ${version === '2.0' ? 'file_uuid' : 'file_id'}`, async (c) => {
    const { file } = await place(c);
    const answer = await ask(c, version, `/image/${version === '2.0' ? file.uuid : file.id}/?w=16`);
    equal([answer.status, answer.status === 200 && png(answer.bytes).width], [200, 16], 'picture');
  });
  own('import, export, object list and info, structure', async (c) => {
    const { layer, object, id } = await place(c);
    const body = { type: 'Feature', geometry: point(5, 6), properties: { title: 'y' } };
    equal((await ask(c, version, `${layer}import/`, 'POST', body)).status, 200, 'import');
    equal((await ask(c, version, `${layer}objects/?fields=title`)).json.length, 2, 'objects');
    equal((await ask(c, version, object)).json.id, id, 'object');
    equal((await ask(c, version, `${layer}export/?format=geojson`)).json.features.length, 2, 'features');
  });
  own('a status that it does not know: 400 is 500 with the error object (decided)', async (c) => {
    const answer = await ask(c, version, `${await c.layer()}objects/?fields=no_such_column`);
    equal([answer.status, answer.json?.code], [500, 'bad_request'], 'answer');
  });
}
