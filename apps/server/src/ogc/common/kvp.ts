import { ServiceError } from '@cartulary/errors';

/** The parameters of a request in the query, whose names have no case. */
export type KvpParameters = ReadonlyMap<string, string>;

/** Parameters whose values are names of the standards: programs write them in either case. */
const named: ReadonlySet<string> = new Set(['service', 'request', 'version']);

/**
 * Reads the query. An empty value counts as absent. A parameter may come again with its value: QGIS adds `SERVICE` and `REQUEST` to
 * an address that has them. Throws an error for two different values.
 */
export function kvpOf(query: Readonly<Record<string, unknown>>): KvpParameters {
  const found = new Map<string, string>();
  for (const [name, sent] of Object.entries(query)) {
    const key = name.toLowerCase();
    const comparable = (value: string): string => (named.has(key) ? value.toLowerCase() : value);
    for (const value of [sent].flat()) {
      const before = found.get(key) ?? value;
      if (typeof value !== 'string' || comparable(String(before)) !== comparable(value))
        throw new ServiceError('bad_request', `${name.slice(0, 100)} must be given once`, {
          parameters: [name.slice(0, 100)],
          exception: 'InvalidParameterValue',
        });
      if (value !== '') found.set(key, value);
    }
  }
  return found;
}
