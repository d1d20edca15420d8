import { readFileSync, statSync } from 'node:fs';
import type { ColumnType } from '@cartulary/columns';

/** Files beside the data in an archive of our own: its columns, and the values that its format changes. */
export const fieldsFile = 'fields.csv';
export const wholeFile = 'whole_texts.csv';
export const fieldsHead = ['name', 'code', 'title', 'type'] as const;
export const wholeHead = ['svc_id', 'code', 'text', 'written'] as const;

/** The code of the geometry in the list of values, where it is GeoJSON. */
export const geometryCode = 'geom';

/** A column as its export describes it. */
export interface OwnField {
  /** Name in the file. */
  name: string;
  code: string;
  title: string;
  type: ColumnType;
}

/** The columns and values that an own export declares beside its data. */
export interface OwnArchive {
  fields: readonly OwnField[];
  /** Path of the list of values that the format changes; undefined if there is none. */
  whole: string | undefined;
  /** Whether empty texts are null unless they are in that list. */
  emptyIsNone?: boolean;
  /** Whether its format distinguishes geometries without heights from those with heights of 0. */
  keepsHeights?: boolean;
}

/** The description of a column, in formats that have one: title, type, and its code if it is named otherwise there. */
export const ownDescription = (title: string, type: ColumnType, code?: string): string =>
  `${title} (Cartulary: ${type}${code === undefined ? '' : `, ${code}`})`;

const descriptionForm = /^([\s\S]*) \(Cartulary: (number|string|text|datetime|bool|json|file)(?:, (\w+))?\)$/;

/** Parses the description of a column; undefined if it is not from an own export. */
export function describedField(name: string, description = ''): OwnField | undefined {
  const [, title, type, code = name] = descriptionForm.exec(description) ?? [];
  return title === undefined ? undefined : { name, code, title, type: type as ColumnType };
}

/** Largest list of columns, bytes: of a thousand columns it has about 100 KB. */
const largestFields = 16 * 1024 * 1024;

/** Parses a list of columns; undefined if it is not from an own export. */
export function ownFields(path: string): OwnField[] | undefined {
  if (statSync(path).size > largestFields) return undefined;
  const [head, ...rows] = ownRecords(readFileSync(path, 'utf8'));
  if (head?.join() !== fieldsHead.join()) return undefined;
  return rows.map(([name, code, title, type]) => ({
    name: name ?? '',
    code: code ?? '',
    title: title ?? '',
    type: (type ?? 'string') as ColumnType,
  }));
}

const quoted = (value: unknown): string => (value === null ? '' : `"${String(value).replaceAll('"', '""')}"`);

/** A record of these lists. Null is an empty cell; an empty text is quoted. */
export const ownRecord = (cells: readonly unknown[]): string => `${cells.map(quoted).join(';')}\r\n`;

/** The cells of records as `ownRecord` writes them. */
export function ownRecords(text: string): (string | null)[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r?\n|$)/y;
  cell.lastIndex = text.startsWith('\ufeff') ? 1 : 0;
  const records: (string | null)[][] = [];
  let record: (string | null)[] = [];
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (!match) break;
    const [, within, bare, end] = match;
    record.push(within === undefined ? bare || null : within.replaceAll('""', '"'));
    if (end === ';') continue;
    records.push(record);
    record = [];
  }
  return records;
}
