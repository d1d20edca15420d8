import { badRequest, type ServiceError } from '@cartulary/errors';
import type { SR } from '@cartulary/geo';
import { isOn } from '../../http/params.js';

/* The values of single parameters. Each function throws 400 with the name of the parameter. */

/** The parameters of a list as received: texts from a query or form, JSON values from a JSON body. */
export type Parameters = Record<string, unknown>;

export const parameterInvalid = (name: string, why: string): ServiceError =>
  badRequest(`${name}: ${why}`, { parameters: [name] });

export function textParameter(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw parameterInvalid(name, 'must be a text');
  return value;
}

export function numberIn(parameters: Parameters, name: string, min: number, max: number): number | undefined {
  const value = parameters[name];
  if (value === undefined || value === null || value === '') return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !(number >= min && number <= max)) {
    throw parameterInvalid(name, `must be a number from ${min} to ${max}`);
  }
  return number;
}

export function wholeNumber(parameters: Parameters, name: string): number | undefined {
  const number = numberIn(parameters, name, 0, Number.MAX_SAFE_INTEGER);
  if (number !== undefined && !Number.isInteger(number))
    throw parameterInvalid(name, 'must be a whole number');
  return number;
}

export function oneOf<T extends string>(
  parameters: Parameters,
  name: string,
  allowed: readonly T[],
): T | undefined {
  const value = parameters[name];
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
  if (!allowed.includes(text as T)) throw parameterInvalid(name, `must be one of ${allowed.join(', ')}`);
  return text as T;
}

export const flagOf = (parameters: Parameters, name: string): boolean =>
  isOn(oneOf(lowerCase(parameters, name), name, ['0', '1', 'true', 'false']));

/** The parameters with this text in lower case: `TRUE` is `true`. */
function lowerCase(parameters: Parameters, name: string): Parameters {
  const value = parameters[name];
  return typeof value === 'string' ? { [name]: value.toLowerCase() } : parameters;
}

export const srOf = (parameters: Parameters, name: string): SR =>
  oneOf(parameters, name, ['4326', '3857']) ?? '4326';
