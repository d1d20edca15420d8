import { Type } from 'typebox';

export const AnyObject = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });
const Corner = Type.Array(Type.Number(), {
  minItems: 2,
  maxItems: 2,
  description: '[latitude, longitude] in 4326, [y, x] in 3857',
});
export const Bbox = Type.Union([Type.Object({ sw: Corner, ne: Corner }), Type.Null()]);

export const LayerAnswer = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  code: Type.String(),
  name: Type.String(),
  sort: Type.Integer(),
  parent_id: Type.Integer(),
  selected: Type.Boolean(),
  map_layer_id: Type.Integer(),
  icon: Type.String(),
  css_style: Type.String(),
  render_type: Type.Integer(),
  style_mode: Type.Integer(),
  meta: AnyObject('Metadata of a raster'),
  render_settings: AnyObject('minZoom, maxZoom, opacity, buffer, cache'),
  bbox: Type.Optional(Bbox),
  json: AnyObject('Settings'),
});
