import { Type } from 'typebox';
import { Flag, Name, Query, RenderSettingsSchema, SpatialReference } from '../http/params.js';
import { SimpleStyleSchema, VectorSettingsSchema, VisualSettingsSchema } from './styles/drawing-schemas.js';

const AnyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const Drawing = Type.Enum([0, 1], {
  description: '0 = raster drawn on the server, 1 = vector drawn on the client',
});

const Corner = Type.Array(Type.Number(), {
  minItems: 2,
  maxItems: 2,
  description: '[latitude, longitude] in degrees for 4326, [y, x] in metres for 3857',
});
export const Bbox = Type.Union([Type.Object({ sw: Corner, ne: Corner }), Type.Null()], {
  description: 'null: nothing in the layer has a geometry',
});

export const TreeQuery = Query({
  type: Type.Optional(
    Type.Enum(['full', 'publish'], {
      default: 'publish',
      description: 'publish: the publication tree (before one was saved, all layers); full: all layers',
    }),
  ),
  returnBbox: Flag('Adds the extent of each layer'),
  returnCss: Flag('Adds the style of each layer'),
  bboxSR: SpatialReference('Projection of the extents'),
  returnAccess: Flag("Adds the caller's right on each folder and layer"),
});

export const TreeItemSchema = Type.Object({
  id: Type.Integer(),
  type: Type.String({ description: 'folder, layer, virtual, material, raster or external' }),
  code: Type.String(),
  name: Type.String(),
  sort: Type.Number(),
  parent_id: Type.Integer({ description: 'An item; 0 (publish) or the id of the map (full) at the root' }),
  selected: Type.Boolean(),
  map_layer_id: Type.Integer({ description: 'The folder or layer that the item shows' }),
  icon: Type.String(),
  render_type: Drawing,
  view_format_type: Type.Optional(
    Type.Integer({ description: 'Folders: 0 tree, 1 collapsed, 2 one choice at a time' }),
  ),
  style_mode: Type.Optional(
    Type.Integer({ description: 'For a visualization: 3, or 4 for a custom one; it has a legend' }),
  ),
  css_style: Type.Optional(Type.String()),
  bbox: Type.Optional(Bbox),
  json: Type.Optional(AnyObject('Settings of an external layer')),
  access: Type.Optional(Type.Integer({ description: '1 view, 2 edit, 3 administer' })),
});

export const MoveBody = Type.Object({
  id: Type.Integer({ description: 'The folder or layer' }),
  parent_id: Type.Integer({ description: 'The map or a folder of it' }),
  sort: Type.Optional(
    Type.Number({
      description:
        'Place in the parent, a fraction lies between; last when absent; siblings are numbered anew',
    }),
  ),
});

export const PublicationBody = Type.Array(
  Type.Object({
    id: Type.Integer({ description: 'From 1; used as parent_id by its children' }),
    parent_id: Type.Integer({ description: '0 = the root' }),
    map_layer_id: Type.Integer({ description: 'The folder or layer that the item shows' }),
    sort: Type.Optional(Type.Number({ description: 'Place in the parent; that in the array when absent' })),
    selected: Type.Optional(Type.Boolean({ default: true })),
    icon: Type.Optional(Type.String({ maxLength: 1000 })),
  }),
  { maxItems: 100_000 },
);

const customExample = {
  type: 'hexbin',
  columns: { '6f1c2a52-8d0b-4c3e-9b57-2f1f0c9a7e11': 12 },
  icons: {},
  settings: { aggregate: 'sum', column: '6f1c2a52-8d0b-4c3e-9b57-2f1f0c9a7e11', cellSize: 24, zoom: 4 },
};
const CustomSettings = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'id; type, the name of the plugin: hexbin; columns, UUID → id of a column; icons, UUID → path of an icon; settings, those of the plugin, which name columns and icons by their UUIDs',
  examples: [{ id: 1, ...customExample }],
});

export const LayerAnswer = Type.Object({
  id: Type.Integer(),
  type: Type.String({ description: 'layer or virtual' }),
  code: Type.String(),
  name: Type.String(),
  sort: Type.Integer(),
  parent_id: Type.Integer(),
  selected: Type.Boolean(),
  map_layer_id: Type.Integer({ description: 'The same as id' }),
  icon: Type.String(),
  css_style: Type.String(),
  render_type: Drawing,
  style_mode: Type.Integer({
    description: '0 not set, 1 simple style, 2 CartoCSS, 3 visualization, 4 custom visualization',
  }),
  meta: AnyObject('Metadata of a raster'),
  render_settings: RenderSettingsSchema,
  bbox: Type.Optional(Bbox),
  json: AnyObject(
    'Settings of the layer; its query only for those who may edit it; of a materialized layer also refreshed: at, rows',
  ),
  simpleStyle: Type.Optional(SimpleStyleSchema),
  visualSettings: Type.Optional(VisualSettingsSchema),
  visualCustomSettings: Type.Optional(CustomSettings),
  vectorSettings: Type.Optional(VectorSettingsSchema),
});

export const LayerBody = Type.Object({
  code: Type.Optional(Type.String({ description: 'Made by the service when absent' })),
  localized_name: Type.Optional(Type.Boolean({ description: 'Whether the name is a text per language' })),
  type: Type.Optional(
    Type.String({
      description:
        'layer (objects), virtual (the result of json.query), material (the same, stored), raster (an image) or external (pictures of another server)',
      default: 'layer',
    }),
  ),
  name: Type.Optional(Name),
  parent_id: Type.Optional(Type.Integer({ description: 'The map (default) or a folder of it' })),
  sort: Type.Optional(
    Type.Number({ description: 'Place in the parent, a fraction lies between; siblings are numbered anew' }),
  ),
  css_style: Type.Optional(Type.String({ description: 'CartoCSS; `#code` or `#layer` selects the layer' })),
  meta: Type.Optional(AnyObject('Metadata of a raster')),
  json: Type.Optional(
    AnyObject(
      'Settings of the layer. virtual, material: query, one SELECT over layers written map_code.layer_code, with a column svc_id and, where it has geometry, geom. external: type (xyz, tms, wms), url, subdomains, minZoom, maxZoom, tileSize, extent, attribution, missing, fetch, and of a WMS layers, styles, version, format',
    ),
  ),
  render_settings: Type.Optional(RenderSettingsSchema),
  render_type: Type.Optional(Drawing),
  selected: Type.Optional(Type.Boolean()),
  icon: Type.Optional(Type.String({ maxLength: 1000, description: 'Path of an icon' })),
  simpleStyle: Type.Optional(
    Type.Union([SimpleStyleSchema, Type.Null()], {
      description:
        'A style of colours and sizes, of which css_style is made; style_mode becomes 1. null: the CartoCSS stays',
    }),
  ),
  vectorSettings: Type.Optional(VectorSettingsSchema),
  visualSettings: Type.Optional(
    Type.Union([VisualSettingsSchema, Type.Null()], {
      description: 'A visualization of the types 1 to 7 (docs/guide/visualizations.md); null removes it',
    }),
  ),
  visualCustomSettings: Type.Optional(
    Type.Union([CustomSettings, Type.Null()], {
      description:
        'A custom visualization by a plugin (docs/guide/custom-visualizations.md); it takes the place of visualSettings, and they of it; null removes it',
      examples: [customExample],
    }),
  ),
});

export const ColumnAnswer = Type.Object({
  id: Type.Integer(),
  sort: Type.Integer(),
  parent_id: Type.Integer({ description: 'The column of type title it belongs to; 0 = top level' }),
  code: Type.String(),
  name: Type.String(),
  names: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Language → name, with `returnNames`' }),
  ),
  required: Type.Boolean(),
  type: Type.String(),
  localized_name: Type.Boolean(),
  localized_value: Type.Boolean(),
  format: Type.Optional(AnyObject('Formatting of values; absent when none was set')),
  lost: Type.Optional(
    Type.Integer({
      description: 'On a change: how many values could not be converted to the new type and are lost',
    }),
  ),
});

export const ColumnBody = {
  type: Type.Optional(
    Type.String({
      description:
        'Required: number, string, text, datetime, bool, file, title or json; on a change the present one keeps it',
    }),
  ),
  name: Type.Optional(Name),
  required: Type.Optional(Type.Boolean({ description: 'Whether objects must have a value' })),
  localized_name: Type.Optional(Type.Boolean({ description: 'Whether the name is a text per language' })),
  localized_value: Type.Optional(Type.Boolean({ description: 'Whether there is a value per language' })),
  sort: Type.Optional(
    Type.Number({ description: 'Place in the parent, a fraction lies between; siblings are numbered anew' }),
  ),
  parent_id: Type.Optional(Type.Integer({ description: 'A column of type title; 0 = top level' })),
  format: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      description:
        'Formatting of values: number {decimals, thousands, decimal, prefix, suffix}, datetime {pattern, zone}, bool {true, false}, string and text {template} with {value}; null: none',
    }),
  ),
};

export const ConversionAnswer = Type.Object({
  values: Type.Integer({ description: 'Objects with a value in the column' }),
  lost: Type.Integer({ description: 'Values that cannot be converted; each language counts as one' }),
  examples: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'svc_id' }),
      value: Type.Unknown({ description: 'The value; a long one by its first 200 characters' }),
    }),
    { description: 'Objects whose value would be lost, by id' },
  ),
});
