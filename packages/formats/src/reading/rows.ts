import { acceptValue, type Column, type ColumnType } from '@cartulary/columns';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { checkFileGeometry, emptyExtent, toEwkb } from '@cartulary/geo';
import { mendGeometry } from '../mend-geometry.js';
import type { OwnField } from '../own-exports/own-archive.js';
import {
  checkText,
  columnTargetOf,
  type DeclaredColumn,
  type FeatureProperty,
  hasChosenType,
  note,
  type TargetRules,
} from '../properties.js';
import type { RawFeature } from '../raw-feature.js';
import type { ReadyGeometry } from '../tables/ready-geometry.js';
import { convertText, newTextUse, type TextRules } from '../tables/text-values.js';
import type { Remarker } from './summary.js';

/** A feature in the form for staging, with the types of its values. */
export const stagedColumns = [
  /** Number of the feature in its file, from 1. */
  { name: 'n', type: 'bigint' },
  /** Id of an existing object; null: a new one. */
  { name: 'id', type: 'bigint' },
  { name: 'geom', type: 'geometry' },
  /** JSON object: index of the property → value. */
  { name: 'properties', type: 'jsonb' },
] as const;

export type StagedRow = [n: number, id: number | null, geom: Uint8Array | null, properties: string];

/** Maximum rows and bytes of one COPY, which blocks all other queries of the embedded database. */
export const copyLimits = { rows: 5_000, bytes: 1024 * 1024 };

export interface RowRules extends TargetRules {
  /** Maximum number of properties. */
  propertyLimit: number;
}

export interface RowMaker {
  /** Makes the row and geometry of a feature; null without geometry. For `tolerance` see `checkFileGeometry`. */
  row(feature: RawFeature, tolerance?: number): { row: StagedRow; geometry: ReadyGeometry | null };
  /** Registers property names in their order: JavaScript objects sort numeric keys. */
  expect(names: readonly string[]): void;
  /** Registers the columns that an own export declares. */
  declare(fields: readonly OwnField[]): void;
  /** The type of a column that an own export declares. */
  declared(name: string): ColumnType | undefined;
  /** All properties so far. Rows refer to them by index. */
  readonly properties: readonly FeatureProperty[];
}

/** Largest object id that a file may contain, so that the sequence stays below 2^53. */
const largestId = 2 ** 52;

/** Turns features into rows for staging, and collects their properties. Errors name the feature. */
export function createRowMaker(rules: RowRules, remark: Remarker): RowMaker {
  const properties: FeatureProperty[] = [];
  const indexes = new Map<string, number>();
  const declared = new Map<string, DeclaredColumn>();
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
      // Errors of the GeoJSON reader already name the feature.
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

/** Adds the number of the feature, and its line if known, to an error. */
function inFeature({ number: feature, line }: RawFeature, error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  const { code, message, data, status } = error;
  const place = line === undefined ? { feature } : { feature, line };
  const text =
    line === undefined
      ? noteOf('ofFeature', { feature, reason: message })
      : noteOf('ofLine', { feature, line, reason: message });
  return new ServiceError(code, text, { ...data, ...place }, status);
}

function readyOf(
  { ready, geometry, number }: RawFeature,
  remark: Remarker,
  tolerance?: number,
): ReadyGeometry | null {
  if (ready) return ready;
  if (geometry === null) return null;
  const fourth = (): void => remark(noteOf('longPosition'), noteOf('firstThreeKept'), number);
  try {
    return checkedOf(geometry, fourth, tolerance);
  } catch (error) {
    const mended = mendGeometry(geometry);
    if (!mended) throw error;
    const checked = mended.geometry && checkedOf(mended.geometry, fourth, tolerance);
    if (mended.lines) remark(noteOf('lineOfOnePosition'), noteOf('positionTwice'), number);
    if (mended.rings) remark(noteOf('shortRing'), noteOf('lastPositionAgain'), number);
    return checked;
  }
}

/** `fourth` is told of positions of four numbers, of which three are kept. */
function checkedOf(geometry: unknown, fourth: () => void, tolerance?: number): ReadyGeometry {
  const box = emptyExtent();
  const { checked, isMoved, hasFourth } = checkFileGeometry(geometry, box, tolerance);
  if (hasFourth) fourth();
  return { ewkb: toEwkb(checked), type: checked.type, box, isMoved };
}

interface Names {
  properties: readonly FeatureProperty[];
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

/** Equals JSON.stringify, several times as fast for numbers. */
const jsonOf = (value: unknown): string =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : JSON.stringify(value);

/** An id that is no object id is kept as a property, unless a property has that name. */
const isKept = ({ id, properties }: RawFeature): boolean =>
  id !== undefined && id !== null && !Object.hasOwn(properties, 'id');

const isId = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= largestId;

/** The id of the object that a feature represents: its `id` if that is an integer, or its property svc_id. */
function idOf({ id, properties }: RawFeature): number | null {
  const own = Object.hasOwn(properties, 'svc_id') ? properties.svc_id : null;
  const ofFeature = isId(id) ? id : null;
  if (own === null) return ofFeature;
  if (!isId(own) || (ofFeature !== null && ofFeature !== own)) {
    throw new ServiceError('value_invalid', noteOf('noObjectId'), { columns: ['svc_id'] });
  }
  return own;
}

function newProperty(name: string, known: readonly FeatureProperty[], rules: RowRules): FeatureProperty {
  if (known.length >= rules.propertyLimit) {
    throw new ServiceError('import_failed', noteOf('tooManyProperties', { count: rules.propertyLimit }), {
      columns: [name.slice(0, 100)],
    });
  }
  if (name.length > 1_000) throw new ServiceError('import_failed', noteOf('longPropertyName'));
  checkText(name);
  const blank = { name, kinds: 0, longest: 0, target: undefined };
  if (rules.assigned?.get(name) === 'left out') return { ...blank, isLeftOut: true };
  const target = columnTargetOf(name, rules);
  // Of several properties for one language the first one with a value counts.
  const isOnly = target && !target.column.localized_value;
  const twin = isOnly && known.find((other) => other.target?.column === target.column);
  if (twin) {
    const message = noteOf('sameColumn', { first: twin.name, second: name, column: target.column.code });
    throw new ServiceError('import_failed', message);
  }
  return { ...blank, target };
}

/** A value in the form of its existing column; unchanged for a new column. */
function stagedValue(property: FeatureProperty, value: unknown, texts: TextRules | undefined): unknown {
  const { target } = property;
  if (property.isLeftOut) return undefined;
  if (texts && target && typeof value === 'string' && target.column.type !== 'file') {
    property.texts ??= newTextUse();
    return convertText(target.column, property.texts, { text: value, rules: texts });
  }
  try {
    note(property, value, texts);
  } catch (error) {
    const { code, message } = error as ServiceError;
    const named = noteOf('ofProperty', { property: property.name, reason: message });
    throw new ServiceError(code, named, { columns: [property.name] });
  }
  if (!target) return value;
  // An import has no files, so the values that an export writes for them are ignored.
  if (target.column.type === 'file') return null;
  const accepted = acceptValue(
    target.column,
    hasChosenType(target.column) ? asChosen(target.column, value) : value,
  );
  return target.column.type === 'json' ? value : accepted;
}

/** A value for a new column of a chosen type: of texts, numbers and other values become texts too. */
function asChosen({ type }: Pick<Column, 'type'>, value: unknown): unknown {
  if ((type !== 'string' && type !== 'text') || value === null || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
