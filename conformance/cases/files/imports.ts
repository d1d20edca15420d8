import { bands } from '../../formats/bands.js';
import { equal, rule, status } from '../../rules.js';
import { form, raw } from '../support.js';

const feature = (properties: object) => ({ type: 'Feature', properties, geometry: null });

rule('Files', 'import / decided: a raster_bbox of more than the degrees is refused', async (c) => {
  const map = await c.map();
  await c.make(`${map}layers/`, { code: 'r', type: 'raster' });
  const headers = { 'x-filename': 'a.png', 'content-type': 'application/octet-stream' };
  for (const [box, expected] of [
    ['BOX(0 0,2000 10)', 400],
    ['BOX(0 80,10 100)', 400],
    ['BOX(0 0,10 10)', 200],
  ] as const) {
    const path = `${map}layers/r/import/?raster_bbox=${encodeURIComponent(box)}`;
    status(await raw(c, path, { body: bands, headers }), expected);
  }
});

rule('Files', 'import / variables of the form: empty ones are absent, switches in any case', async (c) => {
  const layer = await c.layer();
  const file = JSON.stringify({ type: 'FeatureCollection', features: [feature({ title: 'a' })] });
  const send = (fields: Record<string, string>) =>
    raw(c, `${layer}import/`, { body: form(file, 'a.geojson', fields) });
  const count = async () => (await c.send('GET', `${layer}count/?precise=1`)).json;
  status(await send({ dry_run: 'TRUE' }), 200);
  equal(await count(), 0, 'objects after a dry run');
  status(await send({ action: '', srs: '', dry_run: '' }), 200);
  equal(await count(), 1, 'objects');
});

rule(
  'Files',
  'import / decided: with key a feature changes the object with equal values, others are added',
  async (c) => {
    const layer = await c.layer();
    const send = (...features: object[]) =>
      raw(c, `${layer}import/?key=title`, { body: { type: 'FeatureCollection', features } });
    await c.make(`${layer}objects/`, { fields: { title: 'a', size: 1 } });
    const done = await send(feature({ title: 'a', size: 2 }), feature({ title: 'b', size: 3 }));
    status(done, 200);
    const { added, changed } = done.json?.import ?? {};
    equal([added, changed], [1, 1], 'added, changed');
    status(await send(feature({ title: 'c' }), feature({ title: 'c' })), 500);
    const objects = (await raw(c, `${layer}objects/?fields=title,size`)).json ?? [];
    equal(
      objects.map(({ fields }: { fields: { title: string; size: number } }) => [fields.title, fields.size]),
      [
        ['a', 2],
        ['b', 3],
      ],
      'objects',
    );
  },
);

rule(
  'Files',
  'import / decided: columns chooses code, name and type, or leaves a property out',
  async (c) => {
    const layer = await c.layer();
    const columns = [
      { property: 'NR', code: 'number', name: 'Number', type: 'string' },
      { property: 'NAME', code: 'title' },
      { property: 'NOTE', skip: true },
    ];
    const send = (query: string) =>
      raw(c, `${layer}import/?columns=${encodeURIComponent(JSON.stringify(columns))}${query}`, {
        body: { type: 'FeatureCollection', features: [feature({ NR: 7, NAME: 'a', NOTE: 'x' })] },
      });
    const preview = (await send('&dry_run=1')).json?.import?.columns ?? [];
    equal(
      preview.map(({ code, type }: { code: string; type: string }) => `${code} ${type}`).sort(),
      ['number string', 'title string'],
      'columns of the preview',
    );
    status(await send(''), 200);
    const [object] = (await raw(c, `${layer}objects/?fields=number,title`)).json ?? [];
    equal([object?.fields?.number, object?.fields?.title], ['7', 'a'], 'values');
    columns[0]!.type = 'number';
    status(await send(''), 400);
  },
);
