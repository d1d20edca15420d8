import type { Client } from '../../client.js';
import { dxf, kml, kmz, mif, shp } from '../../formats/vectors.js';
import { readZip } from '../../formats/zip.js';
import { equal, rule } from '../../rules.js';
import { abc, form, layerWith, near, raw, reading, valuesOf } from '../support.js';

const files: [format: string, name: string, bytes: string | Uint8Array][] = [
  ['kml', 'a.kml', kml],
  ['kmz', 'a.kmz', kmz],
  ['shp', 'a.zip', shp],
  ['mid/mif', 'a.zip', mif],
];
/** The only object of a layer is the point of those files. */
async function holdsThePoint(c: Client, layer: string): Promise<void> {
  const { json } = await c.send('GET', `${layer}objects/?fields=*&returnGeom=1`);
  equal(json?.length, 1, 'objects');
  near(json[0].geom?.coordinates[0], 20, 'longitude');
  near(json[0].geom?.coordinates[1], 10, 'latitude');
}
for (const [format, name, bytes] of files)
  rule('Import', `${format}, as a form and in the body`, async (c) => {
    const inBody = { 'x-filename': name, 'content-type': 'application/octet-stream' };
    for (const sent of [{ body: form(bytes, name) }, { body: bytes, headers: inBody }]) {
      const layer = await layerWith(c, { title: 'string' });
      const answer = await raw(c, `${layer}import/`, sent);
      equal([answer.status, answer.status === 200 || answer.text], [200, true], 'status');
      await holdsThePoint(c, layer);
      equal(valuesOf(await c.send('GET', `${layer}objects/?fields=title`)), ['one'], 'titles');
    }
  });
rule('Import', 'dxf', async (c) => {
  const layer = await layerWith(c, {});
  equal((await raw(c, `${layer}import/`, { body: form(dxf, 'a.dxf') })).status, 200, 'status');
  await holdsThePoint(c, layer);
});
for (const format of ['shp', 'mif', 'tab', 'kml', 'kmz', 'geojson'])
  rule('Export', `${format} is imported again with all its values and geometries`, async (c) => {
    const [from, to] = [await abc(c), await c.layer()];
    const { bytes, headers, status } = await raw(c, `${from}export/?format=${format}`, { token: '' });
    equal(status, 200, 'status of the export');
    const isZip = bytes.subarray(0, 2).toString() === 'PK' && format !== 'kmz';
    const body = form(bytes, isZip ? 'a.zip' : `a.${format}`);
    equal(
      (await raw(c, `${to}import/`, { body })).status,
      200,
      `status of the import (${headers.get('content-type')})`,
    );
    const { json } = await c.send('GET', `${to}objects/?fields=title,size&sort=size&returnGeom=1`);
    const shown = json.map((o: { fields: { title: string; size: number } }) => [
      o.fields.title,
      o.fields.size,
    ]);
    equal(
      shown,
      [
        ['a', 0],
        ['b', 1],
        ['c', 2],
      ],
      'values',
    );
    for (const [at, { geom }] of json.entries()) {
      near(geom?.coordinates[0], 20 * at, 'longitude', 1e-4);
      near(geom?.coordinates[1], 10 * at, 'latitude', 1e-4);
    }
  });

/** Extensions of the names in an archive. */
const endsOf = (bytes: Buffer): string[] =>
  Object.keys(readZip(bytes)).map((name) => name.replace(/^.*\./, '').toLowerCase());
for (const [query, ends] of [
  ['format=shp', ['shp', 'shx', 'dbf', 'prj']],
  ['format=mif', ['mif', 'mid']],
  ['format=kml&zip=1', ['kml']],
  ['format=geojson&zip=1', ['geojson']],
  ['format=kmz', ['kml']],
  ['format=kmz&zip=1', ['kml']],
] as const)
  rule(
    'Export',
    `${query} is an archive that holds ${ends.join(', ')}`,
    reading(async (c, layer) => {
      const found = endsOf((await raw(c, `${layer}export/?${query}`, { token: '' })).bytes);
      equal(
        ends.filter((end) => !found.includes(end)),
        [],
        `missing among ${found.join(', ')}`,
      );
    }),
  );
rule(
  'Export',
  'kml is a file of placemarks',
  reading(async (c, layer) => {
    const { text } = await raw(c, `${layer}export/?format=kml`);
    equal([text.includes('<kml'), text.match(/<Placemark/g)?.length], [true, 3], 'root and placemarks');
    equal(/<coordinates>\s*20,10\b/.test(text), true, 'coordinates of b');
  }),
);
for (const format of ['shp', 'kml'])
  rule('Export', `feature_ids of ${format}`, async (c) => {
    const [from, to] = [await abc(c), await c.layer()];
    const [, second] = (await c.send('GET', `${from}objects/?fields=title&sort=size`)).json;
    const { bytes } = await raw(c, `${from}export/?format=${format}&feature_ids=${second.id}`);
    await raw(c, `${to}import/`, { body: form(bytes, format === 'shp' ? 'a.zip' : 'a.kml') });
    equal(valuesOf(await c.send('GET', `${to}objects/?fields=title`)), ['b'], 'titles');
  });
