import { equal, has, rule } from '../../rules.js';
import { holds } from '../catalog/names.js';

const vectorKeys =
  'id minZoom maxZoom zoomsEnabled stylesPolygon stylesText stylesLine stylesPoint clusteringEnabled clusterSettings showPopup popupColumn popupColumnCode';
const clusterKeys =
  'objectsCountDx objectsCountDy icon showObjectsCount iconSizeMax iconSizeMin iconSizeEnabled radius iconDx iconDy iconEnabled iconOffsetEnabled clusteringType maxZoom maxZoomEnabled splitByCategories';
rule('Layers', 'vectorSettings is added where render_type is 1, with every key', async (c) => {
  const layer = await c.layer();
  equal((await c.send('GET', layer)).json.vectorSettings, undefined, 'vectorSettings of render_type 0');
  await c.send('PATCH', layer, { render_type: 1 });
  const { vectorSettings } = (await c.send('GET', layer)).json;
  has(vectorSettings, vectorKeys);
  has(vectorSettings.stylesPoint, 'icon iconDx iconDy iconOffsetEnabled');
  has(vectorSettings.clusterSettings, clusterKeys);
});
const vectorValues: [key: string, value: unknown][] = [
  ['minZoom', 3],
  ['maxZoom', 12],
  ['zoomsEnabled', true],
  ['clusteringEnabled', true],
  ['showPopup', true],
  ['popupColumnCode', 'title'],
];
for (const [key, value] of vectorValues)
  rule('Layers', `decided: vectorSettings.${key} is written as it is returned`, async (c) => {
    const layer = await c.layer();
    const sent = { render_type: 1, vectorSettings: { [key]: value } };
    holds((await c.send('PATCH', layer, sent)).json.vectorSettings, { [key]: value });
    holds((await c.send('GET', layer)).json.vectorSettings, { [key]: value });
  });
rule('Layers', 'vectorSettings.popupColumn is the id of the column of popupColumnCode', async (c) => {
  const layer = await c.layer();
  const columns = (await c.send('GET', `${layer}structure/`)).json as { id: number; code: string }[];
  const sent = { render_type: 1, vectorSettings: { popupColumnCode: 'title' } };
  const { popupColumn } = (await c.send('PATCH', layer, sent)).json.vectorSettings;
  equal(popupColumn, columns.find(({ code }) => code === 'title')?.id, 'popupColumn');
});
