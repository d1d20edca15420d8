/*
 * Values of a dBase record as they are usually written, out of its bytes without the detour of strings. Undefined for all that is
 * unusual or wrong, which is for `dbfValue`.
 */

const [space, minus, point, zero, nine] = [0x20, 0x2d, 0x2e, 0x30, 0x39];

/** Powers of ten that a double holds exactly. */
const tens = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

/**
 * A number of digits, at most one point and a minus; null where there is none. Where its digits, without the point, are an exact
 * integer, dividing that by the power of ten rounds but once, as reading the text would (Clinger 1990, "How to read floating point
 * numbers accurately").
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
  // There is no -0: it would not come back as it was written.
  return isExact && isNegative && whole ? -value : value + 0;
}

/** Whether bytes of a text are ASCII, or anything beyond it is among them. */
export interface PlainText {
  /** Behind the last byte that is no blank. */
  end: number;
  isAscii: boolean;
}

const found: PlainText = { end: 0, isAscii: true };

/** Where a text ends; the same object each time. Undefined where the character 0 is in the middle of it. */
export function plainText(record: Buffer, from: number, length: number): PlainText | undefined {
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
