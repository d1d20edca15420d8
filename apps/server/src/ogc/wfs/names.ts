import { owsError } from '../common/ows-exceptions.js';
import { xmlName } from '../common/xml.js';

/** The code that a name in XML stands for, with or without a prefix. */
export const codeOfName = (name: string): string =>
  name
    .trim()
    .split(':')
    .at(-1)!
    .replace(/^_(?=_*-)/, '');

/** The last step of a path such as `map:towns/map:name`. */
const lastStep = (path: string): string => path.trim().split('/').at(-1)!.trim();

/** Whether a path names the id of a feature, which is an attribute: `@gml:id`. */
export const isIdPath = (path: string): boolean => /^@(?:gml:)?id$/.test(lastStep(path));

/** The code of the column that a path names by its last step. Throws 400 for an attribute. */
export function codeIn(path: string, parameter: string): string {
  const step = lastStep(path);
  if (step.startsWith('@'))
    throw owsError('InvalidParameterValue', `'${step.slice(0, 50)}' is no property of the type`, parameter);
  return codeOfName(step);
}

/** The code of the one layer that a request names: `map:towns` or `towns`. Throws 400 for several. */
export function layerCodeIn(names: string, parameter: string): string {
  const codes = names
    .split(/[,()\s]+/)
    .filter(Boolean)
    .map(codeOfName);
  if (codes.length !== 1)
    throw owsError('OptionNotSupported', `${parameter} names one type; joins are not served`, parameter);
  return codes[0]!;
}

/** The id of a feature as a resource. */
export const resourceIdOf = (layer: string, id: number): string => `${xmlName(layer)}.${id}`;

/** The code of the layer of a resource: `towns` of `towns.5`; undefined for a number alone. */
export function layerOfResource(resource: string): string | undefined {
  const code = /^(.*)\.\d+$/.exec(resource.trim())?.[1];
  return code === undefined ? undefined : codeOfName(code);
}

/** The id of an object by that of its resource: `towns.5`, or `5`; undefined for one of another layer. */
export function objectIdOf(resource: string, layer: string): number | undefined {
  const [, code, id] = /^(?:(.*)\.)?(\d{1,15})$/.exec(resource.trim()) ?? [];
  if (id === undefined || (code !== undefined && codeOfName(code) !== layer)) return undefined;
  return Number(id);
}
