import { shownName } from '../containers/names.js';
import type { Column } from '../layers/layers.js';
import { displayValue } from '../layers/types.js';
import type { Section } from './content.js';

/** Characters of one value, and of all, that are set: beyond what the pages of a card hold. */
const longestValue = 300_000;
const longestAll = 1_500_000;

interface Values {
  columns: readonly Column[];
  /** As the interface returns them, by the id of the column; json as text. */
  values: ReadonlyMap<number, unknown>;
  lng: string;
  main: string;
}

/** The fields that have a value, under the titles that group them, in the order of the structure. Files are shown as pictures, not here. */
export function sectionsOf({ columns, values, lng, main }: Values): Section[] {
  const sections: Section[] = [];
  const headings = new Map<number, string>();
  let group: number | null = null;
  let left = longestAll;
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
    const row = { label, value: value.slice(0, Math.min(longestValue, left)) };
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

/** A value as f=fjson gives it, as text; empty where there is none. */
function shownValue(column: Column, value: unknown, lng: string): string {
  if (value === null || value === undefined) return '';
  return String(column.format && column.type !== 'json' ? displayValue(column, value, lng) : value);
}

/** The first text of a column of type string that is not empty; undefined when there is none. */
export function nameOf(columns: readonly Column[], values: ReadonlyMap<number, unknown>): string | undefined {
  for (const { id, type } of columns) {
    const value = type === 'string' ? values.get(id) : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}
