import { readFileSync } from 'node:fs';
import type { ColumnType } from '../../layers/layers.js';

/** Files of an archive of our own beside its data: its columns, and the values that its format changes. */
export const fieldsFile = 'fields.csv';
export const wholeFile = 'whole_texts.csv';
export const fieldsHead = ['name', 'code', 'title', 'type'] as const;
export const wholeHead = ['svc_id', 'code', 'text', 'written'] as const;

/** The code under which a geometry stands among the values: GeoJSON. */
export const geometryCode = 'geom';

/** A column as its export describes it. */
export interface OwnField {
  /** In the file. */
  name: string;
  code: string;
  title: string;
  type: ColumnType;
}

/** What an export of ours tells of its data. */
export interface OwnArchive {
  fields: readonly OwnField[];
  /** Path of the values that its format changes; undefined: there are none. */
  whole: string | undefined;
  /** Empty texts are none, unless they stand among those values. */
  emptyIsNone?: boolean;
}

/** What stands with a column in formats that describe their columns: title and type. */
export const ownDescription = (title: string, type: ColumnType): string => `${title} (Cartulary: ${type})`;

const descriptionForm = /^([\s\S]*) \(Cartulary: (number|string|text|datetime|bool|json|file)\)$/;

/** A column by its description; undefined where no export of ours made it. */
export function describedField(name: string, description = ''): OwnField | undefined {
  const [, title, type] = descriptionForm.exec(description) ?? [];
  return title === undefined ? undefined : { name, code: name, title, type: type as ColumnType };
}

/** The columns that a file lists; undefined where it is no list of an export of ours. */
export function ownFields(path: string): OwnField[] | undefined {
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

/** A record of these lists; null is an empty cell, an empty text has quotation marks. */
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
