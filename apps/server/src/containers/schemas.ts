import { Type } from 'typebox';
import { Name, RenderSettingsSchema } from '../http/params.js';

const AnyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const Switch = (description: string) => Type.Enum([0, 1], { description });

export const MapAnswer = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String({ description: 'In the language of `lng`; empty when none was given' }),
  css_style: Type.String({ description: 'CartoCSS of the map: the background under its layers' }),
  group_layers: Switch('0 = several layers, 1 = a single layer'),
  has_publication: Type.Boolean({ description: 'Whether the map can be viewed without authorization' }),
  languages: Type.Optional(
    Type.Array(Type.String(), { description: 'Codes of the languages that the map offers' }),
  ),
  json: Type.Optional(
    AnyObject(
      'With returnJson=1: settings of the map; without the right to edit it ground and base_layer alone',
    ),
  ),
});

const Locale = Type.Union(
  [
    Type.String(),
    Type.Object({
      code: Type.String(),
      name: Type.Optional(Type.String({ maxLength: 1000 })),
      sort: Type.Optional(Type.Number()),
    }),
  ],
  { description: 'The code of a language, or with its name and place' },
);

export const MapBody = {
  name: Type.Optional(Name),
  localized_name: Type.Optional(Type.Boolean({ description: 'Whether the name is a text per language' })),
  css_style: Type.Optional(
    Type.String({ description: 'CartoCSS: `Map { background-color: … }`; a quiet background when absent' }),
  ),
  group_layers: Type.Optional(Switch('0 = several layers, 1 = a single layer')),
  publish: Type.Optional(
    Type.Boolean({ description: 'false: only callers with a grant of their own see the map' }),
  ),
  has_publication: Type.Optional(Type.Boolean({ description: 'Whether the public may view the map' })),
  json: Type.Optional(
    AnyObject(
      'Settings of the map; search: what the search reads, [{layer, columns, name_column}], in use when the publication tree is saved; base_layer: the id of the layer that is drawn below all others, and not with base=0; ground: whether the map page shows it over a plain base map of land and borders (default: for maps without a background and a base layer)',
    ),
  ),
  render_settings: Type.Optional(RenderSettingsSchema),
  comment: Type.Optional(Type.String({ maxLength: 100_000 })),
  show_pub: Type.Optional(Type.Boolean({ description: 'Whether the map is shown in lists of maps' })),
  sort: Type.Optional(
    Type.Number({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1, description: 'Place among the maps, rounded' }),
  ),
  locales: Type.Optional(
    Type.Union([Type.Array(Locale, { maxItems: 1000 }), Type.Null()], {
      description: 'Languages that the map offers; null or none: those of the project',
    }),
  ),
};

const Corner = (which: string) =>
  Type.Array(Type.Number(), { description: `${which} corner: latitude, longitude` });

export const ListedMap = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String({ description: 'In the language of `lng`; empty when none was given' }),
  access: Type.Integer({ description: 'The right of the caller: 1 view, 2 edit, 3 administer' }),
  publish: Type.Boolean({ description: 'Whether publication is open' }),
  has_publication: Type.Boolean({ description: 'Whether the map can be viewed without authorization' }),
  layers: Type.Integer({ description: 'Number of layers that the caller may view' }),
  extent: Type.Union([Type.Object({ sw: Corner('South-west'), ne: Corner('North-east') }), Type.Null()], {
    description: 'Of these layers; null where it is unknown',
  }),
  changed: Type.Optional(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description:
        'With returnChanged=1: the last change of the map, its layers or their objects; null where that was before the service noted it',
    }),
  ),
  objects: Type.Optional(
    Type.Integer({ description: 'With returnObjects=1: objects in its layers; of large layers an estimate' }),
  ),
});

export const PublishedMap = Type.Object({
  id: Type.Integer(),
  type: Type.String({ description: 'map' }),
  parent: Type.Integer({ description: '0: a map lies in its project' }),
  code: Type.String(),
  parent_map: Type.String({ description: 'The code of the map' }),
  sort: Type.Integer(),
  show_pub: Type.Boolean(),
  css_style: Type.String(),
  localized_name: Type.Boolean(),
  name: Type.String(),
  names: Type.Array(Type.Record(Type.String(), Type.String()), {
    description: 'Language code → name, one each',
  }),
  access: Type.Integer({
    description: 'The right of the caller: 0 none, 1 view, 2 edit, 3 administer',
  }),
  json: AnyObject('Settings of the map'),
  comment: Type.String(),
  listDepended: Type.Array(Type.Integer(), {
    description: 'Ids of virtual and materialized layers of other maps that read layers of this one',
  }),
  table_id: Type.Integer(),
  style_mode: Type.Integer({ description: '0 not set, 2 CartoCSS' }),
  render_settings: RenderSettingsSchema,
  publish: Type.Boolean({ description: 'Whether publication is open' }),
  group_layers: Switch('0 = several layers, 1 = a single layer'),
  has_publication: Type.Boolean(),
  locales: Type.Array(
    Type.Object({
      id: Type.Integer(),
      code: Type.String(),
      name: Type.String(),
      sort: Type.Number(),
      container: Type.Integer({ description: 'Id of the map' }),
    }),
  ),
});

export const FolderAnswer = Type.Object({
  id: Type.Integer(),
  type: Type.String({ description: 'folder' }),
  code: Type.String(),
  name: Name,
  sort: Type.Integer(),
  icon: Type.String(),
  selected: Type.Boolean(),
  parent_id: Type.Integer(),
  render_type: Switch('0 = raster, 1 = vector'),
  map_layer_id: Type.Integer({ description: 'The same as id' }),
  style_mode: Type.Integer(),
  tiles_quality: Type.Integer({ description: '0 full-colour PNG, 1 limited-palette PNG8' }),
  json: AnyObject('Settings of the folder'),
  view_format_type: Type.Integer({ description: '0 tree, 1 collapsed, 2 one choice at a time' }),
});

export const FolderBody = Type.Object({
  code: Type.Optional(Type.String({ description: 'Made by the service when absent' })),
  localized_name: Type.Optional(Type.Boolean({ description: 'Whether the name is a text per language' })),
  name: Type.Optional(Name),
  parent_id: Type.Optional(
    Type.Integer({
      description:
        'Map (default) or folder of it; on a change it must be present and name where the folder lies',
    }),
  ),
  sort: Type.Optional(
    Type.Number({ description: 'Place in the parent, a fraction lies between; siblings are numbered anew' }),
  ),
  json: Type.Optional(
    AnyObject(
      'Settings of the folder; of these icon (a path), tiles_quality (0, 1) and view_format_type (0, 1, 2) become what the folder shows under these names',
    ),
  ),
});
