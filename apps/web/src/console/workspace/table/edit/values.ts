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

/** Digits in groups of three: two groups or more, or one and a fraction after the other sign. */
const grouped = /^[+-]?\d{1,3}(?:(?:,\d{3}){2,}|(?:,\d{3})+\.\d+|(?:\.\d{3}){2,}|(?:\.\d{3})+,\d+)$/;

/** One comma before three digits: a fraction in Russian, perhaps a thousand in a page in English. */
const isAmbiguous = (plain: string): boolean =>
  /^[+-]?[1-9]\d{0,2},\d{3}$/.test(plain) && document.documentElement.lang !== 'ru';

/** Accepts groups of three digits and a decimal comma, as many languages write them. What may mean two numbers stays a text. */
function numberOf(text: string): unknown {
  const plain = text.replace(/[\s\u00a0\u202f]/g, '');
  if (isAmbiguous(plain)) return text;
  const group = grouped.test(plain) ? /[.,]/.exec(plain)![0] : '';
  const number = Number(plain.replaceAll(group, '').replace(',', '.'));
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
