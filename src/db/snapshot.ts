import type { Socket } from 'node:net';
import type pg from 'pg';
import { LostConnection } from './failure.js';
import type { Engine } from './target.js';
import { executeMessages, parseMessage } from './wire.js';

/** Which transactions a statement sees. Where two are the same, nothing was committed between them. */
export type Snapshot = string;

export interface SnapshotReader {
  /** That of a statement which begins now. Rejects as a query does. One at a time. */
  read(): Promise<Snapshot>;
  /** Waits for what is being read, then gives the connection back. */
  close(): Promise<void>;
}

/** Those of another connection may be those of another server: they never match. */
const text = `select pg_backend_pid() || ' ' || pg_current_snapshot()`;

const readAndAsked = Buffer.concat([parseMessage(text), executeMessages('')]);

/** PostgreSQL reads the statement once, which takes as long as to answer it; on the embedded database names would be those of all. */
const messages = {
  postgres: {
    first: Buffer.concat([parseMessage(text, 'snapshot'), executeMessages('snapshot')]),
    next: executeMessages('snapshot'),
  },
  embedded: { first: readAndAsked, next: readAndAsked },
} as const;

/**
 * Reads snapshots, which nearly every request asks for, on a connection that it keeps: always the same bytes, sent at once, where a query of
 * `pg` is made anew and sent in pieces (a fifth of the time of a request that is answered from memory).
 */
export function snapshotReader(connect: () => Promise<pg.PoolClient>, engine: Engine): SnapshotReader {
  const { first, next } = messages[engine];
  let kept: pg.PoolClient | undefined;
  let reading: Promise<unknown> = Promise.resolve();

  function giveBack(isBroken: boolean): void {
    kept?.release(isBroken);
    kept = undefined;
  }

  async function read(): Promise<Snapshot> {
    const bytes = kept ? next : first;
    kept ??= await connect();
    try {
      return await look(kept, bytes);
    } catch (error) {
      giveBack(true);
      throw error;
    }
  }

  return {
    read() {
      const found = read();
      reading = found.catch(() => {});
      return found;
    },
    async close() {
      await reading;
      giveBack(false);
    },
  };
}

/** Sends messages, and gives the only value that comes. The client is in use by nobody else. */
function look(client: pg.PoolClient, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let found = '';
    // What `pg` calls while it reads the answer.
    client.query({
      submit: ({ stream }: { stream: Socket }) => void stream.write(bytes),
      handleDataRow: ({ fields: [value] }: { fields: (string | null)[] }) => {
        if (!value) throw new LostConnection('the database did not tell its snapshot');
        found = value;
      },
      handleCommandComplete: () => {},
      handleReadyForQuery: () => resolve(found),
      handleError: reject,
    } as unknown as pg.Submittable);
  });
}
