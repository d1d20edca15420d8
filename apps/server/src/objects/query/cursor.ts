import { badRequest } from '@cartulary/errors';
import { join, type Sql, sql } from '@cartulary/sql';
import { sqlTypeOf } from './families.js';
import type { ListOrder, Sort } from './order.js';

/*
 * A cursor says where a list continues: behind the object with these values of the sort columns. Unlike an offset it costs
 * the same at any depth. While others write, an unchanged object is neither repeated nor left out.
 */

/** A position in a list. */
export interface ListCursor {
  /** The values of the sort columns in the text form of the database; null stands for no value. */
  keys: readonly (string | null)[];
  id: number;
}

/** The position before all objects. */
const beginning: ListCursor = { keys: [], id: Number.MIN_SAFE_INTEGER };

/** A cursor is part of an address, so it has a limited length. */
const cursorLimit = 4_000;

/** The sort order in a few characters. A cursor is valid only for lists with this order. */
const orderCode = (sort: readonly Sort[]): string =>
  sort.map(({ column, descending }) => `${column.id}${descending ? 'd' : 'a'}`).join('.');

/** Encodes a cursor; undefined where the text would be too long. */
export function writeCursor({ keys, id }: ListCursor, sort: readonly Sort[]): string | undefined {
  const text = Buffer.from(JSON.stringify([orderCode(sort), id, ...keys])).toString('base64url');
  return text.length > cursorLimit ? undefined : text;
}

const wrong = (why: string) => badRequest(`cursor: ${why}`, { parameters: ['cursor'] });

/** The error for a list that cannot go on, because its end is no cursor. */
export const cursorTooLong = () => wrong('the values that the list is sorted by are too long for it');

/** Decodes a cursor; '' is the beginning. Throws 400 for an invalid cursor, and for one of a list with another order. */
export function readCursor(text: string, sort: readonly Sort[]): ListCursor {
  if (text === '') return beginning;
  const [order, id, ...keys] = partsOf(text);
  if (order !== orderCode(sort) || keys.length !== sort.length)
    throw wrong('belongs to a list that is sorted otherwise');
  const isRight = keys.every(
    (key, i) => key === null || (typeof key === 'string' && isKey(key, sort[i]!.column)),
  );
  if (!Number.isSafeInteger(id) || !isRight) throw wrong('is not one that a list has given');
  return { keys: keys as (string | null)[], id: id as number };
}

function partsOf(text: string): unknown[] {
  if (text.length > cursorLimit || !/^[\w-]+$/.test(text)) throw wrong('is not one that a list has given');
  try {
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Array.isArray(parts)) return parts;
  } catch {}
  throw wrong('is not one that a list has given');
}

/** Whether the database can parse a text as a value of the column. */
function isKey(key: string, { type }: Sort['column']): boolean {
  if (key.includes('\0')) return false;
  if (type === 'bool') return key === 'true' || key === 'false';
  if (type === 'number') return isNumberText(key);
  return type !== 'datetime' || (moment.test(key) && !Number.isNaN(Date.parse(`${key.replace(' ', 'T')}Z`)));
}

const moment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/;

/** Whether a text is a number within the range of a double. */
function isNumberText(key: string): boolean {
  if (/^(-?Infinity|NaN)$/.test(key)) return true;
  if (key.length > 400 || !/^-?\d+(\.\d+)?(e[-+]?\d{1,3})?$/.test(key)) return false;
  const number = Number(key);
  return Number.isFinite(number) && (number !== 0 || !/^-?[\d.]*[1-9]/.test(key));
}

/** A key as text for the cursor. */
export const keyText = ({ type }: Sort['column'], key: Sql): Sql =>
  type === 'datetime' ? sql`to_char(${key}, 'YYYY-MM-DD HH24:MI:SS.US')` : sql`(${key})::text`;

const keyValue = (column: Sort['column'], text: string): Sql =>
  column.type === 'datetime'
    ? sql`(${text}::timestamp at time zone 'UTC')`
    : sql`${text}::${sqlTypeOf(column)}`;

/**
 * The rest of a list behind the cursor as conditions. An object meets at most one of them, they follow the order of the list,
 * and an index of this order holds the objects of each condition side by side.
 */
export function rangesBehind(cursor: ListCursor, { keys, id }: ListOrder): Sql[] {
  if (cursor === beginning) return [sql`true`];
  const ranges: Sql[] = [];
  const same: Sql[] = [];
  const add = (condition: Sql): unknown => ranges.unshift(join([...same, condition], ' and '));
  for (const [i, { column, value, descending }] of keys.entries()) {
    const text = cursor.keys[i]!;
    if (text === null) same.push(sql`${value} is null`);
    else {
      const own = keyValue(column, text);
      add(sql`${value} is null`);
      add(sql`${value} ${descending ? sql`<` : sql`>`} ${own}`);
      same.push(sql`${value} = ${own}`);
    }
  }
  add(sql`${id.value} ${id.descending ? sql`<` : sql`>`} ${cursor.id}::bigint`);
  return ranges;
}
