import assert from 'node:assert/strict';
import test from 'node:test';
import { makeDrawing } from '../../src/tiles/drawing.js';
import { startServer } from '../support/server.js';
import { jobOf } from './support.js';

test('a layer that is deleted between the plan of a picture and its drawing: try again, and not a fault', async (t) => {
  const server = await startServer({}, 'here');
  t.after(() => server.stop());
  const layer = {
    id: 999_999,
    type: 'layer' as const,
    code: 'gone',
    css_style: '#gone { marker-width: 5; }',
    render_settings: {},
    columns: [],
  };
  const tree = { nodes: new Map(), children: new Map() };
  const content = {
    css_style: '',
    icons: new Map(),
    layers: new Map([[layer.id, layer]]),
    whole: tree,
    published: tree,
  };
  const { xml } = makeDrawing({ z: 0, base: false, scale: 1, lng: 'en', main: 'en' }, [layer.id], content, {
    database: server.db.connection,
    fileOf: (key) => key,
  });
  const { renderers } = server.server.services;
  await assert.rejects(renderers.render({ ...jobOf(''), xml, xmlKey: xml }), {
    code: 'busy',
    message: 'The map has just changed; try again',
  });
});
