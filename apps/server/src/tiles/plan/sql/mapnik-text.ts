import { literal, type Sql } from '@cartulary/sql';

/**
 * SQL text for Mapnik's postgis plugin, which binds no values: values become literals. Mapnik replaces tokens such as
 * `!bbox!`, `!pixel_width!` and `!@name!` even inside literals, and a replacement could end the literal. So exclamation
 * marks of values are written as chr(33). Throws for values other than strings, finite
 * numbers, booleans, null, and arrays of them.
 */
export function mapnikText(part: Sql): string {
  return part.text.map((text, i) => (i ? inline(part.values[i - 1]) : '') + text).join('');
}

function inline(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  if (Array.isArray(value)) return `array[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'string') throw new Error('this value cannot be written for Mapnik');
  const pieces = value.split('!').map((piece) => literal(piece).text[0]!.trim());
  return pieces.length === 1 ? pieces[0]! : `(${pieces.join(' || chr(33) || ')})`;
}
