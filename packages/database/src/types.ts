import pg from 'pg';

/** Oids of types, https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const oid = { int8: 20, date: 1082, timestamp: 1114, interval: 1186, int8Array: 1016 } as const;

/** A number where that is exact, else text. */
const wholeNumber = (text: string): number | string => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
};

const asText = (text: string): string => text;
const arrayOfText = pg.types.getTypeParser(1009 as number) as (text: string) => (string | null)[];

const parsers: Record<number, (text: string) => unknown> = {
  [oid.int8]: wholeNumber,
  [oid.int8Array]: (text) => arrayOfText(text).map((item) => (item === null ? null : wholeNumber(item))),
  // A Date would apply the time zone of this machine.
  [oid.date]: asText,
  [oid.timestamp]: asText,
  [oid.interval]: asText,
};

/**
 * Parsers of values. int8 becomes a number when that is exact, else text; numeric, date, timestamp and interval stay text; timestamptz
 * becomes a Date; json and jsonb are parsed; bytea becomes a Buffer; other types as in `pg`.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((number: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[number]) ||
    pg.types.getTypeParser(number, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};
