import type { ColumnDetails } from '@cartulary/client';

/** The text of a value in an editor. */
export function editText({ type }: Pick<ColumnDetails, 'type'>, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (type === 'json') return JSON.stringify(value, null, 1);
  return String(value);
}

/** The value that a text of an editor stands for. What is no value of the type is left to the service, which says so. */
export function valueIn({ type }: Pick<ColumnDetails, 'type'>, text: string): unknown {
  if (text === '') return null;
  if (type === 'number') return numberOf(text);
  if (type === 'bool') return text === 'true';
  if (type === 'json') return jsonOf(text);
  return text;
}

/** Accepts spaces between digits and a decimal comma, as many languages write them. */
function numberOf(text: string): unknown {
  const plain = text.replace(/[\s\u00a0\u202f]/g, '').replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  const number = Number(plain);
  return plain !== '' && Number.isFinite(number) ? number : text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Whether two values are stored alike. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
