import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { Sheet } from './drawing.js';

const { version, dependencies } = createRequire(import.meta.url)('../../../package.json') as {
  version: string;
  dependencies: Record<string, string>;
};

/** Programs of another version may draw otherwise. */
const programs = [version, dependencies['@mapnik/mapnik'], dependencies.harfbuzzjs];

/** Where the database is reached: another way to the same data gives the same picture. */
const connection = /<Parameter name="(?:host|port|user|password|dbname)">[^<]*<\/Parameter>/g;
const connectionFields = new Set(['host', 'port', 'user', 'password', 'dbname']);

/** Hash over all that a picture depends on but its place, its scale and the data. */
export function pictureKey(drawing: Pick<Sheet, 'xml' | 'above'>): string {
  const { xml, above } = drawing;
  const text = JSON.stringify([programs, xml, above], (field, value) => {
    if (connectionFields.has(field)) return undefined;
    return typeof value === 'string' ? value.replace(connection, '') : value;
  });
  return createHash('sha256').update(text).digest('base64url');
}
