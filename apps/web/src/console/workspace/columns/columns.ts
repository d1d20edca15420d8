import type { AnswerOf, CartularyClient } from '@cartulary/client';
import type { UserColumnTypes } from '@cartulary/columns';
import { codeFor } from '../../catalog/codeFor.js';
import type { Workspace, WorkspaceItem } from '../useWorkspace.js';

const structurePath = '/api/2.8/{project}/{map}/layers/{layer}/structure/';

/** A column as it is stored, named in one language. */
export type StoredColumn = AnswerOf<typeof structurePath, 'get'>[number];

/** The types of columns, the common ones first, and whether they are scalar: as in the table of `packages/columns/src/types.ts`. */
const types: UserColumnTypes = {
  string: true,
  text: true,
  number: true,
  datetime: true,
  bool: true,
  file: false,
  json: false,
  title: false,
};

export const columnTypes = Object.keys(types) as (keyof UserColumnTypes)[];

/** Whether a value of the column is one number, text, moment or truth. */
export const isScalar = ({ type }: { type: string }): boolean =>
  types[type as keyof UserColumnTypes] === true;

/** Whether every layer has the column: its code and type are fixed. */
export const isSystem = ({ code }: Pick<StoredColumn, 'code'>): boolean =>
  code === 'svc_id' || code === 'geom';

/** Whether the columns come from a query. */
export const isQuery = ({ type }: Pick<WorkspaceItem, 'type'>): boolean =>
  type === 'virtual' || type === 'material';

/** Whether the layer holds objects, and so has columns. */
export const hasColumns = ({ type }: Pick<WorkspaceItem, 'type'>): boolean =>
  type === 'layer' || isQuery({ type });

export const nameOf = ({ name, code }: Pick<StoredColumn, 'name' | 'code'>): string => name || code;

/** What is edited of a column. */
export interface ColumnDraft {
  code: string;
  type: string;
  /** The title where it is the same in all languages. */
  name: string;
  /** The title by language, where `localized_name`. */
  names: Readonly<Record<string, string>>;
  localized_name: boolean;
  localized_value: boolean;
  required: boolean;
  /** The heading that it stands under; 0: none. */
  parent_id: number;
  format: Readonly<Record<string, unknown>>;
}

export const blankColumn: ColumnDraft = {
  code: '',
  type: 'string',
  name: '',
  names: {},
  localized_name: false,
  localized_value: false,
  required: false,
  parent_id: 0,
  format: {},
};

/** What is entered of a column and not saved: kept in the browser. */
export interface KeptColumn {
  draft: ColumnDraft;
  /** The version that the changes are made from; null: a new column. */
  stored: ColumnDraft | null;
  etag: string;
  /** Whether the code of a new column no longer follows its title. */
  ownCode: boolean;
}

/** Those of a layer, by the id of the column; `new` for a new one. */
export type KeptColumns = Readonly<Record<string, KeptColumn>>;

/** A column with the version of the structure that it was read in. */
export interface ReadColumn {
  draft: ColumnDraft;
  etag: string;
}

/** Reads the columns with their titles. */
export async function readColumns(
  client: CartularyClient,
  path: { map: string; layer: string },
  { lng, signal }: { lng: string; signal?: AbortSignal },
): Promise<{ columns: StoredColumn[]; etag: string }> {
  let etag = '';
  const columns = await client.get(structurePath, {
    params: { path, query: { lng, returnNames: '1' } },
    signal,
    onResponse: ({ headers }) => {
      etag = headers.get('etag') ?? '';
    },
  });
  return { columns, etag };
}

/** Reads a column with its titles in all languages, also those that the map does not offer; null: it has been deleted. */
export async function readColumn(
  client: CartularyClient,
  path: { map: string; layer: string; column: number },
  options: { lng: string; signal?: AbortSignal },
): Promise<ReadColumn | null> {
  const { column: id, ...layer } = path;
  const { columns, etag } = await readColumns(client, layer, options);
  const found = columns.find((one) => one.id === id);
  if (!found) return null;
  const { names = {}, format = {}, ...column } = found;
  const { code, type, name, localized_name, localized_value, required, parent_id } = column;
  return {
    draft: { code, type, name, names, localized_name, localized_value, required, parent_id, format },
    etag,
  };
}

/** The keys of a draft that are saved. The titles are one of them. */
export type ColumnKey = Exclude<keyof ColumnDraft, 'names'>;

const keys = [
  'name',
  'code',
  'type',
  'localized_name',
  'localized_value',
  'required',
  'parent_id',
  'format',
] as const;

const entryOf = (draft: ColumnDraft, key: ColumnKey): unknown =>
  key === 'name' && draft.localized_name ? draft.names : draft[key];

/** A key and its value, to compare whatever it is. */
const written = (value: unknown): string =>
  typeof value === 'object' && value
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : String(value);

/** The keys in which a draft differs from another. */
export const differences = (draft: ColumnDraft, from: ColumnDraft): ColumnKey[] =>
  keys.filter((key) => written(entryOf(draft, key)) !== written(entryOf(from, key)));

/** A draft with some keys of another. */
export function withKeys(draft: ColumnDraft, from: ColumnDraft, taken: Iterable<ColumnKey>): ColumnDraft {
  const picked = [...taken];
  const names = picked.includes('name') ? { names: from.names } : {};
  return { ...draft, ...Object.fromEntries(picked.map((key) => [key, from[key]])), ...names };
}

/** The body that stores the keys of a draft. The service demands the type of every change. */
export function bodyOf(draft: ColumnDraft, changed: readonly ColumnKey[]) {
  const body = Object.fromEntries(changed.map((key) => [key, entryOf(draft, key)]));
  const format = changed.includes('format') || changed.includes('type') ? { format: formatOf(draft) } : {};
  return { ...body, type: draft.type, ...format };
}

/** The format without empty entries; null: none. */
function formatOf({ format }: ColumnDraft): Record<string, unknown> | null {
  const set = Object.entries(format).filter(
    ([, value]) => value !== '' && value !== null && value !== undefined,
  );
  return set.length ? Object.fromEntries(set) : null;
}

/** The code that a new column gets from its title. */
export function codeOfTitle(title: string, columns: readonly StoredColumn[]): string {
  const made = codeFor(title).replaceAll('-', '_').slice(0, 40);
  if (!made) return '';
  const start = /^\d/.test(made) ? `_${made}` : made;
  const taken = new Set(columns.map(({ code }) => code));
  for (let n = 1; ; n++) {
    const code = n === 1 ? start : `${start}_${n}`;
    if (!taken.has(code)) return code;
  }
}

/** The languages of a map; that of the page where it names none. */
export const languagesOf = ({ map }: Pick<Workspace, 'map'>, ui: string): readonly string[] =>
  map.languages?.length ? map.languages : [ui];

/** Where a column goes: beside another one, under the same heading. */
export interface ColumnMove {
  parent_id: number;
  sort: number;
}

/** The place before or after another column; null: it cannot go there. */
export function moveBeside(
  column: StoredColumn,
  target: StoredColumn,
  side: 'before' | 'after',
): ColumnMove | null {
  if (target.id === column.id || target.parent_id === column.id) return null;
  return { parent_id: target.parent_id, sort: target.sort + (side === 'before' ? -0.5 : 0.5) };
}

/** The place one step up or down among the columns under the same heading. */
export function step(columns: readonly StoredColumn[], column: StoredColumn, by: -1 | 1): ColumnMove | null {
  const siblings = columns.filter(({ parent_id }) => parent_id === column.parent_id);
  const target = siblings[siblings.findIndex(({ id }) => id === column.id) + by];
  return target ? moveBeside(column, target, by < 0 ? 'before' : 'after') : null;
}
