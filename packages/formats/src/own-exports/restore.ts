import type { ColumnType } from '@cartulary/columns';
import { noteOf } from '@cartulary/errors/notes';
import type { Geometry, Position } from 'geojson';
import { takeApart } from '../geometry-parts.js';
import type { RawFeature } from '../raw-feature.js';
import { geometryCode, type OwnArchive, wholeFile } from './own-archive.js';
import { openWholeValues } from './whole-values.js';

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
      const known = values && Number.isSafeInteger(id) ? values.of(Math.abs(id)) : [];
      const shape = known.find(({ code }) => code === geometryCode);
      const geometry = shape && (JSON.parse(shape.whole ?? 'null') as Geometry);
      const isSame = geometry ? isPartOf(made.geometry as Geometry | null, geometry) : false;
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
  return positionsOf(geometry as Geometry).every(([, , z = 0]) => z === 0)
    ? { type, coordinates: flat(coordinates) }
    : geometry;
}

const flat = (value: unknown[]): unknown[] =>
  typeof value[0] === 'number' ? value.slice(0, 2) : value.map((part) => flat(part as unknown[]));

function positionsOf(geometry: Geometry): Position[] {
  if (geometry.type === 'GeometryCollection') return geometry.geometries.flatMap(positionsOf);
  const all = (value: unknown): Position[] =>
    Array.isArray(value) && typeof value[0] === 'number'
      ? [value as Position]
      : (value as unknown[]).flatMap(all);
  return all(geometry.coordinates);
}

/** Maximum distance of equal positions in degrees, since formats round them. */
const tolerance = 1e-6;

/** Whether a geometry is one that an export makes of another one. */
function isPartOf(part: Geometry | null, whole: Geometry): boolean {
  if (!part) return false;
  const sums = sumsOf(part);
  const parts = [
    whole,
    ...takeApart(whole, ['GeometryCollection']),
    ...takeApart(whole, ['GeometryCollection', 'MultiPoint']),
  ];
  return parts.some((own) => {
    const others = sumsOf(own);
    return (
      sums.count === others.count &&
      sums.values.every((sum, i) => Math.abs(sum - others.values[i]!) <= tolerance * sums.count)
    );
  });
}

/** Sums of coordinates and of their squares, which do not depend on where a ring begins or on its direction. */
function sumsOf(geometry: Geometry): { count: number; values: number[] } {
  // A ring repeats its first position, wherever it begins.
  const different = new Map(positionsOf(geometry).map(([x, y]) => [`${x},${y}`, [x!, y!] as const]));
  const values = [0, 0, 0, 0];
  for (const [x, y] of different.values()) {
    values[0]! += x;
    values[1]! += y;
    values[2]! += (x * x) / 360;
    values[3]! += (y * y) / 180;
  }
  return { count: different.size, values };
}
