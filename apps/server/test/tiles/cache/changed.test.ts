import assert from 'node:assert/strict';
import test from 'node:test';
import { compose } from '../../../src/tiles/plan/compose.js';
import { startServer } from '../../support/server.js';
import { jobOf } from '../support.js';

test('a layer deleted between plan and drawing gives `busy`, not an internal error', async (t) => {
  const server = await startServer({}, 'here');
  t.after(() => server.stop());
  const tree = { nodes: new Map(), children: new Map() };
  const { renderers } = server.server.services;
  // Lines are drawn by Mapnik, markers that avoid others by the renderer itself.
  for (const style of ['line-width: 5;', 'marker-width: 5;']) {
    const layer = {
      id: 999_999,
      type: 'layer' as const,
      code: 'gone',
      css_style: `#gone { ${style} }`,
      render_settings: {},
      columns: [],
    };
    const layers = new Map([[layer.id, layer]]);
    const content = { css_style: '', icons: new Map(), layers, whole: tree, published: tree };
    const request = { z: 0, base: false, scale: 1, lng: 'en', main: 'en', fastLabels: true };
    const { xml, xmlKey, above } = await compose(request, [layer.id], content, {
      database: server.db.connection,
      fileOf: (key) => key,
    });
    await assert.rejects(
      renderers.render({ ...jobOf(''), xml, xmlKey, above }),
      { code: 'busy', message: 'The map has just changed; try again' },
      style,
    );
  }
});
