import { Fields } from '../../http/params.js';

/** The drawing settings of a layer for the OpenAPI document: meaning, unit, range, default. */

/** `simpleStyle`. */
export const SimpleStyleSchema = Fields(
  'A style of colours and sizes, in place of css_style. Colours are #rgb or #rrggbb',
  {
    fill: 'Inside of areas: a colour; null (default): not filled',
    fillOpacity: '0 to 1 (default)',
    stroke: 'Lines, and outlines of areas: a colour; null (default): none',
    strokeWidth: 'Pixels, 0 to 100; default 1',
    strokeOpacity: '0 to 1 (default)',
    strokeDash:
      'Lengths of dashes and gaps in turn: at most 20, each 0.1 to 1000 pixels; default []: a whole line',
    marker: Fields('What stands for points; null (default): nothing', {
      shape: 'circle (default), arrow, square, triangle, diamond, star, cross or pin',
      icon: 'The name of an icon of the project, which goes before the shape; default empty',
      size: 'Width, pixels, 1 to 500; default 10',
      color: 'A colour; default #d9480f',
      opacity: '0 to 1 (default)',
      stroke: 'Its edge: a colour; null (default): none',
      strokeWidth: 'Pixels, 0 to 100; default 1',
    }),
    label: Fields('What is written; null (default): nothing', {
      column: 'Required: the code of the column whose values are written',
      font: 'The full name of a font of the service; default DejaVu Sans Book',
      size: 'Pixels, 4 to 200; default 12',
      color: 'A colour; default #333333',
      halo: 'Around the letters: a colour; null (default): none',
      haloWidth: 'Pixels, 0 to 20; default 1.5',
      minZoom: 'The zoom level from which on it is written, 0 (default) to 24',
    }),
  },
  { fill: '#b2f2bb', stroke: '#2b8a3e', strokeWidth: 1.5 },
);

const offset = 'Pixels, -500 to 500; default 0';

/** `vectorSettings`. */
export const VectorSettingsSchema = Fields(
  'How a client draws the layer where render_type is 1; in a change what is absent keeps its value',
  {
    id: 'The layer; not to be changed',
    zoomsEnabled: 'Whether minZoom and maxZoom count; default false',
    minZoom: 'Zoom level, 0 (default) to 24',
    maxZoom: 'Zoom level, 0 to 24 (default)',
    stylesPolygon: 'Kept as it is sent, at most 10,000 characters as JSON; default {}',
    stylesText: 'Kept as it is sent, at most 10,000 characters as JSON; default {}',
    stylesLine: 'Kept as it is sent, at most 10,000 characters as JSON; default {}',
    stylesPoint: Fields('Of points', {
      icon: 'Path of an icon; default empty: a circle',
      iconOffsetEnabled: 'Whether iconDx and iconDy count; default false',
      iconDx: `To the right. ${offset}`,
      iconDy: `Down. ${offset}`,
    }),
    clusteringEnabled: 'Whether points that are near are drawn as one; default false',
    clusterSettings: Fields('Of clusters', {
      clusteringType: 'client',
      radius: 'How near, pixels, 1 to 500; default 50',
      maxZoomEnabled: 'Whether maxZoom counts; default false',
      maxZoom: 'The last zoom level with clusters, 0 to 24; default 16',
      iconEnabled: 'Whether icon is drawn; default false',
      icon: 'Path of an icon; default empty',
      iconSizeEnabled: 'Whether the icon is wider where there are more objects; default false',
      iconSizeMin: 'Width, pixels, 1 to 512; default 30',
      iconSizeMax: 'Width, pixels, 1 to 512; default 60',
      iconOffsetEnabled: 'Whether iconDx and iconDy count; default false',
      iconDx: `To the right. ${offset}`,
      iconDy: `Down. ${offset}`,
      showObjectsCount: 'Whether the number of objects is written; default true',
      objectsCountDx: `Of the number, to the right. ${offset}`,
      objectsCountDy: `Of the number, down. ${offset}`,
      splitByCategories:
        'Whether objects of other categories of the visualization are other clusters; default false',
    }),
    showPopup: 'Whether a click shows the value of a column; default false',
    popupColumn: 'Id of the column; null (default): none',
    popupColumnCode: 'Code of the column, in place of its id',
  },
  { clusteringEnabled: true, clusterSettings: { radius: 60 }, showPopup: true, popupColumnCode: 'name' },
);

const opacity = (initial: string): string => `0 to 1; default ${initial}`;

/** `classesSettings` of all types. Each type has its own keys. */
const ClassesSettings = Fields('By type', {
  opacity: opacity('0.9 (type 3: 0.75; type 7 has layerOpacity)'),
  lineWidth: 'Types 1 and 2: of lines, pixels, 0.1 to 50; default 2',
  linePattern: 'Types 1 and 2: solid (default), dash, dot or dashdot',
  minColor: 'Type 1: colour of the lowest class; default #ffffcc',
  midColor: 'Type 1: colour in the middle, null: none; default #41b6c4',
  maxColor: 'Type 1: colour of the highest class; default #253494',
  noDataColor: 'Types 1 and 3: of what has no value; default #d9d9d9 and #bdbdbd',
  limits: 'Type 1: 2 to 21 ascending numbers, one more than classes; absent: found in the data',
  classes:
    'Type 2: at most 100 of {value, color, icon, useIcon, checked}; checked false: not drawn; absent: the most frequent values',
  computed: 'Type 2: whether the service made the classes; sent back they are made again',
  defaultClass: 'Type 2: what is in no class, {color (#bdbdbd), icon, useIcon, checked}',
  color: 'Type 3: default #e6550d',
  pointSizeMin: 'Type 3: least width, pixels, 1 to 200; default 4',
  pointSizeMax: 'Type 3: greatest width, pixels, 1 to 200; default 40',
  icon: 'Type 3: the name of an icon',
  useIcon: 'Type 3: whether it is drawn in place of a circle; default false',
  columns:
    'Types 4 to 6, required: 1 to 20 of {id or code, color}; of type 5 also label, at most 200 characters',
  sizeType: 'Types 4 to 6: 1 fixed (default), 2 by the sum of the values, 3 by a column',
  sizeValue: 'Types 4 to 6: fixed width, pixels, 4 to 200; default 40',
  sizeFrom: 'Types 4 to 6: least width, pixels, 4 to 200; default 20',
  sizeTo: 'Types 4 to 6: greatest width, pixels, 4 to 200; default 60',
  sizeColumn: 'Types 4 to 6: id of the column of sizeType 3',
  sizeColumnCode: 'Types 4 to 6: its code, in place of the id',
  showScale: 'Types 5 and 6: whether axes are drawn; default false',
  allowOverlap: 'Types 4 to 6: whether charts may touch; default true',
  markerSizeType: 'Type 7: fixed (default) or field',
  markerSize: 'Type 7: how far an object reaches, pixels, 2 to 100; default 20',
  markerSizeMin: 'Type 7: the least of field, pixels, 2 to 100; default 8',
  markerSizeMax: 'Type 7: the greatest of field, pixels, 2 to 100; default 40',
  markerSizeField: 'Type 7: id or code of a column of numbers',
  markerOpacity: 'Type 7: factor of the density, 0 to 1 (default)',
  layerOpacity: `Type 7: ${opacity('0.85')}`,
  useWeight: 'Type 7: whether objects count as useWeightField says; default false',
  useWeightField: 'Type 7: id or code of a column of numbers',
  weightNormalize: 'Type 7: whether weights count from 0 to 1; default false',
  weightNormalizeMin: 'Type 7: the weight that counts 0; default null: the least of the data',
  weightNormalizeMax: 'Type 7: the weight that counts 1; default null: the greatest of the data',
  linkToScale: 'Type 7: whether sizes grow with the map; default false',
  linkToScaleZoom: 'Type 7: the zoom level at which they hold, 0 to 24; default 5',
  colors: 'Type 7: 2 to 20 colours from cold to hot',
});

/** `visualSettings`. */
export const VisualSettingsSchema = Fields(
  'A visualization of the types 1 to 7, replaced as a whole: what is absent has its default. Colours are #rrggbb, #rgb or rgb(r, g, b)',
  {
    id: 'Of the visualization; not to be changed',
    type: 'Required: 1 thematic map, 2 categories, 3 bubbles, 4 pies, 5 bars, 6 lines, 7 heat map',
    column: 'Id of the column that it is built from; types 4 to 6: the first of theirs; type 7: none',
    columnCode: 'Its code, in place of the id',
    algorithm: 'Limits of classes of type 1: 1 equal intervals (default), 2 quantiles, 3 natural breaks',
    classesCount:
      'Type 1: 1 to 20, default 5; type 2: 1 to 100, default 10; type 3: 1 to 20 steps of the legend, default 3',
    classesSettings: ClassesSettings,
    pointSettings: Fields('Markers of points', {
      sizeEnabled: 'Whether size counts; default false: 10 pixels',
      size: 'Width, pixels, 1 to 200; default 10',
      allowOverlap: 'Whether markers may touch; default true',
    }),
    showBorder: 'Whether areas and markers have an edge, and lines a casing; default true',
    borderSettings: Fields('The edge', {
      color: 'Default #ffffff',
      width: 'Pixels, 0 to 20; default 0.5',
      opacity: opacity('1'),
      pattern: 'solid (default), dash, dot or dashdot',
    }),
    showText: 'Whether labels are written; default false',
    textSettings: Fields('Labels', {
      column: 'Code of the column that is written; required where showText is true',
      fontSize: 'Pixels, 4 to 72; default 11',
      fontFamily: 'The full name of a font of the service; default DejaVu Sans Book',
      fontColor: 'Default #333333',
      fontOpacity: opacity('1'),
      halo: 'Whether letters have a halo; default true',
      haloColor: 'Default #ffffff',
      haloWidth: 'Pixels, 0 to 10; default 1.5',
      haloOpacity: opacity('1'),
      allowOverlap: 'Whether labels may touch; default false',
      offsetEnabled: 'Whether textOffset counts; default false',
      textOffset: 'Below the place, pixels, -200 to 200; default 0',
    }),
    showLegend: 'Whether viewers show the legend; default true',
    showLegendName: 'Whether its title is shown; default true',
    legendName: 'Its title, at most 1,000 characters; default empty: the name of the layer',
    legendNames: 'Titles by language: at most 200 of {language: title}; they go before legendName',
    showValues: 'Whether numbers of objects are shown; default true',
  },
  { type: 1, columnCode: 'hectares', classesCount: 4, classesSettings: { maxColor: '#1f4d2b' } },
);
