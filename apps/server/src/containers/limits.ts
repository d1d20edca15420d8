import type { Queryable } from '@cartulary/database';
import { badRequest, ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';

/** Limits of JSON: recursive readers would fail on deeper values, and larger ones are parsed and written in one piece. */
const depthLimit = 200;
const sizeLimit = 100_000;

/**
 * Refuses values that the database cannot hold: NUL or half of a surrogate pair in a text or key, a number that was too large
 * for its parser (1e400 would become null), JSON that is nested too deep or has too many values. Throws 400 with the key.
 */
export function checkStorable(input: object): void {
  for (const [key, value] of Object.entries(input)) {
    if (!isStorable(value))
      throw badRequest(
        `${key} holds a character or number that cannot be stored, is nested too deep or too large`,
        {
          parameters: [key],
        },
      );
  }
}

function isStorable(value: unknown): boolean {
  let level: unknown[] = [value];
  let size = 0;
  for (let depth = 0; level.length; depth++) {
    if (depth > depthLimit) return false;
    size += level.length;
    if (size > sizeLimit) return false;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item === 'string' && /[\0\p{Surrogate}]/u.test(item)) return false;
      if (typeof item === 'number' && !Number.isFinite(item)) return false;
      if (typeof item !== 'object' || item === null) continue;
      for (const part of Array.isArray(item) ? item : Object.entries(item).flat()) next.push(part);
    }
    level = next;
  }
  return true;
}

/** Throws 413 for a style of more bytes than the setting allows. */
export function limitStyle(style: string | undefined, limit: number): void {
  if (style !== undefined && Buffer.byteLength(style) > limit)
    throw new ServiceError('too_large', `A style has at most ${limit} bytes`, { parameters: ['css_style'] });
}

/** Limits of a map, as in the settings. */
export interface MapLimits {
  mapItems: number;
  mapSizeBytes: number;
}

interface MapSize {
  items: number;
  bytes: number;
}

/**
 * Makes a change of a map, or of a folder or layer in it. Throws 400 when it leaves more folders and layers, or larger styles and settings in
 * total, than the limits allow, and more than before. Trees, drawing and capabilities read all of a map at once.
 */
export async function withinMapLimits<T>(
  tx: Queryable,
  { mapId, limits }: { mapId: number; limits: MapLimits },
  change: () => Promise<T>,
): Promise<T> {
  const before = await sizeOfMap(tx, mapId);
  const done = await change();
  const after = await sizeOfMap(tx, mapId);
  const { mapItems, mapSizeBytes } = limits;
  if (after.items > Math.max(before.items, mapItems))
    throw badRequest(`A map has at most ${mapItems} folders and layers`, { most: mapItems });
  if (after.bytes > Math.max(before.bytes, mapSizeBytes))
    throw badRequest(`The styles and settings of a map have at most ${mapSizeBytes} bytes in total`, {
      most: mapSizeBytes,
    });
  return done;
}

async function sizeOfMap(tx: Queryable, mapId: number): Promise<MapSize> {
  const [size] = await tx.query<MapSize>(sql`
    select count(*) filter (where type <> 'map')::integer as items,
      coalesce(sum(octet_length(css_style) + octet_length(comment) + pg_column_size(names) + pg_column_size(json) + pg_column_size(meta)
        + pg_column_size(render_settings) + coalesce(pg_column_size(visual_settings), 0)
        + coalesce(pg_column_size(visual_custom_settings), 0) + coalesce(pg_column_size(vector_settings), 0)
        + coalesce(pg_column_size(simple_style), 0)), 0)::double precision as bytes
    from cartulary.container where map_id = ${mapId}`);
  return size!;
}

const between = (min: number, max: number) => (value: unknown) =>
  typeof value === 'number' && value >= min && value <= max;

const renderRules: Record<string, [isRight: (value: unknown) => boolean, expected: string]> = {
  minZoom: [between(0, 24), 'a number from 0 to 24'],
  maxZoom: [between(0, 24), 'a number from 0 to 24'],
  opacity: [between(0, 1), 'a number from 0 to 1'],
  buffer: [between(0, 512), 'a number of pixels from 0 to 512'],
  cache: [(value) => typeof value === 'boolean', 'true or false'],
};

/** Checks the known keys of `render_settings`; others are kept. Throws 400 with the key. */
export function checkRenderSettings(settings: Record<string, unknown> | undefined): void {
  if (!settings) return;
  const wrong = (key: string, expected: string): ServiceError =>
    badRequest(`render_settings.${key} is ${expected}`, { parameters: [`render_settings.${key}`] });
  for (const [key, [isRight, expected]] of Object.entries(renderRules)) {
    const value = settings[key];
    if (value !== undefined && !isRight(value)) throw wrong(key, expected);
  }
  const { minZoom, maxZoom } = settings as { minZoom?: number; maxZoom?: number };
  if (minZoom !== undefined && maxZoom !== undefined && minZoom > maxZoom)
    throw wrong('minZoom', 'at most maxZoom');
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

/** The keys of an element of `json.search`. */
const searchRules: [key: string, isRight: (value: unknown) => boolean, expected: string][] = [
  ['layer', isText, 'the code of a layer'],
  ['columns', isTexts, 'an array of codes of columns'],
  ['name_column', isText, 'the code of a column'],
];

/**
 * Checks the form of `json.search`: with a wrong one the search would read more than it should. Layers and columns need not
 * exist yet. Throws 400 with the place.
 */
export function checkSearchSettings(settings: unknown): void {
  if (settings === undefined || settings === null) return;
  const wrong = (place: string, expected: string): ServiceError =>
    badRequest(`json.search${place} is ${expected}`, { parameters: [`json.search${place}`] });
  if (!Array.isArray(settings)) throw wrong('', 'an array of {layer, columns, name_column}');
  for (const [i, item] of settings.entries()) {
    const setting = Object(item) as Record<string, unknown>;
    for (const [key, isRight, expected] of searchRules) {
      const value = setting[key] ?? undefined;
      if (value === undefined ? key === 'layer' : !isRight(value)) throw wrong(`[${i}].${key}`, expected);
    }
  }
}
