import type { Client } from '../../client.js';
import { equal, rule } from '../../rules.js';
import { abc, type Raw, raw, reading } from '../support.js';

/*
 * The abstract tests of OGC API Features, parts 1 to 5 (OGC 17-069r4, 18-058r1, 19-079r2, 20-002r1, 23-058r1), over a collection with
 * three features.
 */

/** A collection with the features of `abc`. */
export interface Door {
  c: Client;
  /** The path of the door, and that of the collection. */
  root: string;
  at: string;
}

export const crs84 = 'http://www.opengis.net/def/crs/OGC/1.3/CRS84';
export const epsg = (code: number): string => `http://www.opengis.net/def/crs/EPSG/0/${code}`;

const doorOf = (c: Client, layer: string): Door => {
  const root = `//ogc/${c.target.project}/${layer.split('/')[1]}`;
  return { c, root, at: `${root}/collections/a` };
};

/** A rule that only reads such a collection. */
export const ogcRule = (part: string, name: string, run: (door: Door) => Promise<void>): void =>
  rule(
    'OGC API',
    `${part} / ${name}`,
    reading((c, layer) => run(doorOf(c, layer))),
  );

/** A rule that writes to a collection of its own. */
export const ogcWriteRule = (part: string, name: string, run: (door: Door) => Promise<void>): void =>
  rule('OGC API', `${part} / ${name}`, async (c) => run(doorOf(c, await abc(c))));

export const get = async (c: Client, path: string, headers: Record<string, string> = {}): Promise<Raw> =>
  await raw(c, path, { headers });

/** The same; fails unless the answer is 200. */
export async function found(c: Client, path: string): Promise<Raw> {
  const answer = await get(c, path);
  equal(answer.status, 200, `status of ${path}`);
  return answer;
}

/** Fails unless the answer is a problem of this status. */
export async function refused(c: Client, path: string, status: number): Promise<void> {
  const answer = await get(c, path);
  equal(answer.status, status, `status of ${path}`);
  equal(answer.type.includes('json'), true, 'the problem is JSON');
}

export const titlesOf = ({ json }: Raw): string[] =>
  json.features.map(({ properties }: { properties: { title: string } }) => properties.title);

/** The address of a link of an answer as a path of requests. */
export function linkIn({ json }: Raw, rel: string): string | undefined {
  const href = json.links.find((link: { rel: string }) => link.rel === rel)?.href as string | undefined;
  return href === undefined ? undefined : `/${href.replace(/^https?:\/\/[^/]+/, '')}`;
}
