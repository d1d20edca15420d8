import { createRequire } from 'node:module';
import { drawingPrograms } from '@cartulary/renderer';
import { digestOf } from '@cartulary/runtime';
import type { MapComposition } from './composition.js';

const { version } = createRequire(import.meta.url)('../../../../package.json') as { version: string };

/** Other versions of these programs may draw other pixels. */
const programs = [version, ...drawingPrograms];

/** Connection parameters: they do not change the picture. */
const connection = /<Parameter name="(?:host|port|user|password|dbname)">[^<]*<\/Parameter>/g;
const connectionFields = new Set(['host', 'port', 'user', 'password', 'dbname']);

/** Hash of everything on which a picture depends, except its place, its scale and the data. */
export function cacheKeyOf({ xml, above }: Pick<MapComposition, 'xml' | 'above'>): string {
  const text = JSON.stringify([programs, xml, above], (field, value) => {
    if (connectionFields.has(field)) return undefined;
    return typeof value === 'string' ? value.replace(connection, '') : value;
  });
  return digestOf(text);
}
