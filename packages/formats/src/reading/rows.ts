import { ServiceError } from '../errors.js';
import { toEwkb } from '../geo/ewkb.js';
import { checkFileGeometry, emptyExtent } from '../geo/geojson.js';
import type { ColumnType } from '../layers/layers.js';
import { acceptValue } from '../layers/types.js';
import type { RawFeature } from './geojson.js';
import { mendGeometry } from './mend.js';
import {
  checkText,
  type Declaration,
  note,
  type Property,
  type TargetRules,
  targetOf,
} from './properties.js';
import type { OwnField } from './readers/own-archive.js';
import type { ReadyGeometry } from './tables/ready-geometry.js';
import { convertText, newTextUse, type TextRules } from './tables/text-values.js';
import type { Remarker } from './tally.js';

/** A feature as it is staged, with the types of its values. */
export const stagedColumns = [
  /** Number of the feature in its file, from 1. */
  { name: 'n', type: 'bigint' },
  /** The object that it is; null: a new one. */
  { name: 'id', type: 'bigint' },
  { name: 'geom', type: 'geometry' },
  /** JSON object: index of the property → value. */
  { name: 'properties', type: 'jsonb' },
] as const;

export type StagedRow = [n: number, id: number | null, geom: Uint8Array | null, properties: string];

/** Rows and bytes that are stored at once: on the embedded database all others wait for it. */
export const mostStaged = { rows: 5_000, bytes: 1024 * 1024 };

export interface RowRules extends TargetRules {
  /** Most properties. */
  propertyLimit: number;
}

export interface RowMaker {
  /** The row of a feature, and its geometry; null where it has none. `tolerance`: see `checkFileGeometry`. */
  row(feature: RawFeature, tolerance?: number): { row: StagedRow; geometry: ReadyGeometry | null };
  /** Takes notice of the names that properties will have: an object of JavaScript has those that are numbers in another order. */
  expect(names: readonly string[]): void;
  /** Takes notice of what an export of ours says of its columns. */
  declare(fields: readonly OwnField[]): void;
  /** The type of a column as an export of ours says it. */
  declared(name: string): ColumnType | undefined;
  /** All that were seen so far; a row names them by their indexes. */
  readonly properties: readonly Property[];
}

/** Largest id that a file may give to an object: the sequence keeps room below 2^53. */
const largestId = 2 ** 52;

/** Turns features into rows to be staged, and learns the properties on the way. Throws naming the feature. */
export function createRowMaker(rules: RowRules, remark: Remarker): RowMaker {
  const properties: Property[] = [];
  const indexes = new Map<string, number>();
  const declared = new Map<string, Declaration>();
  const indexOf = (name: string): number => {
    const known = indexes.get(name);
    if (known !== undefined) return known;
    indexes.set(name, properties.length);
    return properties.push({ ...newProperty(name, properties, rules), declared: declared.get(name) }) - 1;
  };
  return {
    properties,
    declare(fields) {
      for (const { code, title, type } of fields) {
        // Languages of a column share its title.
        const isOne = fields.filter((other) => other.title === title).length === 1;
        declared.set(code, { type, title: isOne && title ? title : code });
      }
    },
    declared: (name) => declared.get(name)?.type,
    expect: (names) => {
      for (const name of names) if (name !== 'svc_id') indexOf(name);
    },
    row(feature, tolerance) {
      // Of GeoJSON it names the feature already.
      if (feature.error) throw named(feature, feature.error);
      try {
        const geometry = readyOf(feature, remark, tolerance);
        return { row: rowOf(feature, geometry, { properties, indexOf }), geometry };
      } catch (error) {
        throw inFeature(feature, error);
      }
    },
  };
}

const named = (feature: RawFeature, error: ServiceError): unknown =>
  error.data.feature === feature.number ? error : inFeature(feature, error);

/** Adds the feature's number, and its line where it is known, to what went wrong in it. */
function inFeature({ number, line }: RawFeature, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, message, data, status } = error;
  const where = line === undefined ? `Feature ${number}` : `Feature ${number} (line ${line})`;
  const place = line === undefined ? { feature: number } : { feature: number, line };
  return new ServiceError(code, `${where}: ${message}`, { ...data, ...place }, status);
}

function readyOf(
  { ready, geometry, number }: RawFeature,
  remark: Remarker,
  tolerance?: number,
): ReadyGeometry | null {
  if (ready) return ready;
  if (geometry === null) return null;
  try {
    return checkedOf(geometry, tolerance);
  } catch (error) {
    const mended = mendGeometry(geometry);
    if (!mended) throw error;
    const checked = mended.geometry && checkedOf(mended.geometry, tolerance);
    if (mended.lines) remark('line of one position', 'stored with that position twice', number);
    return checked;
  }
}

function checkedOf(geometry: unknown, tolerance?: number): ReadyGeometry {
  const box = emptyExtent();
  const { checked, isMoved } = checkFileGeometry(geometry, box, tolerance);
  return { ewkb: toEwkb(checked), type: checked.type, box, isMoved };
}

interface Names {
  properties: readonly Property[];
  indexOf(name: string): number;
}

function rowOf(
  feature: RawFeature,
  geometry: ReadyGeometry | null,
  { properties, indexOf }: Names,
): StagedRow {
  const id = idOf(feature);
  let values = '';
  const put = (name: string, value: unknown): void => {
    const index = indexOf(name);
    const staged = stagedValue(properties[index]!, value, feature.texts);
    if (staged !== undefined) values += `${values && ','}"${index}":${jsonOf(staged)}`;
  };
  for (const name in feature.properties) if (name !== 'svc_id') put(name, feature.properties[name]);
  if (id === null && isKept(feature)) put('id', feature.id);
  return [feature.number, id, geometry?.ewkb ?? null, `{${values}}`];
}

/** As JSON.stringify has it, which takes several times as long for numbers. */
const jsonOf = (value: unknown): string =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : JSON.stringify(value);

/** An id that is no number of an object is kept as a property, unless there is one of that name. */
const isKept = ({ id, properties }: RawFeature): boolean =>
  id !== undefined && id !== null && !Object.hasOwn(properties, 'id');

const isId = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= largestId;

/** The object that a feature is: its `id` where that is an integer, or its property svc_id. */
function idOf({ id, properties }: RawFeature): number | null {
  const own = Object.hasOwn(properties, 'svc_id') ? properties.svc_id : null;
  const ofFeature = isId(id) ? id : null;
  if (own === null) return ofFeature;
  if (!isId(own) || (ofFeature !== null && ofFeature !== own)) {
    throw new ServiceError('value_invalid', 'svc_id is not an id of an object, or differs from the id', {
      columns: ['svc_id'],
    });
  }
  return own;
}

function newProperty(name: string, known: readonly Property[], rules: RowRules): Property {
  if (known.length >= rules.propertyLimit) {
    throw new ServiceError(
      'import_failed',
      `the file has more than ${rules.propertyLimit} different properties`,
    );
  }
  if (name.length > 1_000) throw new ServiceError('import_failed', 'the name of a property is too long');
  checkText(name);
  const target = targetOf(name, rules);
  // Of several properties for one language the first that has a value counts.
  const isOnly = target && !target.column.localized_value;
  const twin = isOnly && known.find((other) => other.target?.column === target.column);
  if (twin) {
    const message = `the properties '${twin.name}' and '${name}' both belong into the column ${target.column.code}`;
    throw new ServiceError('import_failed', message);
  }
  return { name, kinds: 0, longest: 0, target };
}

/** A value for a column that stands ready in that column's form; for one that is still to be made, as it is. */
function stagedValue(property: Property, value: unknown, texts: TextRules | undefined): unknown {
  const { target } = property;
  if (texts && target && typeof value === 'string' && target.column.type !== 'file') {
    property.texts ??= newTextUse();
    return convertText(target.column, property.texts, { text: value, rules: texts });
  }
  try {
    note(property, value, texts);
  } catch (error) {
    const { code, message } = error as ServiceError;
    throw new ServiceError(code, `${property.name}: ${message}`, { columns: [property.name] });
  }
  if (!target) return value;
  // Files are not in the import: what an export wrote of them is passed over.
  if (target.column.type === 'file') return null;
  const accepted = acceptValue(target.column, value);
  return target.column.type === 'json' ? value : accepted;
}
