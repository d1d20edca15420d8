import { ServiceError } from '@cartulary/errors';

/** The parameters of a request in the query, whose names have no case. */
export type KvpParameters = ReadonlyMap<string, string>;

/** Reads the query. Throws an error for a parameter that comes twice. */
export function kvpOf(query: Readonly<Record<string, unknown>>): KvpParameters {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    const key = name.toLowerCase();
    if (typeof value !== 'string' || found.has(key))
      throw new ServiceError('bad_request', `${name.slice(0, 100)} must be given once`, {
        parameters: [name.slice(0, 100)],
        exception: 'InvalidParameterValue',
      });
    found.set(key, value);
  }
  return found;
}
