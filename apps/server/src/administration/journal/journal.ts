import { isoText } from '@cartulary/columns';
import type { Database, Queryable } from '@cartulary/database';
import type { Log } from '@cartulary/runtime';
import { type Sql, sql } from '@cartulary/sql';
import type { JournalAction } from './actions.js';

/** What a user did. */
export interface NotedChange {
  /** null: to the installation. */
  projectId: number | null;
  /** null: not signed in. */
  login: string | null;
  action: JournalAction;
  map: string | null;
  layer: string | null;
  /** What else was changed: its code, login or id. */
  item: string | null;
}

/** An entry as the interface shows it. */
export interface JournalEntry extends Omit<NotedChange, 'projectId'> {
  id: number;
  at: string;
  /** Equal changes within a moment. */
  count: number;
}

/** Entries are written together after this time. */
const writePeriodMs = 1_000;
/** Entries that wait at most; more are written at once. */
const maxWaiting = 1_000;

interface Waiting extends NotedChange {
  atMs: number;
  count: number;
}

/**
 * Records who changed what. Writes do not wait for it: entries are stored within a second, equal ones as one with their number. So
 * a process that is killed loses those of its last second.
 */
export class Journal {
  readonly #db: Database;
  readonly #log: Log;
  /** Most entries of a project; 0: none are kept. */
  readonly #limit: number;
  #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** Entries written to projects since they were last trimmed. */
  readonly #untrimmed = new Map<number | null, number>();

  constructor(db: Database, limit: number, log: Log) {
    this.#db = db;
    this.#limit = limit;
    this.#log = log;
  }

  note(change: NotedChange): void {
    if (this.#limit === 0) return;
    const { projectId, login, action, map, layer } = change;
    // Changes of many objects are one entry.
    const item = isOfObjects(action) ? null : change.item;
    const key = JSON.stringify([projectId, login, action, map, layer, item]);
    const same = this.#waiting.get(key);
    if (same) {
      same.count += 1;
      same.item = same.item === change.item ? same.item : null;
    } else this.#waiting.set(key, { ...change, atMs: Date.now(), count: 1 });
    if (this.#waiting.size >= maxWaiting) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), writePeriodMs).unref();
  }

  /** Writes what waits. Resolves when all that was noted before is stored, or has failed. */
  async flush(): Promise<void> {
    this.#write();
    await this.#writing;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = [...this.#waiting.values()];
    if (!entries.length) return;
    this.#waiting = new Map();
    this.#writing = this.#writing
      .then(() => this.#store(entries))
      .catch((error) =>
        this.#log.warn({ err: error, entries: entries.length }, 'entries of the journal are lost'),
      );
  }

  async #store(entries: readonly Waiting[]): Promise<void> {
    const counts = new Map<number | null, number>();
    for (const { projectId } of entries) counts.set(projectId, (counts.get(projectId) ?? 0) + 1);
    await this.#db.shortTransaction((tx) => tx.query(insertSql(entries)));
    for (const [projectId, written] of counts) await this.#trim(projectId, written);
  }

  /** Deletes the oldest entries of a project from time to time, so that it has a hundredth more than the limit at most. */
  async #trim(projectId: number | null, written: number): Promise<void> {
    const untrimmed = (this.#untrimmed.get(projectId) ?? 0) + written;
    this.#untrimmed.set(projectId, untrimmed);
    if (untrimmed < this.#limit / 100) return;
    this.#untrimmed.set(projectId, 0);
    const own = ofProject(projectId);
    await this.#db.shortTransaction((tx) =>
      tx.query(sql`
        delete from cartulary.journal where ${own} and id <= (
          select id from cartulary.journal where ${own} order by id desc offset ${this.#limit} limit 1)`),
    );
  }
}

const isOfObjects = (action: JournalAction): boolean => /^(objects?|files?)_/.test(action);

const ofProject = (projectId: number | null): Sql =>
  projectId === null ? sql`project_id is null` : sql`project_id = ${projectId}`;

/** A project may have been deleted since. */
function insertSql(entries: readonly Waiting[]): Sql {
  const column = <K extends keyof Waiting>(key: K): Waiting[K][] => entries.map((entry) => entry[key]);
  return sql`
    insert into cartulary.journal (project_id, at, login, action, map, layer, item, count)
    select e.project_id, to_timestamp(e.at_ms / 1000), e.login, e.action, e.map, e.layer, e.item, e.count
    from unnest(${column('projectId')}::integer[], ${column('atMs')}::double precision[], ${column('login')}::text[],
      ${column('action')}::text[], ${column('map')}::text[], ${column('layer')}::text[], ${column('item')}::text[],
      ${column('count')}::integer[]) with ordinality
      as e (project_id, at_ms, login, action, map, layer, item, count, place)
    where e.project_id is null or exists (select from cartulary.project p where p.id = e.project_id)
    order by e.place`;
}

export interface JournalSelection {
  limit: number;
  /** Only entries before this one. */
  before?: number;
  login?: string;
  map?: string;
}

/** Entries of a project, the newest first; with those of the installation for its administrators. */
export const listJournal = (
  db: Queryable,
  of: { projectId: number; isInstaller: boolean },
  { limit, before, login, map }: JournalSelection,
): Promise<JournalEntry[]> =>
  db.query<JournalEntry>(sql`
    select id, ${isoText(sql`at`)} as at, login, action, map, layer, item, count
    from cartulary.journal
    where (${ofProject(of.projectId)} ${of.isInstaller ? sql`or project_id is null` : sql``})
      ${before === undefined ? sql`` : sql`and id < ${before}::bigint`}
      ${login === undefined ? sql`` : sql`and login = ${login}`}
      ${map === undefined ? sql`` : sql`and map = ${map}`}
    order by id desc limit ${limit}`);
