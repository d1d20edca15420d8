import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '../../db/pool.js';
import { sql } from '../../db/sql.js';
import { ownName, removeAbandoned } from '../../own-names.js';

/**
 * How far a database had come when it was last seen. One that was put back to an earlier state would give versions a second
 * time, to other data: then its transactions are behind those that were seen, or its tables are others.
 */
interface Mark {
  installation: string;
  /** Of the table of versions. */
  table: number;
  /** The transaction that comes next. */
  transaction: string;
  /** The name of the files that were made since it was last put back. */
  epoch: string;
}

/** The epoch of a database, which is in the names of the files that are made from it. */
export interface Timeline {
  readonly epoch: string;
  /** Notes how far it has come. */
  note(): Promise<void>;
}

const file = 'timeline.json';
/** A mark that is being written. */
const unfinished = /^\d+_[0-9a-f]+\.json$/;

const stateOf = async (db: Queryable): Promise<Omit<Mark, 'epoch'>> => {
  const [state] = await db.query<Omit<Mark, 'epoch'>>(sql`
    select (select id::text from cartulary.installation) as installation,
      'cartulary.layer_state'::regclass::oid::integer as table,
      pg_snapshot_xmax(pg_current_snapshot())::text as transaction`);
  return state!;
};

/** Compares the database with what is noted in a folder: the same epoch goes on, or a new one begins. */
export async function openTimeline(db: Queryable, folder: string): Promise<Timeline> {
  await removeAbandoned(folder, { form: unfinished });
  const state = await stateOf(db);
  const mark = await readMark(folder);
  const goesOn =
    mark?.installation === state.installation &&
    mark.table === state.table &&
    BigInt(mark.transaction) <= BigInt(state.transaction);
  const epoch = goesOn ? mark.epoch : randomUUID();
  await writeMark(folder, { ...state, epoch });
  return {
    epoch,
    note: async () => writeMark(folder, { ...(await stateOf(db)), epoch }),
  };
}

/** undefined for one that is missing or broken. */
async function readMark(folder: string): Promise<Mark | undefined> {
  try {
    const mark = JSON.parse(await readFile(join(folder, file), 'utf8')) as Mark;
    return /^\d+$/.test(mark.transaction) && /^[0-9a-f-]{36}$/.test(mark.epoch) ? mark : undefined;
  } catch {
    return undefined;
  }
}

async function writeMark(folder: string, mark: Mark): Promise<void> {
  const own = join(folder, `${ownName()}.json`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeFile(own, JSON.stringify(mark));
    await rename(own, join(folder, file));
  } catch (error) {
    await rm(own, { force: true });
    throw error;
  }
}
