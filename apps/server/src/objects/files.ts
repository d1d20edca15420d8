import { randomUUID } from 'node:crypto';
import { type AcceptedValue, type Column, valueInvalid } from '@cartulary/columns';
import type { Transaction } from '@cartulary/database';
import { ident, join, sql } from '@cartulary/sql';
import { type Layer, layerTable, stored } from '../layers/layers.js';
import type { CopySource, ObjectChange } from './sql/write-sql.js';

/** The stored value of a file column as lists of file ids; a localized column has one list for each language. */
type FileLists = ReadonlyMap<string | null, readonly number[]>;

const idsIn = (list: string | null | undefined): number[] =>
  (list ?? '').split(',').filter(Boolean).map(Number).filter(Number.isSafeInteger);

/** Parses a stored value: text, or language → text. */
function listsOf(value: unknown): FileLists {
  if (typeof value === 'object' && value !== null)
    return new Map(Object.entries(value).map(([language, list]) => [language, idsIn(list as string | null)]));
  return new Map([[null, idsIn(value as string | null)]]);
}

interface KnownFile {
  id: number;
  column_id: number;
  language: string | null;
}

/**
 * Deletes the files that an object's new lists no longer name. Throws `value_invalid` where a list names a file that the
 * object does not have in this column and language.
 */
export async function applyFileLists(
  tx: Transaction,
  at: { layer: Pick<Layer, 'id'>; id: number },
  values: ObjectChange['values'],
): Promise<void> {
  const written = [...values].filter(([{ type }]) => type === 'file');
  if (!written.length) return;
  const known = await tx.query<KnownFile>(sql`
    select id, column_id, language from cartulary.file
    where layer_id = ${at.layer.id} and object_id = ${at.id}
      and column_id = any(${written.map(([{ id }]) => id)}::integer[])`);
  const removed = written.flatMap(([column, value]) => unlisted(column, value, known));
  if (removed.length) await tx.query(sql`delete from cartulary.file where id = any(${removed}::integer[])`);
}

/** The files of a column that a written value no longer names. */
function unlisted(column: Column, value: AcceptedValue, known: readonly KnownFile[]): number[] {
  const lists = listsOf(column.localized_value ? JSON.parse(value as string) : value);
  return [...lists].flatMap(([language, ids]) => {
    const own = known
      .filter((file) => file.column_id === column.id && file.language === language)
      .map(({ id }) => id);
    const strange = ids.find((id) => !own.includes(id));
    if (strange !== undefined)
      throw valueInvalid(column.code, `names the file ${strange}, which this object does not have there`);
    return own.filter((id) => !ids.includes(id));
  });
}

/** A copy of a file, to be inserted. */
interface FileCopy {
  uuid: string;
  source: number;
  column: Column;
  language: string | null;
}

/**
 * Deletes the files of the object that a copy replaces, and copies the files of the source. Returns the values that list the
 * copies, by column of the target. An object that is copied onto itself keeps its files.
 */
export async function copyFiles(
  tx: Transaction,
  from: CopySource,
  to: Layer,
): Promise<ObjectChange['values']> {
  if (from.layer.id === to.id) return new Map();
  await tx.query(sql`delete from cartulary.file where layer_id = ${to.id} and object_id = ${from.id}`);
  const targets = to.columns.filter(({ type }) => type === 'file');
  const copies = await planCopies(tx, from, targets);
  const made = copies.length ? await insertCopies(tx, copies, { layerId: to.id, objectId: from.id }) : [];
  const idOf = new Map(made.map(({ uuid, id }) => [uuid, id]));
  return new Map(
    targets.map((column) => {
      const own = copies.filter((copy) => copy.column === column);
      return [column, listValue(column, own, idOf)];
    }),
  );
}

/** The files of the source in the order of their lists, for the columns with the same codes. */
async function planCopies(
  tx: Transaction,
  from: CopySource,
  targets: readonly Column[],
): Promise<FileCopy[]> {
  const pairs = targets.flatMap((target) => {
    const source = from.layer.columns.find(({ code, type }) => code === target.code && type === 'file');
    return source ? [{ source, target }] : [];
  });
  if (!pairs.length) return [];
  // The lock makes a concurrent deletion of one of these files wait. Their content is removed only when no file refers to it.
  const known = await tx.query<{ id: number }>(sql`
    select id from cartulary.file where layer_id = ${from.layer.id} and object_id = ${from.id} for share`);
  const there = new Set(known.map(({ id }) => id));
  const selected = pairs.map(({ source }, i) => sql`${stored(source, sql`t`)} as ${ident(`v${i}`)}`);
  const [row] = await tx.query(
    sql`select ${join(selected)} from ${layerTable(from.layer.id)} t where t.svc_id = ${from.id}::bigint`,
  );
  return pairs.flatMap(({ target }, i) =>
    [...fitting(listsOf(row?.[`v${i}`]), target, from.main)].flatMap(([language, ids]) =>
      ids
        .filter((id) => there.has(id))
        .map((source) => ({ uuid: randomUUID(), source, column: target, language })),
    ),
  );
}

/**
 * Lists in the form of another column. A plain list becomes the one of the main language; of localized lists, the main
 * language or else any is taken.
 */
function fitting(lists: FileLists, { localized_value }: Column, main: string): FileLists {
  const plain = lists.get(null);
  if (localized_value) return plain ? new Map([[main, plain]]) : lists;
  return new Map([[null, plain ?? lists.get(main) ?? [...lists.values()][0] ?? []]]);
}

const insertCopies = (
  tx: Transaction,
  copies: readonly FileCopy[],
  to: { layerId: number; objectId: number },
): Promise<{ id: number; uuid: string }[]> =>
  tx.query(sql`
    insert into cartulary.file (uuid, content, name, mime, size, layer_id, column_id, object_id, language, account_id, created_at)
    select copy.uuid, f.content, f.name, f.mime, f.size, ${to.layerId}, copy.column_id, ${to.objectId}::bigint, copy.language,
      f.account_id, f.created_at
    from unnest(${copies.map(({ uuid }) => uuid)}::uuid[], ${copies.map(({ source }) => source)}::integer[],
        ${copies.map(({ column }) => column.id)}::integer[], ${copies.map(({ language }) => language)}::text[])
      with ordinality as copy (uuid, source, column_id, language, place)
    join cartulary.file f on f.id = copy.source order by copy.place returning id, uuid`);

/** The value of a column that lists these files. */
function listValue(
  column: Column,
  files: readonly FileCopy[],
  idOf: ReadonlyMap<string, number>,
): AcceptedValue {
  if (!files.length) return null;
  const listOf = (language: string | null): string =>
    files
      .filter((file) => file.language === language)
      .map(({ uuid }) => idOf.get(uuid))
      .join(',');
  if (!column.localized_value) return listOf(null);
  const languages = [...new Set(files.map(({ language }) => language!))];
  return JSON.stringify(Object.fromEntries(languages.map((language) => [language, listOf(language)])));
}
