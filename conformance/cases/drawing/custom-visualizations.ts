import type { Client } from '../../client.js';
import { equal, has, rule, status } from '../../rules.js';
import { abc, png, raw } from '../support.js';

const section = 'Custom visualizations';
const uuid = '3f2b8c1e-5a4d-4e6f-8b7a-9c0d1e2f3a4b';

/**
 * Creates a layer of three objects drawn as hexagons with the sums of their sizes. Returns its path, the id of the
 * column, and the answer to the settings.
 */
async function hexagons(c: Client, settings: object = {}) {
  const layer = await abc(c);
  const { json } = await c.send('GET', `${layer}structure/`);
  const { id } = json.find(({ code }: { code: string }) => code === 'size');
  const sent = {
    type: 'hexbin',
    columns: { [uuid]: id },
    icons: {},
    settings: { aggregate: 'sum', column: uuid, ...settings },
  };
  return { layer, id, sent, answer: await c.send('PATCH', layer, { visualCustomSettings: sent }) };
}

rule(section, 'visualCustomSettings / id, type, columns, icons, settings', async (c) => {
  const { layer, id, answer } = await hexagons(c);
  status(answer, 200);
  for (const { json } of [answer, await c.send('GET', layer)]) {
    const { visualCustomSettings: custom } = json;
    has(custom, 'id type columns icons settings');
    equal(Number.isInteger(custom.id), true, 'id is an integer');
    equal(
      [custom.type, custom.columns, custom.icons],
      ['hexbin', { [uuid]: id }, {}],
      'type, columns, icons',
    );
    equal([custom.settings.aggregate, custom.settings.column], ['sum', uuid], 'settings that were sent');
  }
});

rule('Layers', 'style_mode / 4 = custom visualization', async (c) => {
  const { layer, answer } = await hexagons(c);
  equal(answer.json.style_mode, 4, 'style_mode');
  equal('visualSettings' in answer.json, false, 'visualSettings');
  const { json } = await c.send('PATCH', layer, { visualCustomSettings: null });
  equal([json.style_mode, 'visualCustomSettings' in json], [2, false], 'after null');
});

rule(section, 'decided: settings are completed, what came back can be sent, and the id stays', async (c) => {
  const { layer, answer } = await hexagons(c, { cellSize: 30 });
  const { visualCustomSettings: made } = answer.json;
  has(made.settings, 'cellSize zoom aggregate column minCount algorithm classesCount colors opacity gap');
  const again = await c.send('PATCH', layer, { visualCustomSettings: made });
  equal(again.json.visualCustomSettings, made, 'settings');
});

rule(section, 'decided: a layer has one visualization, the later in place of the earlier', async (c) => {
  const { layer, sent } = await hexagons(c);
  const thematic = { type: 1, columnCode: 'size' };
  const { json } = await c.send('PATCH', layer, { visualSettings: thematic });
  equal([json.style_mode, 'visualCustomSettings' in json], [3, false], 'after visualSettings');
  const back = await c.send('PATCH', layer, { visualCustomSettings: sent });
  equal([back.json.style_mode, 'visualSettings' in back.json], [4, false], 'after visualCustomSettings');
  const both = { visualSettings: thematic, visualCustomSettings: sent };
  status(await c.send('PATCH', layer, both), 400);
});

rule(section, 'decided: what is unknown or names nothing is 400', async (c) => {
  const { layer, id, sent } = await hexagons(c);
  for (const wrong of [
    { ...sent, type: 'unknown' },
    { ...sent, columns: {} },
    { ...sent, columns: { size: id } },
    { ...sent, columns: { [uuid]: -1 } },
    { ...sent, icons: { [uuid]: `/api/2.8/${c.target.project}/icons/there-is-none/` } },
    { ...sent, settings: { ...sent.settings, aggregate: 'median' } },
    { ...sent, settings: { ...sent.settings, unknown: 1 } },
    { ...sent, more: 1 },
  ])
    status(await c.send('PATCH', layer, { visualCustomSettings: wrong }), 400);
});

rule('Layers', 'legend / of a custom visualization', async (c) => {
  const { layer } = await hexagons(c, { zoom: 12 });
  const { json } = await c.send('GET', `${layer}legend/`);
  has(json, 'name column showValues showLegend minValue maxValue type classificators');
  equal([json.column, json.type], ['size', 'hexbin'], 'column and type');
  for (const one of json.classificators) {
    has(one, 'value fill isIcon');
    equal(/^#[0-9a-f]{6}$/.test(one.fill), true, 'fill');
  }
  const counts = json.classificators.map(({ count }: { count: number }) => count);
  equal(
    counts.reduce((sum: number, count: number) => sum + count, 0),
    3,
    'objects of all classes',
  );
});

rule(section, 'a tile is a picture, and other than that of its style', async (c) => {
  const layer = await abc(c);
  const tile = () =>
    raw(c, `//tms/${c.target.project}${layer.slice(0, layer.indexOf('/layers/') + 1)}?z=0&x=0&y=0`);
  const before = await tile();
  await c.send('PATCH', layer, { visualCustomSettings: { type: 'hexbin' } });
  const after = await tile();
  equal(png(after.bytes).width, 256, 'width');
  equal(before.bytes.equals(after.bytes), false, 'the same picture');
});
