import assert from 'node:assert/strict';
import test from 'node:test';
import { compose } from '../../../src/tiles/plan/compose.js';

test('the styles of many layers are compiled in slices, between which other requests run', async () => {
  const tree = { nodes: new Map(), children: new Map() };
  const layers = new Map(
    Array.from({ length: 600 }, (_, i) => {
      const css_style = `#l${i} { line-width: 2; [name = 'a'] { line-color: red; } [name = 'b'] { line-color: blue; } }`;
      const columns = [{ id: i, code: 'name', type: 'string' as const, localized_value: false }];
      const layer = {
        id: i + 1,
        type: 'layer' as const,
        code: `l${i}`,
        css_style,
        render_settings: {},
        columns,
      };
      return [layer.id, layer];
    }),
  );
  const content = { css_style: '', icons: new Map(), layers, whole: tree, published: tree };
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const request = { z: 0, base: false, scale: 1, lng: 'en', main: 'en', fastLabels: true };
  const { dependencies } = await compose(request, [...layers.keys()], content, {
    database: { host: 'localhost', port: 5432, database: 'maps', user: 'maps' },
    fileOf: (key) => key,
  });
  isOver = true;
  assert.equal(dependencies.length, layers.size);
  assert.ok(rounds >= 5, `${rounds} rounds of the event loop`);
});
