import type { ColumnType } from '@cartulary/columns';
import { noteOf } from '@cartulary/errors/notes';
import type { Geometry } from 'geojson';
import { positionsOf } from '../coordinates.js';
import type { RawFeature } from '../raw-feature.js';
import { geometryCode, type OwnArchive, wholeFile } from './own-archive.js';
import { partFinder } from './part-finder.js';
import { openWholeValues, type WholeValue, type WholeValues } from './whole-values.js';

/** Restores the features of an own export from its columns and the values that its format changed. */
export interface Restorer {
  /** Undefined for a part of a geometry that was restored as a whole. */
  feature(feature: RawFeature): RawFeature | undefined;
  /** Notes for the report, after all features are read. */
  notes(): string[];
  close(): void;
}

export function createRestorer({
  fields,
  whole,
  emptyIsNone = false,
  keepsHeights = false,
}: OwnArchive): Restorer {
  const byName = new Map(fields.map((field) => [field.name, field]));
  // Some programs change the letters of names. Of names that differ in them alone each is its own column.
  const byLetters = new Map(fields.map((field) => [field.name.toLowerCase(), field]));
  const values = whole === undefined ? undefined : openWholeValues(whole);
  const knownOf = values ? knownValues(values) : () => nothingKnown;
  const counts = { restored: 0, changed: 0 };
  const changed: string[] = [];
  const note = (isRestored: boolean, id: number, code: string): void => {
    if (isRestored) counts.restored++;
    else if (counts.changed++ < listedChanges) changed.push(`${code} of ${id}`);
  };
  return {
    notes: () => restoreNotes(counts, changed),
    feature(feature) {
      if (feature.error) return feature;
      const properties = Object.create(null) as Record<string, unknown>;
      const types = new Map<string, ColumnType>();
      for (const name in feature.properties) {
        const field = byName.get(name) ?? byLetters.get(name.toLowerCase());
        const value = feature.properties[name];
        properties[field?.code ?? name] = emptyIsNone && value === '' ? null : value;
        if (field) types.set(field.code, field.type);
      }
      const id = Number(properties.svc_id);
      const own = keepsHeights ? feature.geometry : withoutZeros(feature.geometry);
      const made: RawFeature = { ...feature, properties, geometry: own };
      // All columns are typed, so texts need no type detection.
      delete made.texts;
      const { known, shape, geometry, isPart } = knownOf(id);
      const isSame = isPart(made.geometry as Geometry | null);
      if (id < 0) {
        // A part that was changed after the export becomes a separate object.
        if (isSame) return undefined;
        properties.svc_id = null;
      } else {
        if (isSame) made.geometry = geometry;
        if (shape) note(isSame, id, geometryCode);
        for (const { code, whole: value, written } of known) {
          if (!types.has(code)) continue;
          const isHere = isAsWritten(properties[code], written);
          if (isHere) properties[code] = value;
          note(isHere, id, code);
        }
      }
      for (const [code, type] of types)
        if (code !== 'svc_id') properties[code] = typed(properties[code], type);
      return made;
    },
    close: () => values?.close(),
  };
}

/** The values of an object that its format has changed. */
interface KnownValues {
  known: readonly WholeValue[];
  shape: WholeValue | undefined;
  geometry: Geometry | null;
  /** Whether a geometry is one that an export makes of the whole one. */
  isPart(geometry: Geometry | null): boolean;
}

const nothingKnown: KnownValues = { known: [], shape: undefined, geometry: null, isPart: () => false };

/**
 * Finds the values of the object of a feature by its id; that of a part is negative. Parts follow each other, so those of the last object
 * are kept. An object occurs once: a small file could otherwise repeat a long text without end.
 */
function knownValues(values: WholeValues): (id: number) => KnownValues {
  const seen = new Set<number>();
  let last = { id: 0, found: nothingKnown };
  return (id) => {
    if (!Number.isSafeInteger(id) || seen.has(id)) return nothingKnown;
    const own = Math.abs(id);
    if (last.id !== own) last = { id: own, found: found(values.of(own)) };
    if (id > 0 && last.found.known.length) seen.add(id);
    return last.found;
  };
}

function found(known: readonly WholeValue[]): KnownValues {
  const shape = known.find(({ code }) => code === geometryCode);
  try {
    const geometry = shape ? (JSON.parse(shape.whole ?? 'null') as Geometry | null) : null;
    return { known, shape, geometry, isPart: geometry ? partFinder(geometry) : () => false };
  } catch {
    // The file was edited: its geometry is none.
    return { ...nothingKnown, known, shape };
  }
}

function restoreNotes(counts: { restored: number; changed: number }, changed: readonly string[]): string[] {
  const notes: string[] = [];
  if (counts.restored) notes.push(noteOf('valuesRestored', { count: counts.restored, file: wholeFile }));
  if (counts.changed) {
    const values = changed.join(', ') + (counts.changed > changed.length ? ', …' : '');
    notes.push(noteOf('valuesChanged', { count: counts.changed, file: wholeFile, values }));
  }
  return notes;
}

/** Maximum number of changed values that the report names. */
const listedChanges = 50;

/** Whether a value is still the one that the export wrote. Formats treat line breaks, quotation marks and blanks differently. */
function isAsWritten(value: unknown, written: string): boolean {
  if (typeof value === 'number') return value === Number(written);
  if (typeof value === 'boolean') return value === (written === '1' || written === 'true');
  return bare(String(value ?? '')) === bare(written);
}

const bare = (text: string): string => text.replace(/\\[nrt]|[\s\p{Cc}\\"]/gu, '');

/** Converts a value to the type of its column; a value that does not fit stays unchanged. */
function typed(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'json':
      return typeof value === 'string' ? parsed(value) : value;
    case 'number':
      return typeof value === 'string' && /^\s*[-+.\d]/.test(value) && !Number.isNaN(Number(value))
        ? Number(value)
        : value;
    case 'bool':
      return value === 1 || value === '1' || value === 'true'
        ? true
        : value === 0 || value === '0' || value === 'false'
          ? false
          : value;
    case 'string':
    case 'text':
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    default:
      return value;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A file of most formats has heights for all geometries or none. Geometries that had none get heights of 0. */
function withoutZeros(geometry: unknown): unknown {
  const { type, coordinates, geometries } = (geometry ?? {}) as Partial<Record<string, unknown>>;
  if (type === 'GeometryCollection' && Array.isArray(geometries))
    return { type, geometries: geometries.map(withoutZeros) };
  if (!Array.isArray(coordinates)) return geometry;
  return positionsOf(geometry).every(([, , z = 0]) => z === 0)
    ? { type, coordinates: flat(coordinates) }
    : geometry;
}

const flat = (value: unknown[]): unknown[] =>
  typeof value[0] === 'number' ? value.slice(0, 2) : value.map((part) => flat(part as unknown[]));
