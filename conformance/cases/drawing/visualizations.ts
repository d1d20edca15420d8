import type { Client } from '../../client.js';
import { equal, has, rule, status } from '../../rules.js';
import { abc, png, point, raw } from '../support.js';

const common =
  'id type column columnCode algorithm classesCount classesSettings pointSettings showBorder borderSettings showText ' +
  'textSettings showLegend showLegendName legendName legendNames showValues';
const textKeys =
  'fontSize halo haloOpacity fontOpacity fontFamily allowOverlap haloWidth haloColor column fontColor textOffset offsetEnabled';

/** Creates a layer of three objects with a visualization. Returns its path and the answer to the settings. */
async function visual(c: Client, settings: object): Promise<{ layer: string; answer: Answer }> {
  const layer = await abc(c);
  return { layer, answer: await c.send('PATCH', layer, { visualSettings: { ...chart, ...settings } }) };
}
/** Additional settings of charts. */
const chart = { classesSettings: { columns: [{ code: 'size' }] } };
type Answer = Awaited<ReturnType<Client['send']>>;

const chartKeys =
  'sizeFrom sizeTo showScale sizeColumnCode allowOverlap opacity columns sizeValue sizeType sizeColumn';
const kinds: [type: number, what: string, column: string, keys: string][] = [
  [1, 'thematic map', 'size', 'opacity lineWidth midColor linePattern minColor maxColor'],
  [2, 'categories', 'title', 'opacity linePattern lineWidth defaultClass classes'],
  [3, 'bubble chart', 'size', 'pointSizeMax pointSizeMin icon opacity useIcon color'],
  [4, 'pie charts', 'size', chartKeys],
  [5, 'bar charts', 'size', chartKeys],
  [6, 'line charts', 'size', chartKeys],
  [
    7,
    'heat map',
    'size',
    'markerSizeMin markerSizeMax markerSize markerSizeType markerSizeField layerOpacity markerOpacity weightNormalize ' +
      'weightNormalizeMin weightNormalizeMax useWeight useWeightField linkToScale linkToScaleZoom colors',
  ],
];
for (const [type, what, columnCode, keys] of kinds) {
  rule(
    'Visualizations',
    `visualSettings of type ${type} (${what}) have all fields of the interface`,
    async (c) => {
      const { layer, answer } = await visual(c, { type, columnCode });
      status(answer, 200);
      for (const { json } of [answer, await c.send('GET', layer)]) {
        has(json.visualSettings, common);
        has(json.visualSettings.classesSettings, keys);
        has(json.visualSettings.pointSettings, 'size allowOverlap sizeEnabled');
        has(json.visualSettings.borderSettings, 'opacity pattern width color');
        has(json.visualSettings.textSettings, textKeys);
        equal(
          [json.visualSettings.type, json.visualSettings.columnCode],
          [type, columnCode],
          'type and column',
        );
      }
    },
  );
  rule('Layers', `legend / of a visualization of type ${type} (${what})`, async (c) => {
    const { layer } = await visual(c, { type, columnCode });
    const { json } = await c.send('GET', `${layer}legend/`);
    has(json, 'name column showValues showLegend minValue maxValue type classificators');
    equal([json.column, json.type], [columnCode, type], 'column and type');
    for (const one of json.classificators) {
      has(one, 'value fill isIcon');
      equal([/^#[0-9a-f]{6}$/.test(one.fill), one.isIcon], [true, false], 'fill and isIcon');
    }
    if (type !== 2 && type !== 7) equal([json.minValue, json.maxValue], [0, 2], 'scale');
  });
  rule(
    'Visualizations',
    `a tile of type ${type} is a picture, and other than that of its style`,
    async (c) => {
      const layer = await abc(c);
      const map = layer.slice(0, layer.indexOf('/layers/') + 1);
      const tile = () => raw(c, `//tms/${c.target.project}${map}?z=0&x=0&y=0`);
      const before = await tile();
      await c.send('PATCH', layer, { visualSettings: { ...chart, type, columnCode } });
      const after = await tile();
      equal(png(after.bytes).width, 256, 'width');
      equal(before.bytes.equals(after.bytes), false, 'the same picture');
    },
  );
}

rule('Visualizations', 'null removes a visualization, and its legend is 404', async (c) => {
  const { layer } = await visual(c, { type: 1, columnCode: 'size' });
  const { json } = await c.send('PATCH', layer, { visualSettings: null });
  equal('visualSettings' in json, false, 'visualSettings');
  status(await c.send('GET', `${layer}legend/`), 404);
});
rule('Visualizations', 'decided: style_mode is 3, wrong settings are 400', async (c) => {
  const { layer, answer } = await visual(c, { type: 1, columnCode: 'size' });
  equal(answer.json.style_mode, 3, 'style_mode');
  for (const wrong of [
    { type: 9, columnCode: 'size' },
    { type: 1, columnCode: 'none' },
    { type: 1, columnCode: 'title' },
    { type: 1, columnCode: 'size', classesSettings: { minColor: 'reddish' } },
  ])
    status(await c.send('PATCH', layer, { visualSettings: wrong }), 400);
});
rule('Visualizations', 'decided: counts are those of now, limits move with legend/refresh/', async (c) => {
  const { layer } = await visual(c, { type: 1, columnCode: 'size', classesCount: 2 });
  await c.make(`${layer}objects/`, { fields: { title: 'd', size: 10 }, geom: point(1, 1) });
  const of = ({ json }: Answer) => json.classificators.map(({ count }: { count: number }) => count);
  equal(of(await c.send('GET', `${layer}legend/`)), [1, 3, 0], 'counts');
  const refreshed = await c.send('POST', `${layer}legend/refresh/`);
  equal([refreshed.json.maxValue, of(refreshed)], [10, [3, 1, 0]], 'after refresh');
});
