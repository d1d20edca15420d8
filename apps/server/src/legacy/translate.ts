import { badRequest, requiredMissing, ServiceError } from '@cartulary/errors';
import type { EarlierVersion } from '../http/versions.js';
import type { LayerTraits } from '../layers/styles/traits.js';

/** JSON of the interface. Each function of this file converts one form of it to that of another version. */
type Json = Record<string, unknown>;

/** Whether a body is an object. The schema of the function reports other bodies. */
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Error statuses of these versions: they have only 200, 401, 403, 404 and 500. Statuses of HTTP itself (413,
 * 415, 429, 503) stay.
 */
export const earlierError = (error: ServiceError): ServiceError =>
  error.status === 400 ? new ServiceError(error.code, error.message, error.data, 500) : error;

/**
 * Login in 1.0 has the parameters user and pass. Version 2.8 accepts these names, but its errors name others.
 * Throws `required_missing`.
 */
export function demandUserAndPass(parameters: Json): void {
  const missing = [
    ...(parameters.user === undefined && parameters.login === undefined ? ['user'] : []),
    ...(parameters.pass === undefined && parameters.password === undefined ? ['pass'] : []),
  ];
  if (missing.length) throw requiredMissing(...missing);
}

/** A created map, without `has_publication`. */
export const newMap = ({ id, code, name, css_style, group_layers }: Json): Json => ({
  id,
  code,
  name,
  css_style,
  group_layers,
});

/** A layer or tree item with the additional fields of these versions. Only trees mark visualizations. */
export const layerItem = (item: Json, traits: LayerTraits, isTree: boolean): Json => ({
  ...item,
  ...(isTree && traits.isVisualization ? { type: 'visual' } : {}),
  icon_retina: retinaIcon(item.icon),
  g_type: traits.kind,
  bbox: traits.bbox,
});

/** The icon for screens of double density: an icon of the service in twice its size, any other unchanged. */
export function retinaIcon(icon: unknown): unknown {
  if (typeof icon !== 'string') return icon;
  const [path = '', query] = icon.split('?', 2);
  if (!/\/layers\/[^/]+\/icon\/?$/.test(path)) return icon;
  const parameters = new URLSearchParams(query);
  parameters.set('size', String(Math.min(512, 2 * (Number(parameters.get('size')) || 32))));
  return `${path}?${parameters}`;
}

/** The values of a layer as get-layer returned them. `type` cannot be changed, so it is removed. */
export function layerValues(body: unknown): unknown {
  if (!isJson(body)) return body;
  const { type, ...values } = body;
  return values;
}

/** A column as 1.0 sends it: dates have the type timestamp. */
export const columnOf10 = (body: unknown): unknown =>
  isJson(body) && body.type === 'timestamp' ? { ...body, type: 'datetime' } : body;

/** A column as 1.0 shows it: dates have the type timestamp. */
export const columnFor10 = (column: Json): Json =>
  column.type === 'datetime' ? { ...column, type: 'timestamp' } : column;

/** The geometry in a body of 2.0, `{"geom": …}`. Throws 400, `required_missing`. */
export function geometryIn(body: unknown): unknown {
  if (!isJson(body)) throw badRequest('The body must be an object with the key geom');
  if (body.geom === undefined) throw requiredMissing('geom');
  return body.geom;
}

/** An added file, with its path in the requested version. */
export function addedFile({ name, path, mime, id, uuid }: Json, version: EarlierVersion): Json {
  const file = { name, path: inVersion(path, version), mime, id, code: '' };
  return version === '2.0' ? { ...file, uuid } : file;
}

/** A path of 2.8 in another version. */
export const inVersion = (path: unknown, version: EarlierVersion): unknown =>
  typeof path === 'string' ? path.replace('/api/2.8/', `/api/${version}/`) : path;
