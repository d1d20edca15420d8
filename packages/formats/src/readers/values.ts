import type { SourceField } from '../engine/orders.js';

/** Converts a value of a dump: to a number, boolean, JSON, ISO 8601 date, else text. */
export function ogrValue({ type, subType }: SourceField, text: string): unknown {
  switch (type) {
    case 'Integer':
      return subType === 'Boolean' ? text === '1' || text === 't' : Number(text);
    case 'Integer64': {
      const number = Number(text);
      // A JavaScript number may not represent it exactly.
      return Number.isSafeInteger(number) ? number : text;
    }
    case 'Decimal': {
      const number = Number(text);
      // Digits of a fraction may be rounded, those before it not.
      return Number.isSafeInteger(Math.trunc(number)) ? number : text;
    }
    case 'Real':
      return realOf(text);
    case 'Date':
      return text.replaceAll('/', '-');
    case 'DateTime':
      return datetimeOf(text);
    case 'String':
      if (subType === 'Boolean') return logicalOf(text);
      return subType === 'JSON' ? jsonOf(text) : text;
    default:
      return text;
  }
}

/** `T`, `F`, or nothing. */
function logicalOf(text: string): boolean | null {
  return /^[ty1]/i.test(text) ? true : /^[fn0]/i.test(text) ? false : null;
}

/** NaN becomes null. Infinite numbers are refused later with the number of the row. */
function realOf(text: string): number | null {
  const number = /^-?inf/i.test(text) ? Number.POSITIVE_INFINITY : Number(text);
  return Number.isNaN(number) ? null : number;
}

/** `2024/05/01 12:30:00+03` as ISO 8601; a time without a zone stays without. */
function datetimeOf(text: string): string {
  const match = /^(-?\d+)\/(\d+)\/(\d+) ([\d:.]+)([+-]\d\d)?:?(\d\d)?$/.exec(text);
  if (!match) return text;
  const [, year, month, day, time, hours, minutes] = match;
  const zone = hours ? `${hours}:${minutes ?? '00'}` : '';
  return `${year}-${month}-${day}T${time}${zone === '+00:00' ? 'Z' : zone}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
