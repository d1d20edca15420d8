import type { Database } from '@cartulary/database';
import { requiredMissing } from '@cartulary/errors';
import { type PictureFormat, pictureFormats, pictureTypes } from '../../tiles/pictures/picture-formats.js';
import type { MatrixPlace } from '../../tiles/tile-parameters.js';
import type { KvpParameters } from '../common/kvp.js';
import { styleName } from '../common/map-layers.js';
import { findMatrixSet, type MatrixSet, matrixSize, setNames } from '../common/matrix-sets.js';
import { owsError } from '../common/ows-exceptions.js';

/** A tile as a request names it, with texts that are not checked. */
export interface NamedTile {
  layer: string;
  style: string;
  set: string;
  matrix: string;
  row: string;
  column: string;
}

const names = {
  layer: 'layer',
  style: 'style',
  set: 'tilematrixset',
  matrix: 'tilematrix',
  row: 'tilerow',
  column: 'tilecol',
} as const;

/** The style, and the names under which programs ask for the only style of other services. */
const defaultStyles: ReadonlySet<string> = new Set([styleName, '', 'normal', '_null']);

/** The tile and the format of a GetTile request. Throws for missing parameters and an unknown format. */
export function kvpTile(kvp: KvpParameters): { tile: NamedTile; format: PictureFormat } {
  const needed = ['version', ...Object.values(names), 'format'].filter(
    (name) => name !== names.style && !kvp.has(name),
  );
  if (needed.length) throw requiredMissing(...needed);
  demandVersion(kvp.get('version')!);
  const tile = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, kvp.get(name) ?? '']));
  const type = kvp.get('format')!;
  const format = pictureFormats.find((one) => pictureTypes[one] === type.toLowerCase());
  if (!format) throw unknownFormat(type);
  return { tile: tile as unknown as NamedTile, format };
}

/** The format by the end of an address. Throws for an unknown one. */
export function formatOfEnd(end: string): PictureFormat {
  const format = pictureFormats.find((one) => one === end);
  if (!format) throw unknownFormat(end);
  return format;
}

const unknownFormat = (text: string) =>
  owsError(
    'InvalidParameterValue',
    `Formats are ${Object.values(pictureTypes).join(', ')}, not '${text.slice(0, 100)}'`,
    'format',
  );

/** Clients send versions of two numbers, too. */
const isServed = (version: string): boolean => /^1\.0(\.0)?$/.test(version.trim());

function demandVersion(version: string): void {
  if (!isServed(version))
    throw owsError(
      'InvalidParameterValue',
      `The version is 1.0.0, not '${version.slice(0, 100)}'`,
      'version',
    );
}

/** Throws where a client accepts other versions alone. */
export function demandAccepted(kvp: KvpParameters): void {
  const accepted = kvp.get('acceptversions');
  if (accepted !== undefined && !accepted.split(',').some(isServed))
    throw owsError('VersionNegotiationFailed', 'The version is 1.0.0', 'acceptversions');
}

/** The set and the place of a tile. Throws for another style, matrix set, matrix, row or column. */
export async function tilePlace(
  db: Database,
  { style, set: named, matrix, row, column }: NamedTile,
): Promise<{ set: MatrixSet; place: MatrixPlace }> {
  if (!defaultStyles.has(style.toLowerCase())) throw unknown('style', style, `'${styleName}'`);
  const set = await findMatrixSet(db, named);
  if (!set) throw unknown('tilematrixset', named, setNames);
  const z = wholeNumber(matrix);
  if (z === undefined || z > set.last) throw unknown('tilematrix', matrix, `0 to ${set.last}`);
  const { columns, rows } = matrixSize(set, z);
  const place = {
    z,
    x: indexOf('tilecol', column, { z, last: columns - 1 }),
    y: indexOf('tilerow', row, { z, last: rows - 1 }),
  };
  return { set, place };
}

const unknown = (name: string, value: string, valid: string) =>
  owsError('InvalidParameterValue', `${name} is ${valid}, not '${value.slice(0, 100)}'`, name);

const wholeNumber = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);

function indexOf(name: string, text: string, { z, last }: { z: number; last: number }): number {
  const index = wholeNumber(text);
  if (index === undefined && !/^-\d+$/.test(text)) throw unknown(name, text, 'a whole number');
  if (index === undefined || index > last)
    throw owsError(
      'TileOutOfRange',
      `${name} is 0 to ${last} in matrix ${z}, not ${text.slice(0, 100)}`,
      name,
    );
  return index;
}
