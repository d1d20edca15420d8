import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Queryable } from '@cartulary/database';
import { ownName, removeAbandoned } from '@cartulary/runtime';
import { sql } from '@cartulary/sql';

/**
 * The progress of a database when it was last seen. A database restored to an earlier state would assign versions again,
 * to other data. Its transactions are then behind the seen ones, or its tables are others.
 */
interface Mark {
  installation: string;
  /** Object id of the table of versions. */
  table: number;
  /** The next transaction id. */
  transaction: string;
  /** Name of the folder of files made since the last restore. */
  epoch: string;
}

/** The epoch of a database: the folder name of the files made from it. */
export interface Timeline {
  readonly epoch: string;
  /** Writes the present progress. */
  note(): Promise<void>;
}

const file = 'timeline.json';
/** Name of a mark that is being written. */
const unfinished = /^\d+_[0-9a-f]+\.json$/;

const stateOf = async (db: Queryable): Promise<Omit<Mark, 'epoch'>> => {
  const [state] = await db.query<Omit<Mark, 'epoch'>>(sql`
    select (select id::text from cartulary.installation) as installation,
      'cartulary.layer_state'::regclass::oid::integer as table,
      pg_snapshot_xmax(pg_current_snapshot())::text as transaction`);
  return state!;
};

/** Compares the database with the mark in a folder: continues the epoch, or begins a new one. */
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

/** undefined for a missing or damaged mark. */
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
