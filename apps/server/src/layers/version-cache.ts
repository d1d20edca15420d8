import { LRUCache } from 'lru-cache';
import { dataVersion } from '../containers/containers.js';
import { failsOnData, inHeavyTurn, type Queryable, sqlState } from '../db/pool.js';
import { sql } from '../db/sql.js';

/** Reads something of each layer's data, by the layers' ids; a layer without it is left out. */
type ReadLayers<T> = (
  db: Queryable,
  ids: readonly number[],
  signal: AbortSignal | undefined,
) => Promise<Map<number, T>>;

/** Most layers that are read by one statement: each takes locks that a database has a limited number of. */
const slice = 40;

/**
 * `read`, but only of layers that changed since they were asked for last: kept by layer and data version, per database.
 * A layer that changes while it is read is newer than the version under which it is kept, which no one asks for again.
 */
export function keptByVersion<T extends object | string>(read: ReadLayers<T>): ReadLayers<T> {
  const known = new WeakMap<Queryable, LRUCache<string, { value: T | undefined }>>();
  const readOrGone = orGone(read);
  return async (db, ids, signal) => {
    const kept = known.get(db) ?? new LRUCache({ max: 10_000 });
    known.set(db, kept);
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
    for (let at = 0; at < stale.length; at += slice) {
      const part = stale.slice(at, at + slice);
      const values = await readOrGone(
        inHeavyTurn(db),
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

/** A layer may be deleted meanwhile (42P01, undefined_table), or be a query that fails on its data: it alone has nothing then. */
const orGone = <T>(read: ReadLayers<T>): ReadLayers<T> => {
  const attempt: ReadLayers<T> = async (db, ids, signal) => {
    try {
      return await read(db, ids, signal);
    } catch (error) {
      if (sqlState(error) !== '42P01' && !failsOnData(error)) throw error;
      if (ids.length === 1) return new Map();
      const each = await Promise.all(ids.map((id) => attempt(db, [id], signal)));
      return new Map(each.flatMap((found) => [...found]));
    }
  };
  return attempt;
};
