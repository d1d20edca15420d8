import assert from 'node:assert/strict';
import test from 'node:test';
import { compose } from '../../../src/tiles/plan/compose.js';
import { clientLayers } from '../../../src/tiles/xyz/style-layers.js';

const tree = { nodes: new Map(), children: new Map() };
const columns = [{ id: 1, code: 'name', type: 'string' as const, localized_value: false }];

/** A map whose layers have styles that no other test has compiled. */
function manyLayers(prefix: string) {
  const layers = Array.from({ length: 600 }, (_, i) => ({
    id: i + 1,
    type: 'layer' as const,
    code: `${prefix}${i}`,
    css_style: `#${prefix}${i} { line-width: 2; [name = 'a'] { line-color: red; } [name = 'b'] { line-color: blue; } }`,
    render_settings: {},
    columns,
  }));
  const byId = new Map(layers.map((layer) => [layer.id, layer]));
  return { css_style: '', icons: new Map<string, string>(), layers: byId, whole: tree, published: tree };
}

/** Fails where nothing else could run meanwhile. */
async function inSlices<T>(work: () => Promise<T>): Promise<T> {
  let rounds = 0;
  let isOver = false;
  const count = (): void => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const done = await work();
  isOver = true;
  assert.ok(rounds >= 5, `${rounds} rounds of the event loop`);
  return done;
}

test('a picture of many layers is composed in slices, between which other requests run', async () => {
  const content = manyLayers('drawn');
  const request = { z: 0, base: false, scale: 1, lng: 'en', main: 'en', fastLabels: true };
  const origins = {
    database: { host: 'localhost', port: 5432, database: 'maps', user: 'maps' },
    fileOf: (key: string) => key,
  };
  const composition = await inSlices(() => compose(request, [...content.layers.keys()], content, origins));
  assert.equal(composition.dependencies.length, content.layers.size);
});

test('the style of a map of many layers is written in slices', async () => {
  const content = manyLayers('said');
  const layers = await inSlices(() => clientLayers([...content.layers.keys()], content, () => false));
  assert.equal(layers.filter(({ drawnAs }) => drawnAs === 'vector').length, content.layers.size);
});
