import type { Example, Table } from './example.js';
import { over } from './styles.js';

const thematic = { type: 1, columnCode: 'hectares', classesCount: 3 };
const flow = { type: 1, columnCode: 'load', classesCount: 3, classesSettings: { lineWidth: 5 } };
const kinds = { type: 2, columnCode: 'kind', pointSettings: { sizeEnabled: true, size: 18 } };
const bubbles = { type: 3, columnCode: 'people' };
const chart = (type: number) => ({
  type,
  classesSettings: { columns: [{ code: 'a' }, { code: 'b' }, { code: 'c' }], sizeValue: 34 },
});
const heat = { type: 7 };
const own = (text: string): string => `"classesSettings": {${text}}`;

const ofThematic: Example[] = [
  { name: 'type-1', layer: 'parks', beside: thematic, setting: '"type": 1', text: 'A thematic map: classes of the numbers of `columnCode` (or `column`, its id)' },
  { name: 'algorithm', layer: 'parks', beside: thematic, setting: '"algorithm": 2', text: 'How classes are made: 1 equal intervals (default), 2 quantiles, 3 natural breaks' },
  { name: 'classes-count', layer: 'parks', beside: thematic, setting: '"classesCount": 2', text: 'How many, 1 to 20; 5 by default' },
  { name: 'colors', layer: 'parks', beside: thematic, setting: own('"minColor": "#fee5d9", "midColor": null, "maxColor": "#a50f15"'), text: 'Colours from the least to the greatest; by default `#ffffcc`, `#41b6c4`, `#253494`. `midColor` null: none' },
  { name: 'no-data', layer: 'parks', beside: thematic, setting: own('"noDataColor": "#f783ac"'), text: 'Of what has no value; `#d9d9d9` by default' },
  { name: 'limits', layer: 'parks', beside: thematic, setting: own('"limits": [0, 20, 40]'), text: 'Your own limits: one more than classes, ascending, at most 21' },
  { name: 'class-opacity', layer: 'parks', below: 'roads', beside: thematic, setting: own('"opacity": 0.5'), text: '0 to 1; 0.9 by default' },
  { name: 'line-width', layer: 'roads', beside: flow, setting: own('"lineWidth": 8'), text: 'Lines, 0.1 to 50 pixels; 2 by default' },
  { name: 'line-pattern', layer: 'roads', beside: flow, setting: own('"linePattern": "dash"'), text: '`solid` (default), `dash`, `dot`, `dashdot`' },
]; // biome-ignore format: a table

const ofCategories: Example[] = [
  { name: 'type-2', layer: 'places', beside: kinds, setting: '"type": 2', text: 'Categories: a colour for each of the most frequent values (`classesCount`, 1 to 100, by default 10), one for the rest' },
  { name: 'classes', layer: 'places', beside: kinds, setting: own('"classes": [{"value": "town", "color": "#1971c2"}, {"value": "city", "color": "#e03131"}]'), text: 'Your own classes: each a value of the column and a colour; at most 100' },
  { name: 'class-icon', layer: 'places', beside: { ...kinds, pointSettings: { sizeEnabled: true, size: 22 } }, setting: own('"classes": [{"value": "town", "icon": "town", "useIcon": true}, {"value": "city", "icon": "city", "useIcon": true}]'), text: 'An [icon](icons.md) in place of the marker' },
  { name: 'class-hidden', layer: 'places', beside: kinds, setting: own('"classes": [{"value": "town", "checked": false}, {"value": "city"}]'), text: '`checked` false: its objects are not drawn' },
  { name: 'default-class', layer: 'places', beside: kinds, setting: own('"classes": [{"value": "city"}], "defaultClass": {"color": "#ffd43b"}'), text: 'What is in no class: `color` (`#bdbdbd`), `icon`, `useIcon`, `checked`' },
]; // biome-ignore format: a table

const ofBubbles: Example[] = [
  { name: 'type-3', layer: 'places', beside: bubbles, setting: '"type": 3', text: 'Bubbles: the area is as the value' },
  { name: 'bubble-sizes', layer: 'places', beside: bubbles, setting: own('"pointSizeMin": 8, "pointSizeMax": 70'), text: 'Widths, 1 to 200 pixels; by default 4 and 40' },
  { name: 'bubble-color', layer: 'places', beside: bubbles, setting: own('"color": "#1971c2", "opacity": 0.4, "noDataColor": "#f783ac"'), text: 'By default `#e6550d`, 0.75 and `#bdbdbd`' },
  { name: 'bubble-icon', layer: 'places', beside: bubbles, setting: own('"icon": "city", "useIcon": true, "pointSizeMin": 10'), text: 'An icon in place of the circle' },
]; // biome-ignore format: a table

const ofCharts: Example[] = [
  { name: 'type-4', layer: 'places', beside: chart(4), setting: '"type": 4', text: 'Pies: a sector for each of `columns`' },
  { name: 'type-5', layer: 'places', beside: chart(5), setting: '"type": 5', text: 'Bars; what is negative goes down' },
  { name: 'type-6', layer: 'places', beside: chart(6), setting: '"type": 6', text: 'Lines through the values' },
  { name: 'chart-columns', layer: 'places', beside: { type: 4 }, setting: own('"columns": [{"code": "a", "color": "#e03131"}, {"code": "b", "color": "#ffd43b"}]'), text: 'Required: 1 to 20 columns of numbers by `id` or `code`, each with its `color`; of bars also a `label` of up to 200 characters' },
  { name: 'chart-size', layer: 'places', beside: chart(4), setting: own('"sizeType": 1, "sizeValue": 22'), text: 'A fixed width, 4 to 200 pixels; 40 by default' },
  { name: 'chart-sum', layer: 'places', beside: chart(4), setting: own('"sizeType": 2, "sizeFrom": 12, "sizeTo": 56'), text: 'By the sum of the values, from and to so many pixels (20 and 60)' },
  { name: 'chart-column', layer: 'places', beside: chart(4), setting: own('"sizeType": 3, "sizeColumnCode": "people", "sizeFrom": 12, "sizeTo": 56'), text: 'By a column of its own (`sizeColumn`, its id)' },
  { name: 'chart-scale', layer: 'places', beside: chart(5), setting: own('"showScale": true'), text: 'Axes of bars and lines; false by default' },
  { name: 'chart-overlap', layer: 'places', beside: chart(4), setting: own('"allowOverlap": false, "sizeValue": 46'), text: 'Whether charts may touch; false leaves out the smaller one' },
]; // biome-ignore format: a table

const ofHeat: Example[] = [
  { name: 'type-7', layer: 'crowd', beside: heat, setting: '"type": 7', text: 'A heat map: how close objects lie' },
  { name: 'heat-size', layer: 'crowd', beside: heat, setting: own('"markerSize": 40'), text: 'How far an object reaches, 2 to 100 pixels; 20 by default' },
  { name: 'heat-size-field', layer: 'crowd', beside: heat, setting: own('"markerSizeType": "field", "markerSizeField": "reach", "markerSizeMin": 4, "markerSizeMax": 36'), text: 'By a column of numbers (id or code), from and to so many pixels (8 and 40)' },
  { name: 'heat-weight', layer: 'crowd', beside: heat, setting: own('"useWeight": true, "useWeightField": "weight"'), text: 'What an object counts for: a column of numbers; 1 otherwise' },
  { name: 'heat-normalize', layer: 'crowd', beside: heat, setting: own('"useWeight": true, "useWeightField": "weight", "weightNormalize": true, "weightNormalizeMin": 1, "weightNormalizeMax": 6'), text: 'Weights between these count from 0 to 1; without limits those of the data' },
  { name: 'heat-colors', layer: 'crowd', beside: heat, setting: own('"colors": ["#d0ebff", "#339af0", "#0b2a6b"]'), text: '2 to 20 colours from cold to hot' },
  { name: 'heat-opacity', layer: 'crowd', below: 'parks', beside: heat, setting: own('"layerOpacity": 0.5'), text: 'Of the whole, 0 to 1; 0.85 by default' },
  { name: 'heat-strength', layer: 'crowd', beside: heat, setting: own('"markerOpacity": 0.4'), text: 'Factor of the density, 0 to 1 (default)' },
  { name: 'heat-scale', layer: 'crowd', beside: heat, setting: own('"linkToScale": true, "linkToScaleZoom": 13'), text: 'The size holds at this zoom level (0 to 24, 5 by default) and grows with the map' },
]; // biome-ignore format: a table

const labels = { showText: true, textSettings: { column: 'name' } };
const ofAll: Example[] = [
  { name: 'point-size', layer: 'places', beside: kinds, setting: '"pointSettings": {"sizeEnabled": true, "size": 26}', text: 'Width of markers, 1 to 200 pixels; 10 by default' },
  { name: 'point-overlap', layer: 'crowd', beside: kinds, setting: '"pointSettings": {"allowOverlap": false}', text: 'Whether markers may touch; true by default' },
  { name: 'border', layer: 'parks', beside: thematic, setting: '"borderSettings": {"color": "#212529", "width": 3, "opacity": 0.8, "pattern": "dot"}', text: 'The edge of areas and markers, the casing of lines: by default `#ffffff`, 0.5 (0 to 20) pixels, 1, `solid`' },
  { name: 'no-border', layer: 'places', beside: kinds, setting: '"showBorder": false', text: 'Without it' },
  { name: 'text', layer: 'places', beside: kinds, setting: '"showText": true, "textSettings": {"column": "name"}', text: 'Labels: the id or code of the column' },
  { name: 'text-font', layer: 'places', beside: { ...kinds, ...labels }, setting: '"textSettings": {"fontSize": 16, "fontFamily": "DejaVu Serif Bold", "fontColor": "#1864ab", "fontOpacity": 0.8}', text: '4 to 72 pixels (11), a [font](running.md#fonts) (`DejaVu Sans Book`), a colour (`#333333`), 0 to 1 (default)' },
  { name: 'text-halo', layer: 'places', below: 'roads', beside: { ...kinds, ...labels }, setting: '"textSettings": {"halo": true, "haloColor": "#ffe066", "haloWidth": 3, "haloOpacity": 1}', text: 'By default `#ffffff`, 1.5 (0 to 10) pixels, 1' },
  { name: 'text-offset', layer: 'places', beside: { ...kinds, ...labels }, setting: '"textSettings": {"offsetEnabled": true, "textOffset": -20}', text: 'Below its place, −200 to 200 pixels' },
  { name: 'text-overlap', layer: 'crowd', beside: { ...kinds, showText: true, textSettings: { column: 'kind' }, pointSettings: {} }, setting: '"textSettings": {"allowOverlap": true}', text: 'Whether labels may touch; false by default' },
]; // biome-ignore format: a table

/** `visualSettings`. */
export const visuals: Table = {
  name: 'visuals',
  page: 'visualizations.md',
  heading: '`visualSettings`',
  body: ({ setting, beside = {} }) => ({ visualSettings: over(beside as object, setting) }),
  examples: [...ofThematic, ...ofCategories, ...ofBubbles, ...ofCharts, ...ofHeat, ...ofAll],
};

const pin = { stylesPoint: { icon: '/api/2.8/demo/icons/oak/' } };
const grouped = { iconEnabled: true, icon: '/api/2.8/demo/icons/group/' };
const cluster = { ...pin, clusteringEnabled: true };
const clusters = (text: string): string => `"clusterSettings": {${text}}`;

/** `vectorSettings`, which the map page follows. */
export const vectors: Table = {
  name: 'vectors',
  page: 'vector-tiles.md',
  heading: '`vectorSettings`',
  isByClient: true,
  body: ({ layer, setting, beside = {} }) => ({
    render_type: 1,
    css_style: `#${layer} { marker-fill: #2b8a3e; marker-width: 12; }`,
    vectorSettings: over(beside as object, setting),
  }),
  examples: [
    { name: 'none', layer: 'crowd', setting: '', text: 'Nothing: points have the colour and the width of the CartoCSS' },
    { name: 'icon', layer: 'places', setting: '"stylesPoint": {"icon": "/api/2.8/demo/icons/oak/"}', text: 'The path of an [icon](icons.md)' },
    { name: 'icon-offset', layer: 'places', beside: pin, setting: '"stylesPoint": {"iconOffsetEnabled": true, "iconDx": 0, "iconDy": -20}', text: 'To the right and down, −500 to 500 pixels (0)' },
    { name: 'zooms', layer: 'crowd', setting: '"zoomsEnabled": true, "minZoom": 13, "maxZoom": 18', text: 'Zoom levels, 0 to 24. The picture is one of 12' },
    { name: 'clusters', layer: 'crowd', setting: '"clusteringEnabled": true', text: 'Points that are near are one, with their number' },
    { name: 'radius', layer: 'crowd', beside: cluster, setting: clusters('"radius": 25'), text: 'How near, 1 to 500 pixels; 50 by default' },
    { name: 'no-count', layer: 'crowd', beside: cluster, setting: clusters('"showObjectsCount": false'), text: 'Whether the number is written; true by default' },
    { name: 'count-offset', layer: 'crowd', beside: { ...cluster, clusterSettings: { ...grouped, iconSizeMin: 44 } }, setting: clusters('"objectsCountDx": 14, "objectsCountDy": -14'), text: 'Where the number stands, −500 to 500 pixels (0)' },
    { name: 'cluster-icon', layer: 'crowd', beside: cluster, setting: clusters('"iconEnabled": true, "icon": "/api/2.8/demo/icons/group/"'), text: 'A picture for clusters; `iconDx`, `iconDy` where `iconOffsetEnabled`' },
    { name: 'cluster-size', layer: 'crowd', beside: { ...cluster, clusterSettings: { ...grouped, radius: 30 } }, setting: clusters('"iconSizeEnabled": true, "iconSizeMin": 20, "iconSizeMax": 70'), text: 'Wider for more objects, 1 to 512 pixels (30 to 60)' },
    { name: 'cluster-zoom', layer: 'crowd', beside: cluster, setting: clusters('"maxZoomEnabled": true, "maxZoom": 11'), text: 'The last zoom level of clusters, 0 to 24 (16). The picture is one of 12' },
    { name: 'popup', layer: 'places', beside: pin, setting: '"showPopup": true, "popupColumnCode": "name"', text: 'A click shows the value of a column (`popupColumn`, its id)' },
  ], // biome-ignore format: a table
};
