import { equal, rule, status } from '../../rules.js';
import { raw } from '../support.js';

const tus = { 'tus-resumable': '1.0.0' };
const part = { ...tus, 'content-type': 'application/offset+octet-stream' };

rule('Files', 'files/uploads/ / decided: an import takes an upload that was sent in parts', async (c) => {
  const layer = await c.layer();
  const file = JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { title: 'x' }, geometry: null }],
  });
  const created = await raw(c, '/files/uploads/', {
    method: 'POST',
    headers: { ...tus, 'upload-length': String(file.length) },
  });
  equal(created.status, 201, 'status');
  const path = `/files/uploads/${created.json?.id}/`;
  const send = (offset: number, body: string) =>
    raw(c, path, { method: 'PATCH', headers: { ...part, 'upload-offset': String(offset) }, body });
  equal((await send(0, file.slice(0, 20))).status, 204, 'the first part');
  equal((await send(0, file)).status, 409, 'a part at another place');
  equal((await raw(c, path)).headers.get('upload-offset'), '20', 'how far it is');
  equal((await send(20, file.slice(20))).status, 204, 'the last part');
  const imported = await raw(c, `${layer}import/?upload=${created.json?.id}`, { method: 'POST' });
  status(imported, 200);
  equal(imported.json?.import?.stored, 1, 'stored');
  equal((await raw(c, path, { method: 'DELETE', headers: tus })).status, 204, 'deletion');
});

rule(
  'Files',
  'import / decided: dry_run with keep keeps the file as an upload, which an import takes',
  async (c) => {
    const layer = await c.layer();
    const body = JSON.stringify({
      type: 'FeatureCollection',
      features: [{ type: 'Feature', properties: { title: 'x' }, geometry: null }],
    });
    const preview = await raw(c, `${layer}import/?dry_run=1&keep=1`, { body });
    status(preview, 200);
    const id = preview.json?.import?.upload;
    const listed = (await raw(c, '/files/uploads/')).json?.some((one: { id: string }) => one.id === id);
    equal(listed, true, 'listed');
    const imported = await raw(c, `${layer}import/?upload=${id}`, { method: 'POST' });
    equal(imported.json?.import?.stored, 1, 'stored');
    equal(
      (await raw(c, `/files/uploads/${id}/`, { method: 'DELETE', headers: tus })).status,
      204,
      'deletion',
    );
  },
);

rule(
  'Files',
  'import / decided: the preview of a layer that is still to be made stores nothing',
  async (c) => {
    const map = await c.map();
    const body = '{"type": "Feature", "properties": {"title": "x"}, "geometry": null}';
    const created = await raw(c, '/files/uploads/', {
      method: 'POST',
      headers: { ...tus, 'upload-length': String(body.length) },
    });
    const path = `/files/uploads/${created.json?.id}/`;
    await raw(c, path, { method: 'PATCH', headers: { ...part, 'upload-offset': '0' }, body });
    const preview = await raw(c, `${map}import/?upload=${created.json?.id}&dry_run=1&rows=1`, {
      method: 'POST',
    });
    status(preview, 200);
    equal(preview.json?.import?.rows?.[0]?.fields, { title: 'x' }, 'the first row');
    equal((await c.send('GET', `${map}layers/?type=full`)).json, [], 'layers');
  },
);
