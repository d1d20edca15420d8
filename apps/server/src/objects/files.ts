import { randomUUID } from 'node:crypto';
import type { Transaction } from '../db/pool.js';
import { ident, join, sql } from '../db/sql.js';
import { type Column, columnName, type Layer, layerTable } from '../layers/layers.js';
import { type AcceptedValue, valueInvalid } from '../layers/types.js';
import type { Change, CopySource } from './write-sql.js';

/** A list of a file column as it is stored: of a localized column one for each language. */
type Lists = ReadonlyMap<string | null, readonly number[]>;

const idsIn = (list: string | null | undefined): number[] =>
  (list ?? '').split(',').filter(Boolean).map(Number).filter(Number.isSafeInteger);

/** The lists of a stored value: text, or language → text. */
function listsOf(value: unknown): Lists {
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
 * After lists were written to file columns of an object: throws `value_invalid` where one names what is no file of this
 * object and column (and language), and deletes the files that are named no more.
 */
export async function keepListed(
  tx: Transaction,
  at: { layer: Pick<Layer, 'id'>; id: number },
  values: Change['values'],
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

/** The files of a column that a written value names no more. */
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

/** A file to be made: a copy of another. */
interface Copy {
  uuid: string;
  source: number;
  column: Column;
  language: string | null;
}

/**
 * Deletes the files of the object that a copy replaces and copies those of the source: the values that list them, of the
 * target's columns. Where an object is copied onto itself, its files stay as they are.
 */
export async function copyFiles(tx: Transaction, from: CopySource, to: Layer): Promise<Change['values']> {
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
async function planCopies(tx: Transaction, from: CopySource, targets: readonly Column[]): Promise<Copy[]> {
  const pairs = targets.flatMap((target) => {
    const source = from.layer.columns.find(({ code, type }) => code === target.code && type === 'file');
    return source ? [{ source, target }] : [];
  });
  if (!pairs.length) return [];
  // Whoever deletes one of them meanwhile waits: what they hold is removed only when no file has it.
  const known = await tx.query<{ id: number }>(sql`
    select id from cartulary.file where layer_id = ${from.layer.id} and object_id = ${from.id} for share`);
  const there = new Set(known.map(({ id }) => id));
  const selected = pairs.map(({ source }, i) => sql`t.${ident(columnName(source))} as ${ident(`v${i}`)}`);
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

/** Lists as another column takes them: a plain one becomes that of the main language; of several, that one or any is taken. */
function fitting(lists: Lists, { localized_value }: Column, main: string): Lists {
  const plain = lists.get(null);
  if (localized_value) return plain ? new Map([[main, plain]]) : lists;
  return new Map([[null, plain ?? lists.get(main) ?? [...lists.values()][0] ?? []]]);
}

const insertCopies = (
  tx: Transaction,
  copies: readonly Copy[],
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

/** The value of a column that lists files. */
function listValue(column: Column, files: readonly Copy[], idOf: ReadonlyMap<string, number>): AcceptedValue {
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
