import type { Example, Table } from './example.js';

const dots = 'marker-width: 14; marker-fill: #d9480f; marker-line-color: #fff; marker-allow-overlap: true;';
const green = 'polygon-fill: #b2d8a5; line-color: #4c8a3f; line-width: 1;';
const label = 'text-name: [name]; text-size: 13; text-fill: #333;';

const examples: Example[] = [
  { name: 'fill', layer: 'parks', setting: 'polygon-fill: #8ccf7e; polygon-opacity: 0.7;', text: 'Inside of areas; the opacity is from 0 to 1 (default)' },
  { name: 'pattern', layer: 'parks', setting: 'polygon-pattern-file: url(park);', text: 'An [icon](icons.md) over and over' },
  { name: 'building', layer: 'parks', setting: 'building-fill: #c9b79c; building-height: 12;', text: 'Areas raised by pixels' },
  { name: 'smooth', layer: 'parks', beside: green, setting: 'polygon-smooth: 0.8; line-smooth: 0.8;', text: 'Round corners: 0 (default) to 1' },
  { name: 'line', layer: 'roads', setting: 'line-color: #e8590c; line-width: 4;', text: 'Lines and outlines; pixels, 1 when not given' },
  { name: 'dashes', layer: 'roads', beside: 'line-color: #5c3d99; line-width: 3;', setting: 'line-dasharray: 10, 4;', text: 'Lengths of dashes and gaps in turn, pixels' },
  { name: 'cap', layer: 'roads', beside: 'line-color: #1971c2; line-width: 9; line-dasharray: 1, 18;', setting: 'line-cap: round; line-join: round;', text: 'Ends: `butt` (default), `round`, `square`; corners: `miter` (default), `round`, `bevel`' },
  { name: 'offset', layer: 'roads', beside: 'line-color: #999; line-width: 1;', setting: 'two/line-offset: 5; two/line-color: #c92a2a; two/line-width: 2;', text: 'A second line beside the first, pixels to its left; what is before the slash is a name of yours' },
  { name: 'casing', layer: 'roads', setting: '::case { line-width: 8; line-color: #555; } ::fill { line-width: 5; line-color: #ffd43b; }', text: 'Attachments are drawn one after the other, each for all objects' },
  { name: 'line-pattern', layer: 'roads', setting: 'line-pattern-file: url(triangle);', text: 'An icon along a line' },
  { name: 'arrows', layer: 'roads', beside: 'line-color: #adb5bd; line-width: 2;', setting: 'marker-type: arrow; marker-placement: line; marker-spacing: 40; marker-width: 12; marker-fill: #364fc7;', text: 'Markers along lines, every so many pixels' },
  { name: 'marker', layer: 'places', setting: 'marker-width: 16; marker-fill: #d9480f; marker-line-color: #fff; marker-line-width: 2;', text: 'A circle: width, colours, width of its edge, pixels' },
  { name: 'marker-file', layer: 'places', setting: 'marker-file: url(town); marker-width: 22; marker-fill: #862e9c;', text: 'An icon; `marker-fill` paints one that has no colours of its own' },
  { name: 'marker-column', layer: 'parks', setting: 'marker-width: [hectares]; marker-fill: #2b8a3e; marker-fill-opacity: 0.6;', text: 'Columns stand wherever a number, a colour or a text may' },
  { name: 'marker-transform', layer: 'places', beside: 'marker-fill: #1864ab; marker-allow-overlap: true;', setting: 'marker-file: url(triangle); marker-width: 18; marker-transform: rotate([people] / 200);', text: '`rotate` (degrees), `scale`, `translate` (pixels), `skewX`, `skewY`' },
  { name: 'text', layer: 'places', below: 'parks', setting: 'text-name: [name]; text-size: 14; text-fill: #1f4d2b; text-face-name: "DejaVu Sans Bold";', text: 'Labels; size 10 when not given; [fonts](running.md#fonts) by their names' },
  { name: 'halo', layer: 'places', below: 'parks', beside: label, setting: 'text-halo-fill: #fff; text-halo-radius: 2;', text: 'What makes a label readable on any ground; 0 to 20 pixels' },
  { name: 'text-dy', layer: 'places', beside: `${dots} ${label}`, setting: 'text-dy: 14; text-allow-overlap: true;', text: 'Below its point, pixels; to the right `text-dx`' },
  { name: 'text-line', layer: 'roads', beside: 'line-color: #ced4da; line-width: 11;', setting: '::name { text-name: [name]; text-size: 10; text-placement: line; text-spacing: 120; }', text: 'Along lines, every so many pixels' },
  { name: 'text-interior', layer: 'parks', beside: `${green} ${label} text-size: 10;`, setting: 'text-placement: interior; text-transform: uppercase;', text: 'Inside of areas' },
  { name: 'text-wrap', layer: 'parks', beside: `${green} text-size: 10; text-fill: #333;`, setting: 'text-name: [name] + " has " + [hectares] + " ha"; text-wrap-width: 40;', text: 'Texts are put together; lines of so many pixels' },
  { name: 'shield', layer: 'roads', beside: 'line-color: #adb5bd; line-width: 3;', setting: 'shield-file: url(square); shield-name: [load]; shield-size: 9; shield-fill: #fff; shield-placement: line; shield-spacing: 100;', text: 'A text on an icon' },
  { name: 'filter', layer: 'parks', beside: 'polygon-fill: #d3e8cb;', setting: '[hectares > 20] { polygon-fill: #2b8a3e; }', text: 'For some objects: `= != < <= > >=`, `=~` a pattern, `null`' },
  { name: 'filter-zoom', layer: 'roads', beside: 'line-color: #999; line-width: 1;', setting: '[zoom >= 12] { line-width: 5; line-color: #1971c2; }', text: 'For some zoom levels' },
  { name: 'variables', layer: 'parks', beside: 'line-width: 3;', setting: 'polygon-fill: lighten(#1971c2, 30%); line-color: darken(#1971c2, 15%);', text: 'Colours are computed: `lighten darken saturate desaturate fade spin mix`' },
  { name: 'comp-op', layer: 'parks', below: 'roads', setting: 'polygon-fill: #ffa94d; polygon-comp-op: multiply;', text: 'How a symbol is laid over what lies below: `multiply`, `screen`, `overlay` …' },
  { name: 'opacity', layer: 'parks', below: 'roads', beside: green, setting: 'opacity: 0.4;', text: 'Of the whole drawing, 0 to 1' },
  { name: 'image-filters', layer: 'parks', setting: 'polygon-fill: #2b8a3e; image-filters: agg-stack-blur(6, 6);', text: 'The picture of the layer blurred, in gray, …' },
  { name: 'raster', layer: 'photo', setting: 'raster-opacity: 0.7; raster-scaling: bilinear;', text: 'Images; `raster-scaling: near` keeps their squares' },
]; // biome-ignore format: a table

/** CartoCSS. */
export const styles: Table = {
  name: 'styles',
  page: 'styles.md',
  heading: 'CartoCSS',
  body: ({ layer, setting, beside = '' }) => ({ css_style: `#${layer} { ${beside} ${setting} }` }),
  examples,
};

const basis = { parks: { fill: '#c3e6b8', stroke: '#4c8a3f' }, roads: { stroke: '#1971c2', strokeWidth: 4 } };
const marker = { size: 20, color: '#d9480f' };
const named = { marker: { size: 8 }, label: { column: 'name' } };

/** Keys of an example's setting over what lies beside it, objects in objects too. */
export function over(beside: object, setting: string): object {
  const merge = (one: unknown, other: unknown): unknown =>
    isObject(one) && isObject(other)
      ? Object.fromEntries(
          [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => [
            key,
            key in other ? merge(one[key], other[key]) : one[key],
          ]),
        )
      : other;
  return merge(beside, JSON.parse(`{${setting}}`)) as object;
}
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Simple styles. */
export const simple: Table = {
  name: 'simple',
  page: 'styles.md',
  heading: '`simpleStyle`',
  body: ({ setting, beside = {} }) => ({ simpleStyle: over(beside as object, setting) }),
  examples: [
    { name: 'fill', layer: 'parks', setting: '"fill": "#8ccf7e"', text: 'Inside of areas, a colour; null (default): not filled' },
    { name: 'fill-opacity', layer: 'parks', below: 'roads', beside: basis.parks, setting: '"fillOpacity": 0.4', text: '0 to 1 (default)' },
    { name: 'stroke', layer: 'parks', setting: '"stroke": "#2b8a3e"', text: 'Lines, and outlines of areas; null (default): none' },
    { name: 'stroke-width', layer: 'roads', beside: basis.roads, setting: '"strokeWidth": 7', text: 'Pixels, 0 to 100; 1 by default' },
    { name: 'stroke-opacity', layer: 'roads', beside: { stroke: '#1971c2', strokeWidth: 8 }, setting: '"strokeOpacity": 0.35', text: '0 to 1 (default)' },
    { name: 'stroke-dash', layer: 'roads', beside: basis.roads, setting: '"strokeDash": [12, 4, 2, 4]', text: 'Dashes and gaps in turn, pixels, each 0.1 to 1000; [] (default): a whole line' },
    { name: 'marker-shape', layer: 'places', beside: { marker }, setting: '"marker": {"shape": "star"}', text: '`circle` (default), `square`, `triangle`, `diamond`, `star`, `cross`, `pin`, `arrow`' },
    { name: 'marker-icon', layer: 'places', beside: { marker }, setting: '"marker": {"icon": "town"}', text: 'The name of an [icon](icons.md), which goes before the shape' },
    { name: 'marker-size', layer: 'places', setting: '"marker": {"size": 28}', text: 'Pixels, 1 to 500; 10 by default' },
    { name: 'marker-color', layer: 'places', beside: { marker }, setting: '"marker": {"color": "#2b8a3e"}', text: 'A colour; `#d9480f` by default' },
    { name: 'marker-opacity', layer: 'places', below: 'roads', beside: { marker: { size: 30 } }, setting: '"marker": {"opacity": 0.5}', text: '0 to 1 (default)' },
    { name: 'marker-stroke', layer: 'places', beside: { marker }, setting: '"marker": {"stroke": "#000000", "strokeWidth": 3}', text: 'Its edge: a colour or null (default), 0 to 100 pixels (1)' },
    { name: 'label-column', layer: 'places', beside: { marker: { size: 8 } }, setting: '"label": {"column": "name"}', text: 'Required for a label: the code of the column that is written' },
    { name: 'label-font', layer: 'places', beside: named, setting: '"label": {"font": "DejaVu Serif Bold"}', text: 'A [font](running.md#fonts) by its name; `DejaVu Sans Book` by default' },
    { name: 'label-size', layer: 'places', beside: named, setting: '"label": {"size": 18}', text: 'Pixels, 4 to 200; 12 by default' },
    { name: 'label-color', layer: 'places', beside: named, setting: '"label": {"color": "#1864ab"}', text: 'A colour; `#333333` by default' },
    { name: 'label-halo', layer: 'places', below: 'roads', beside: named, setting: '"label": {"halo": "#ffffff", "haloWidth": 2.5}', text: 'A colour or null (default); 0 to 20 pixels (1.5)' },
    { name: 'label-zoom', layer: 'places', beside: named, setting: '"label": {"minZoom": 13}', text: 'From which zoom level on, 0 (default) to 24: the picture is one of 12' },
  ], // biome-ignore format: a table
};

/** Icons in styles. */
export const icons: Table = {
  ...styles,
  name: 'icons',
  page: 'icons.md',
  examples: [
    { name: 'marker', layer: 'places', setting: 'marker-file: url(oak);', text: 'As large as it is: width and height of the icon are pixels of the style' },
    { name: 'width', layer: 'places', setting: 'marker-file: url(oak); marker-width: 16;', text: 'A width in pixels; the height follows' },
    { name: 'fill', layer: 'places', setting: 'marker-file: url(cafe); marker-width: 22; marker-fill: #862e9c;', text: 'The colour of an icon that has none of its own' },
    { name: 'opacity', layer: 'places', below: 'roads', setting: 'marker-file: url(oak); marker-opacity: 0.4;', text: '0 to 1 (default)' },
    { name: 'transform', layer: 'places', setting: 'marker-file: url(airport); marker-transform: rotate(45) scale(1.6);', text: 'Turned, enlarged, moved' },
    { name: 'by-value', layer: 'places', beside: 'marker-allow-overlap: true;', setting: '[kind = "city"] { marker-file: url(city); } [kind != "city"] { marker-file: url(village); }', text: 'By values: a filter for each icon' },
    { name: 'point', layer: 'places', setting: 'point-file: url(star);', text: 'The plain picture, never recoloured' },
    { name: 'pattern', layer: 'parks', setting: 'polygon-pattern-file: url(wetland); polygon-pattern-opacity: 0.6;', text: 'Areas filled with it' },
    { name: 'line', layer: 'roads', beside: 'line-color: #999;', setting: 'marker-file: url(bus); marker-placement: line; marker-spacing: 60; marker-fill: #c92a2a;', text: 'Along a line' },
    { name: 'shield', layer: 'places', setting: 'shield-file: url(marker); shield-name: [name]; shield-size: 11; shield-dy: 16; shield-fill: #333; shield-unlock-image: true;', text: 'With a text; both are shown or neither' },
  ], // biome-ignore format: a table
};

/** `render_settings`. */
export const rendering: Table = {
  name: 'rendering',
  page: 'styles.md',
  heading: '`render_settings`',
  body: ({ layer, setting }) => ({
    css_style: `#${layer} { polygon-fill: #8ccf7e; line-color: #2b8a3e; line-width: 3; }`,
    render_settings: JSON.parse(`{${setting}}`),
  }),
  examples: [
    { name: 'opacity', layer: 'parks', below: 'roads', setting: '"opacity": 0.3', text: 'Of the whole layer, 0 to 1 (default); times that of the map' },
    { name: 'zooms', layer: 'parks', below: 'roads', setting: '"minZoom": 13, "maxZoom": 18', text: 'Zoom levels at which it is drawn, 0 to 24 (all); the narrower ones of map and layer. The picture is one of 12' },
    { name: 'buffer', layer: 'parks', setting: '"buffer": 64', text: 'Pixels around a tile whose objects are drawn, too; by default as many as the style needs: its widest line, marker and label' },
    { name: 'cache', layer: 'parks', setting: '"cache": false', text: 'Whether tiles with it are kept in memory; true by default. They are as fresh either way' },
  ], // biome-ignore format: a table
};
