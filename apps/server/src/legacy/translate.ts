import { badRequest, requiredMissing, ServiceError } from '../errors.js';
import type { EarlierVersion } from '../http/versions.js';
import type { LayerTraits } from '../layers/traits.js';

/** What the interface sends and takes, as JSON. Each function here turns one form of it into that of another version. */
type Json = Record<string, unknown>;

/** Whether a body has keys; what is wrong with one that has none, the schema of the function says. */
export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The form of 2.8 error statuses here: only 200, 401, 403, 404 and 500 belong to these versions. What HTTP itself says (413, 415, 429, 503) stays. */
export const earlierError = (error: ServiceError): ServiceError =>
  error.status === 400 ? new ServiceError(error.code, error.message, error.data, 500) : error;

/** Login in 1.0 has the parameters user and pass; 2.8 takes these names too, but would ask for others. Throws `required_missing`. */
export function demandUserAndPass(parameters: Json): void {
  const missing = [
    ...(parameters.user === undefined && parameters.login === undefined ? ['user'] : []),
    ...(parameters.pass === undefined && parameters.password === undefined ? ['pass'] : []),
  ];
  if (missing.length) throw requiredMissing(...missing);
}

/** A map that was made: without `has_publication`. */
export const newMap = ({ id, code, name, css_style, group_layers }: Json): Json => ({
  id,
  code,
  name,
  css_style,
  group_layers,
});

/** A layer or tree item with what it had more in these versions; a visualization is marked in trees alone. */
export const layerItem = (item: Json, traits: LayerTraits, isTree: boolean): Json => ({
  ...item,
  ...(isTree && traits.isVisualization ? { type: 'visual' } : {}),
  icon_retina: retinaIcon(item.icon),
  g_type: traits.kind,
  bbox: traits.bbox,
});

/** The icon for screens of double density: an icon of the service in twice its size, any other as it is. */
export function retinaIcon(icon: unknown): unknown {
  if (typeof icon !== 'string') return icon;
  const [path = '', query] = icon.split('?', 2);
  if (!/\/layers\/[^/]+\/icon\/?$/.test(path)) return icon;
  const parameters = new URLSearchParams(query);
  parameters.set('size', String(Math.min(512, 2 * (Number(parameters.get('size')) || 32))));
  return `${path}?${parameters}`;
}

/** The values of a layer as get-layer gave them: `type` is no value that can be changed, and says less than the layer knows. */
export function layerValues(body: unknown): unknown {
  if (!isJson(body)) return body;
  const { type, ...values } = body;
  return values;
}

/** A column as 1.0 sends it: dates are of the type timestamp. */
export const columnOf10 = (body: unknown): unknown =>
  isJson(body) && body.type === 'timestamp' ? { ...body, type: 'datetime' } : body;

/** A column as 1.0 shows it. */
export const columnFor10 = (column: Json): Json =>
  column.type === 'datetime' ? { ...column, type: 'timestamp' } : column;

/** The geometry in a body of 2.0, `{"geom": …}`. Throws 400, `required_missing`. */
export function geometryIn(body: unknown): unknown {
  if (!isJson(body)) throw badRequest('The body must be an object with the key geom');
  if (body.geom === undefined) throw requiredMissing('geom');
  return body.geom;
}

/** A file that was added, its path in the version that was asked. */
export function addedFile({ name, path, mime, id, uuid }: Json, version: EarlierVersion): Json {
  const file = { name, path: inVersion(path, version), mime, id, code: '' };
  return version === '2.0' ? { ...file, uuid } : file;
}

/** A path of 2.8 in another version. */
export const inVersion = (path: unknown, version: EarlierVersion): unknown =>
  typeof path === 'string' ? path.replace('/api/2.8/', `/api/${version}/`) : path;
