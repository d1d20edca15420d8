import assert from 'node:assert/strict';
import test from 'node:test';
import { compose } from '../../../src/tiles/plan/compose.js';
import { startServer } from '../../support/server.js';
import { jobOf } from '../support.js';

test('a layer deleted between plan and drawing gives `busy`, not an internal error', async (t) => {
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
  const { xml } = compose({ z: 0, base: false, scale: 1, lng: 'en', main: 'en' }, [layer.id], content, {
    database: server.db.connection,
    fileOf: (key) => key,
  });
  const { renderers } = server.server.services;
  await assert.rejects(renderers.render({ ...jobOf(''), xml, xmlKey: xml }), {
    code: 'busy',
    message: 'The map has just changed; try again',
  });
});
