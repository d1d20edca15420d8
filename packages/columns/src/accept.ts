import { datetimePattern, earliestMs, latestMs, numberPattern, zonePattern } from './patterns.js';
import { trimmed } from './trimmed.js';

/*
 * What each column type accepts. Each function returns the value in the form in which it is stored, and undefined for
 * a value that the type refuses.
 */

/** Characters of a value of a `string` column. */
export const stringLimit = 4_000;

export const acceptString = (value: unknown): string | undefined => {
  const text = acceptText(value);
  return text !== undefined && isAtMost(text, stringLimit) ? text : undefined;
};

export const acceptBool = (value: unknown): boolean | undefined =>
  bools.get(typeof value === 'string' && value.length < 50 ? trimmed(value).toLowerCase() : value);

const bools = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [1, true],
  ['1', true],
  [false, false],
  ['false', false],
  [0, false],
  ['0', false],
]);

/** File ids separated by commas, each once. The caller checks that they belong to the object. */
export function acceptFiles(value: unknown): string | null | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.trim() === '') return null;
  const ids = value.split(',').map((part) => trimmed(part));
  const isList = ids.every((id) => /^[1-9][0-9]{0,9}$/.test(id)) && new Set(ids).size === ids.length;
  return isList ? ids.join(',') : undefined;
}

const numberForm = new RegExp(numberPattern);
const datetimeForm = new RegExp(datetimePattern);
const zoneForm = new RegExp(zonePattern);

export function acceptNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && numberForm.test(value) ? Number(value) : value;
  return typeof number === 'number' && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : undefined;
}

/** A text that the database can store: no NUL, no unpaired surrogate. */
export function acceptText(value: unknown): string | undefined {
  return typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value) ? value : undefined;
}

/** Counts code points, as the database does. */
const isAtMost = (text: string, limit: number): boolean =>
  text.length <= limit || (text.length <= 2 * limit && [...text].length <= limit);

export function acceptDatetime(value: unknown): string | undefined {
  const ms = typeof value === 'string' ? parseDatetime(value) : value;
  if (typeof ms !== 'number' || !(ms >= earliestMs && ms <= latestMs)) return undefined;
  return new Date(ms).toISOString();
}

/** Milliseconds since 1970 of an ISO 8601 text, in UTC unless it names a zone. undefined: not a datetime. */
function parseDatetime(text: string): number | undefined {
  if (!datetimeForm.test(text)) return undefined;
  const [, date, clock, offset] = /^(\S{10})[Tt ]?([\d:.,]*) ?(.*)$/.exec(trimmed(text))!;
  const zone = /^[+-]/.test(offset!)
    ? `${offset!.slice(0, 3)}:${offset!.slice(3).replace(':', '') || '00'}`
    : 'Z';
  return Date.parse(`${date}T${(clock || '00:00').replace(',', '.')}${zoneForm.test(text) ? zone : 'Z'}`);
}

export function acceptJson(value: unknown): unknown {
  if (isEndless(value) || exceedsLimits(value)) return undefined;
  const text = JSON.stringify(value);
  // jsonb refuses an escaped NUL and an unpaired surrogate.
  return text === undefined || /(?<!\\)(\\\\)*\\u(0000|d[89a-f])/i.test(text) ? undefined : value;
}

/** Whether a number was too large for its parser, as 1e400 is. JSON would write it as null. */
const isEndless = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

/** Levels of a JSON value: its readers recurse. */
const jsonDepthLimit = 200;
/** Members of a JSON value: it is serialized in one piece. */
const jsonMemberLimit = 100_000;

function exceedsLimits(value: unknown): boolean {
  let level: unknown[] = [value];
  let members = 1;
  for (let depth = 0; level.length; depth++) {
    if (depth > jsonDepthLimit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      const parts = Object.values(item);
      members += parts.length;
      if (members > jsonMemberLimit) return true;
      if (parts.some(isEndless)) return true;
      for (const part of parts) if (typeof part === 'object' && part !== null) next.push(part);
    }
    level = next;
  }
  return false;
}
