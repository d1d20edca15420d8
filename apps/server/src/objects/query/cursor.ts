import { join, type Sql, sql } from '../db/sql.js';
import { badRequest } from '../errors.js';
import { sqlTypeOf } from './comparisons.js';
import type { Order } from './order.js';
import type { Sort } from './query.js';

/*
 * Where a list goes on: behind the object with these values of the columns that it is sorted by. Unlike an offset it costs the same
 * at any depth, and no object that stays as it is comes twice or is left out, whatever is written meanwhile.
 */

/** A place in a list. */
export interface Cursor {
  /** Of the columns of `sort`, as the database writes them; null: no value. */
  keys: readonly (string | null)[];
  id: number;
}

/** Before all objects. */
const beginning: Cursor = { keys: [], id: Number.MIN_SAFE_INTEGER };

/** Longest cursor, characters: it stands in an address. */
const longest = 4_000;

/** How a list is sorted, in a few characters: a cursor is good for lists that are sorted so. */
const orderOf = (sort: readonly Sort[]): string =>
  sort.map(({ column, descending }) => `${column.id}${descending ? 'd' : 'a'}`).join('.');

/** The text of a cursor; undefined where it would be too long. */
export function writeCursor({ keys, id }: Cursor, sort: readonly Sort[]): string | undefined {
  const text = Buffer.from(JSON.stringify([orderOf(sort), id, ...keys])).toString('base64url');
  return text.length > longest ? undefined : text;
}

const wrong = (why: string) => badRequest(`cursor: ${why}`, { parameters: ['cursor'] });

/** A cursor as it was given; '' is the beginning. Throws 400 for one that is none, or of a list that is sorted otherwise. */
export function readCursor(text: string, sort: readonly Sort[]): Cursor {
  if (text === '') return beginning;
  const [order, id, ...keys] = partsOf(text);
  if (order !== orderOf(sort) || keys.length !== sort.length)
    throw wrong('belongs to a list that is sorted otherwise');
  const isRight = keys.every(
    (key, i) => key === null || (typeof key === 'string' && isKey(key, sort[i]!.column)),
  );
  if (!Number.isSafeInteger(id) || !isRight) throw wrong('is not one that a list has given');
  return { keys: keys as (string | null)[], id: id as number };
}

function partsOf(text: string): unknown[] {
  if (text.length > longest || !/^[\w-]+$/.test(text)) throw wrong('is not one that a list has given');
  try {
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Array.isArray(parts)) return parts;
  } catch {}
  throw wrong('is not one that a list has given');
}

/** Whether the database can read a text as a value of the column. */
function isKey(key: string, { type }: Sort['column']): boolean {
  if (key.includes('\0')) return false;
  if (type === 'bool') return key === 'true' || key === 'false';
  if (type === 'number') return isNumberText(key);
  return type !== 'datetime' || (moment.test(key) && !Number.isNaN(Date.parse(`${key.replace(' ', 'T')}Z`)));
}

const moment = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/;

/** One that is neither too large nor too small for a double. */
function isNumberText(key: string): boolean {
  if (/^(-?Infinity|NaN)$/.test(key)) return true;
  if (key.length > 400 || !/^-?\d+(\.\d+)?(e[-+]?\d{1,3})?$/.test(key)) return false;
  const number = Number(key);
  return Number.isFinite(number) && (number !== 0 || !/^-?[\d.]*[1-9]/.test(key));
}

/** A key as it stands in a cursor. */
export const keyText = ({ type }: Sort['column'], key: Sql): Sql =>
  type === 'datetime' ? sql`to_char(${key}, 'YYYY-MM-DD HH24:MI:SS.US')` : sql`(${key})::text`;

const keyValue = (column: Sort['column'], text: string): Sql =>
  column.type === 'datetime'
    ? sql`(${text}::timestamp at time zone 'UTC')`
    : sql`${text}::${sqlTypeOf(column)}`;

/**
 * What lies behind the cursor, as conditions of which an object meets one at most, in the order of the list: of each an index of the order
 * has the objects one after the other.
 */
export function rangesBehind(cursor: Cursor, { keys, id }: Order): Sql[] {
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
