import { badRequest, type ServiceError } from '@cartulary/errors';

/** Reads one value of a request. An absent value or null becomes the default. Throws 400 that names `at`. */
export type FieldReader<T> = (value: unknown, at: string) => T;

export const wrong = (at: string, expected: string): ServiceError =>
  badRequest(`${at} is ${expected}`, { parameters: [at] });

const orDefault =
  <T>(initial: T, read: FieldReader<T>): FieldReader<T> =>
  (value, at) =>
    value === undefined || value === null ? initial : read(value, at);

export const number = <T extends number | null>(
  initial: T,
  min: number,
  max: number,
): FieldReader<number | T> =>
  orDefault<number | T>(initial, (value, at) => {
    if (typeof value !== 'number' || !(value >= min && value <= max))
      throw wrong(at, `a number from ${min} to ${max}`);
    return value;
  });

export const whole = (initial: number, min: number, max: number): FieldReader<number> =>
  orDefault(initial, (value, at) => {
    if (!Number.isInteger(value) || Number(value) < min || Number(value) > max)
      throw wrong(at, `a whole number from ${min} to ${max}`);
    return Number(value);
  });

export const flag = (initial: boolean): FieldReader<boolean> =>
  orDefault(initial, (value, at) => {
    if (typeof value !== 'boolean') throw wrong(at, 'true or false');
    return value;
  });

export const choice = <T extends string | number>(initial: T, allowed: readonly T[]): FieldReader<T> =>
  orDefault(initial, (value, at) => {
    if (!allowed.includes(value as T)) throw wrong(at, `one of ${allowed.join(', ')}`);
    return value as T;
  });

export const text = (initial: string, maxLength = 1000): FieldReader<string> =>
  orDefault(initial, (value, at) => {
    if (typeof value !== 'string' || value.length > maxLength)
      throw wrong(at, `a text of at most ${maxLength} characters`);
    return value;
  });

/** `#rrggbb`, `#rgb` or `rgb(r, g, b)`, normalized to `#rrggbb`. */
export const color = <T extends string | null>(initial: T): FieldReader<string | T> =>
  orDefault<string | T>(initial, (value, at) => {
    const found =
      typeof value === 'string' && value.length < 40 ? hexOf(value.trim().toLowerCase()) : undefined;
    if (found === undefined) throw wrong(at, 'a colour: #rrggbb, #rgb or rgb(r, g, b)');
    return found;
  });

function hexOf(value: string): string | undefined {
  if (/^#[0-9a-f]{6}$/.test(value)) return value;
  if (/^#[0-9a-f]{3}$/.test(value)) return `#${[...value.slice(1)].map((digit) => digit + digit).join('')}`;
  const parts = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value)?.slice(1).map(Number);
  if (!parts || parts.some((part) => part > 255)) return undefined;
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** An object with these fields. Other fields are dropped. */
export const record =
  <F extends Record<string, FieldReader<unknown>>>(
    fields: F,
  ): FieldReader<{ [K in keyof F]: ReturnType<F[K]> }> =>
  (value, at) => {
    const sent = asObject(value, at);
    const read = Object.entries(fields).map(([key, field]) => [
      key,
      field(Object.hasOwn(sent, key) ? sent[key] : undefined, `${at}.${key}`),
    ]);
    return Object.fromEntries(read);
  };

/** An object with these fields. Other fields are refused. */
export const exactly =
  <F extends Record<string, FieldReader<unknown>>>(
    fields: F,
  ): FieldReader<{ [K in keyof F]: ReturnType<F[K]> }> =>
  (value, at) => {
    const known = Object.keys(fields);
    const other = Object.keys(asObject(value, at)).find((key) => !known.includes(key));
    if (other !== undefined)
      throw wrong(`${at}.${other.slice(0, 60)}`, `unknown; there are ${known.join(', ')}`);
    return record(fields)(value, at);
  };

export function asObject(value: unknown, at: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw wrong(at, 'an object');
  return value as Record<string, unknown>;
}

/** A list of at most `limit` items. An absent list is undefined. */
export const listField =
  <T>(item: FieldReader<T>, limit: number): FieldReader<T[] | undefined> =>
  (value, at) => {
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value) || value.length > limit) throw wrong(at, `an array of at most ${limit}`);
    return value.map((one, i) => item(one, `${at}[${i}]`));
  };
