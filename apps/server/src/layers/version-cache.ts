import { heavyReads, isDataError, perDatabase, type Queryable, sqlState } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import { LRUCache } from 'lru-cache';
import { dataVersion } from '../containers/containers.js';

/** Reads something of each layer's data, by layer id; a layer without it is left out. */
type ReadLayers<T> = (
  db: Queryable,
  ids: readonly number[],
  signal: AbortSignal | undefined,
) => Promise<Map<number, T>>;

/** Most layers that one statement reads: each takes locks, whose number is limited. */
const layersPerStatement = 40;

/**
 * Wraps `read` so that it reads only layers that changed since the last call. Results are cached by layer and data version,
 * per database. A layer that changes during the read is cached under its older version, which no later call uses.
 */
export function cachedByVersion<T extends object | string>(read: ReadLayers<T>): ReadLayers<T> {
  const cacheOf = perDatabase(() => new LRUCache<string, { value: T | undefined }>({ max: 10_000 }));
  const readOrGone = orGone(read);
  return async (db, ids, signal) => {
    const kept = cacheOf(db);
    const found = new Map<number, T>();
    const states = await db.query<{ id: number; version: number }>(
      sql`select l.id, ${dataVersion(sql`l`)} as version from cartulary.container l where l.id = any(${[...ids]}::integer[])`,
      signal,
    );
    const note = (id: number, value: T | undefined): void => {
      if (value !== undefined) found.set(id, value);
    };
    const stale = states.filter(({ id, version }) => {
      const entry = kept.get(`${id}/${version}`);
      if (entry) note(id, entry.value);
      return !entry;
    });
    for (let at = 0; at < stale.length; at += layersPerStatement) {
      const part = stale.slice(at, at + layersPerStatement);
      const values = await readOrGone(
        heavyReads(db),
        part.map(({ id }) => id),
        signal,
      );
      for (const { id, version } of part) {
        kept.set(`${id}/${version}`, { value: values.get(id) });
        note(id, values.get(id));
      }
    }
    return found;
  };
}

/**
 * A layer may be deleted meanwhile (42P01, undefined_table), or its query may fail on its data: only this layer is left out
 * then.
 */
const orGone = <T>(read: ReadLayers<T>): ReadLayers<T> => {
  const attempt: ReadLayers<T> = async (db, ids, signal) => {
    try {
      return await read(db, ids, signal);
    } catch (error) {
      if (sqlState(error) !== '42P01' && !isDataError(error)) throw error;
      if (ids.length === 1) return new Map();
      const each = await Promise.all(ids.map((id) => attempt(db, [id], signal)));
      return new Map(each.flatMap((found) => [...found]));
    }
  };
  return attempt;
};
