import { type Column, displayValue } from '@cartulary/columns';
import { shownName } from '../containers/names.js';

import type { Section } from './content.js';

/** Limits of the characters of one value and of all values: more than the pages can hold. */
const maxValueCharacters = 300_000;
const maxCharacters = 1_500_000;

interface Values {
  columns: readonly Column[];
  /** Values as the interface returns them, by column id; JSON as text. */
  values: ReadonlyMap<number, unknown>;
  lng: string;
  main: string;
}

/** The non-empty fields, grouped by their titles, in the order of the structure. Files appear as pictures instead. */
export function sectionsOf({ columns, values, lng, main }: Values): Section[] {
  const sections: Section[] = [];
  const headings = new Map<number, string>();
  let group: number | null = null;
  let left = maxCharacters;
  for (const column of columns) {
    const label = shownName(column, [lng, main]) || column.code;
    if (column.type === 'title') {
      const above = column.parent_id === null ? undefined : headings.get(column.parent_id);
      headings.set(column.id, above === undefined ? label : `${above} · ${label}`);
      continue;
    }
    const value = column.type === 'file' ? '' : shownValue(column, values.get(column.id), lng);
    if (value.trim() === '') continue;
    const last = sections.at(-1);
    const row = { label, value: value.slice(0, Math.min(maxValueCharacters, left)) };
    left -= row.value.length;
    if (last && group === column.parent_id) last.rows.push(row);
    else {
      group = column.parent_id;
      sections.push({ heading: group === null ? null : (headings.get(group) ?? null), rows: [row] });
    }
    if (left <= 0) break;
  }
  return sections;
}

/** A value in the form of f=fjson, as text; empty for none. */
function shownValue(column: Column, value: unknown, lng: string): string {
  if (value === null || value === undefined) return '';
  return String(column.format && column.type !== 'json' ? displayValue(column, value, lng) : value);
}

/** The first non-empty value of a string column; undefined: there is none. */
export function objectName(
  columns: readonly Column[],
  values: ReadonlyMap<number, unknown>,
): string | undefined {
  for (const { id, type } of columns) {
    const value = type === 'string' ? values.get(id) : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}
