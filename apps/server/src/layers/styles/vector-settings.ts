import { type Column, hasValues } from '@cartulary/columns';
import type { Queryable } from '@cartulary/database';
import { badRequest } from '@cartulary/errors';
import { sql } from '@cartulary/sql';

/** How clients draw a layer of `render_type` 1, in the structure of the interface. */
export interface VectorSettings {
  id: number;
  minZoom: number;
  maxZoom: number;
  zoomsEnabled: boolean;
  stylesPolygon: Record<string, unknown>;
  stylesText: Record<string, unknown>;
  stylesLine: Record<string, unknown>;
  stylesPoint: Record<string, unknown>;
  clusteringEnabled: boolean;
  clusterSettings: Record<string, unknown>;
  showPopup: boolean;
  popupColumn: number | null;
  popupColumnCode: string | null;
}

interface Rule {
  initial: unknown;
  isRight: (value: unknown) => boolean;
  expected: string;
}

const flag = (initial: boolean): Rule => ({
  initial,
  isRight: (value) => typeof value === 'boolean',
  expected: 'true or false',
});
const number = (initial: number, min: number, max: number): Rule => ({
  initial,
  isRight: (value) => typeof value === 'number' && value >= min && value <= max,
  expected: `a number from ${min} to ${max}`,
});
const path: Rule = {
  initial: '',
  isRight: (value) => typeof value === 'string' && value.length <= 1000,
  expected: 'the path of an icon, or empty',
};
const unused: Rule = {
  initial: {},
  isRight: (value) => isObject(value) && JSON.stringify(value).length <= 10_000,
  expected: 'an object',
};
const offset = number(0, -500, 500);
const zoom = (initial: number): Rule => number(initial, 0, 24);

const rules: Readonly<Record<string, Rule>> = {
  minZoom: zoom(0),
  maxZoom: zoom(24),
  zoomsEnabled: flag(false),
  stylesPolygon: unused,
  stylesText: unused,
  stylesLine: unused,
  clusteringEnabled: flag(false),
  showPopup: flag(false),
};
const pointRules: Readonly<Record<string, Rule>> = {
  icon: path,
  iconDx: offset,
  iconDy: offset,
  iconOffsetEnabled: flag(false),
};
const clusterRules: Readonly<Record<string, Rule>> = {
  objectsCountDx: offset,
  objectsCountDy: offset,
  icon: path,
  showObjectsCount: flag(true),
  iconSizeMax: number(60, 1, 512),
  iconSizeMin: number(30, 1, 512),
  iconSizeEnabled: flag(false),
  radius: number(50, 1, 500),
  iconDx: offset,
  iconDy: offset,
  iconEnabled: flag(false),
  iconOffsetEnabled: flag(false),
  clusteringType: { initial: 'client', isRight: (value) => value === 'client', expected: "'client'" },
  maxZoom: zoom(16),
  maxZoomEnabled: flag(false),
  splitByCategories: flag(false),
};

type Given = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The stored settings, completed with defaults. */
export function fullVectorSettings(id: number, stored: unknown): VectorSettings {
  const given = isObject(stored) ? stored : {};
  return {
    ...(initial(rules, given) as unknown as VectorSettings),
    id,
    stylesPoint: initial(pointRules, given.stylesPoint),
    clusterSettings: initial(clusterRules, given.clusterSettings),
    popupColumn: (given.popupColumn as number | undefined) ?? null,
    popupColumnCode: (given.popupColumnCode as string | undefined) ?? null,
  };
}

function initial(table: Readonly<Record<string, Rule>>, given: unknown): Record<string, unknown> {
  const known = isObject(given) ? given : {};
  return Object.fromEntries(Object.entries(table).map(([key, rule]) => [key, known[key] ?? rule.initial]));
}

const wrong = (key: string, expected: string): Error =>
  badRequest(`vectorSettings.${key} is ${expected}`, { parameters: [`vectorSettings.${key}`] });

/**
 * The stored settings after a change: the old ones with the given keys replaced; unknown keys are dropped. The popup column
 * is given by id or code. Throws 400 with the wrong key.
 */
export function changedVectorSettings(
  before: unknown,
  given: Given,
  columns: readonly Pick<Column, 'id' | 'code' | 'type'>[],
): Given {
  const kept = isObject(before) ? before : {};
  const settings = {
    ...kept,
    ...checked(rules, given, ''),
    stylesPoint: part(pointRules, kept, given, 'stylesPoint'),
    clusterSettings: part(clusterRules, kept, given, 'clusterSettings'),
    ...popupOf(given, columns),
  };
  checkOrder(settings);
  return settings;
}

const part = (table: Readonly<Record<string, Rule>>, kept: Given, given: Given, key: string): Given => {
  const own = given[key] ?? {};
  if (!isObject(own)) throw wrong(key, 'an object');
  return { ...(isObject(kept[key]) ? kept[key] : {}), ...checked(table, own, `${key}.`) };
};

function checked(table: Readonly<Record<string, Rule>>, given: Given, within: string): Given {
  const kept: Record<string, unknown> = {};
  for (const [key, { isRight, expected }] of Object.entries(table)) {
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    if (value === undefined || value === null) continue;
    if (!isRight(value)) throw wrong(`${within}${key}`, expected);
    kept[key] = value;
  }
  return kept;
}

/** The column of the popup; null removes it. */
function popupOf(given: Given, columns: readonly Pick<Column, 'id' | 'code' | 'type'>[]): Given {
  const { popupColumn, popupColumnCode } = given;
  if (popupColumn === undefined && popupColumnCode === undefined) return {};
  if ((popupColumn ?? popupColumnCode ?? '') === '') return { popupColumn: null, popupColumnCode: null };
  const isNamed = (column: Pick<Column, 'id' | 'code'>): boolean =>
    (popupColumn ?? null) === null ? column.code === popupColumnCode : column.id === popupColumn;
  const column = columns.find((one) => isNamed(one) && hasValues(one));
  if (!column) throw wrong('popupColumn', 'a column of the layer');
  return { popupColumn: column.id, popupColumnCode: column.code };
}

function checkOrder(settings: Given): void {
  const full = fullVectorSettings(0, settings);
  if (full.minZoom > full.maxZoom) throw wrong('minZoom', 'at most maxZoom');
  const { iconSizeMin, iconSizeMax } = full.clusterSettings as { iconSizeMin: number; iconSizeMax: number };
  if (iconSizeMin > iconSizeMax) throw wrong('clusterSettings.iconSizeMin', 'at most iconSizeMax');
}

/** The paths of icons in the settings. */
export const iconPathsOf = (settings: Given | undefined): string[] =>
  [settings?.stylesPoint, settings?.clusterSettings].flatMap((one) =>
    isObject(one) && typeof one.icon === 'string' ? [one.icon] : [],
  );

/** Carries the new code of a column into the popup of its layer, which stores id and code; `isGone`: the column was deleted. */
export async function renamePopup(
  tx: Queryable,
  layerId: number,
  { id, code }: Pick<Column, 'id' | 'code'>,
  isGone = false,
): Promise<void> {
  const popup = isGone ? { popupColumn: null, popupColumnCode: null } : { popupColumnCode: code };
  await tx.query(sql`
    update cartulary.container set vector_settings = vector_settings || ${JSON.stringify(popup)}::jsonb
    where id = ${layerId} and vector_settings ->> 'popupColumn' = ${id}::integer::text`);
}
