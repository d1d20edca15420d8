import pg from 'pg';

/** Numbers of types in pg_type, https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const oid = { int8: 20, date: 1082, timestamp: 1114, interval: 1186, int8Array: 1016 } as const;

/** A whole number as a number while it is exact, else as text. */
const wholeNumber = (text: string): number | string => {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : text;
};

const asText = (text: string): string => text;
const arrayOfText = pg.types.getTypeParser(1009 as number) as (text: string) => (string | null)[];

const own: Record<number, (text: string) => unknown> = {
  [oid.int8]: wholeNumber,
  [oid.int8Array]: (text) => arrayOfText(text).map((item) => (item === null ? null : wholeNumber(item))),
  // A Date would move them by this machine's time zone.
  [oid.date]: asText,
  [oid.timestamp]: asText,
  [oid.interval]: asText,
};

/**
 * How values come out of the database. int8 is a number when it is exact, else text; numeric, date, timestamp and
 * interval are text; timestamptz is a Date; json and jsonb are parsed; bytea is a Buffer; other types as `pg` has them.
 */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((number: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && own[number]) ||
    pg.types.getTypeParser(number, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};
