/**
 * Examples of the OpenAPI document, made from schemas. The examples of a schema come first, then a suggestion
 * by its name.
 */

/** The part of JSON Schema that the schemas of routes use. */
export interface Schema {
  type?: string | readonly string[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  default?: unknown;
  examples?: readonly unknown[];
  example?: unknown;
  description?: string;
  minItems?: number;
  minimum?: number;
  maximum?: number;
  pattern?: string;
}

const point = { type: 'Point', coordinates: [2.3372, 48.8462] };

/** Suggested values by the name of a property. A value is used only when it fits the type of the property. */
const suggested: Readonly<Record<string, readonly unknown[]>> = {
  code: ['gardens'],
  name: ['Gardens of Paris'],
  login: ['ann'],
  user: ['ann'],
  password: ['correct-horse-battery'],
  pass: ['correct-horse-battery'],
  email: ['ann@example.org'],
  token: ['x9Zr2mVbq0'],
  groups: [['staff']],
  css_style: ['#gardens { marker-width: 8; marker-fill: #3b8f4f; }'],
  map_code: ['parks'],
  layer_code: ['gardens'],
  column_code: ['hectares'],
  columns: [['hectares']],
  languages: [['en', 'ru']],
  fields: ['name,hectares', { name: 'Jardin du Luxembourg', hectares: 23 }],
  fcode: ['name'],
  fval: ['Jardin du Luxembourg'],
  fbbox: ['48.8,2.2,48.9,2.4'],
  feature_ids: ['1,2,3'],
  langs: ['en,ru'],
  srs: ['3857'],
  raster_bbox: ['BOX(-180 -90,180 90)'],
  layers: ['12,15'],
  map: ['parks'],
  layer: ['gardens'],
  phrase: ['jardin'],
  lang: ['en'],
  geom: [point],
  filter: [{ op: '>', args: [{ property: 'hectares' }, 20] }],
  render_settings: [{ minZoom: 0, maxZoom: 24, opacity: 1, buffer: 64, cache: true }],
  limit: [100],
  offset: [0],
  geomZoom: [12],
  x: [2074],
  y: [2687],
  z: [12],
  object: [1],
};

/** A readable value that fits the schema. */
export function exampleOf(schema: Schema, name = ''): unknown {
  const own = schema.example ?? schema.examples?.[0] ?? schema.const ?? schema.default ?? schema.enum?.[0];
  if (own !== undefined) return own;
  const hint = suggested[name]?.find((value) => fits(value, schema));
  if (hint !== undefined) return hint;
  const branch = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== 'null');
  if (branch) return exampleOf(branch, name);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, name)));
  return ofType(schema, name);
}

function ofType(schema: Schema, name: string): unknown {
  switch (typesOf(schema).find((type) => type !== 'null') ?? typesOf(schema)[0]) {
    case 'object':
      return ofObject(schema);
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 1) }, () =>
        exampleOf(schema.items ?? {}, name.replace(/s$/, '')),
      );
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'string':
      return schema.pattern ? '' : name || 'text';
    default:
      return {};
  }
}

const ofObject = ({ properties = {} }: Schema): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, exampleOf(property, key)]));

const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat());

/**
 * Whether a suggested value is of the schema's type. A schema without a type accepts objects, as `geom` and
 * `filter` do.
 */
function fits(value: unknown, schema: Schema): boolean {
  if (schema.anyOf || schema.oneOf || schema.allOf) return false;
  const types = typesOf(schema);
  if (schema.pattern !== undefined) return false;
  if (!types.length) return true;
  if (Array.isArray(value)) return types.includes('array') && typesOf(schema.items ?? {}).includes('string');
  if (typeof value === 'object') return types.includes('object') && !schema.properties;
  if (typeof value === 'number') return types.includes('integer') || types.includes('number');
  return types.includes('string');
}
