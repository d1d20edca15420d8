/*
 * Parses values of a dBase record in their usual form directly from bytes, without intermediate strings. Returns
 * undefined for unusual or invalid values, which `dbfValue` handles.
 */

const [space, minus, point, zero, nine] = [0x20, 0x2d, 0x2e, 0x30, 0x39];

/** Powers of ten that a double represents exactly. */
const tens = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/**
 * Parses digits with at most one point and a minus; null for a blank field. If the digits without the point form an
 * exact integer, dividing it by the power of ten rounds only once, as parsing the text would (Clinger 1990, "How to read
 * floating point numbers accurately").
 */
export function plainNumber(record: Buffer, from: number, length: number): number | null | undefined {
  let end = from + length;
  while (end > from && record[end - 1] === space) end--;
  let at = from;
  while (at < end && record[at] === space) at++;
  if (at === end) return null;
  const start = at;
  const isNegative = record[at] === minus;
  if (isNegative) at++;
  let whole = 0;
  let digits = 0;
  let points = 0;
  let decimals = 0;
  for (; at < end; at++) {
    const code = record[at]!;
    if (code >= zero && code <= nine) {
      whole = 10 * whole + code - zero;
      digits++;
      decimals += points;
    } else if (code === point) points++;
    else return undefined;
  }
  if (!digits || points > 1) return undefined;
  const isExact = whole <= Number.MAX_SAFE_INTEGER && decimals < tens.length;
  const value = isExact ? whole / tens[decimals]! : Number(record.toString('latin1', start, end));
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return undefined;
  // -0 becomes 0, because an export would not restore it.
  return isExact && isNegative && whole ? -value : value + 0;
}

/** The extent of a text in a record, and whether all its bytes are ASCII. */
export interface PlainText {
  /** Index after the last byte that is not blank. */
  end: number;
  isAscii: boolean;
}

const found: PlainText = { end: 0, isAscii: true };

/** Finds where a text ends; returns the same object each time. Undefined if the text contains the character 0. */
export function asciiText(record: Buffer, from: number, length: number): PlainText | undefined {
  let end = from + length;
  while (end > from && (record[end - 1] === space || record[end - 1] === 0)) end--;
  let seen = 0;
  for (let at = from; at < end; at++) {
    const code = record[at]!;
    if (code === 0) return undefined;
    seen |= code;
  }
  found.end = end;
  found.isAscii = seen < 0x80;
  return found;
}
