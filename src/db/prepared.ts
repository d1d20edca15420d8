import type pg from 'pg';
import { sqlState } from './failure.js';
import { sharedName } from './wire.js';

/** Statements that a connection of PostgreSQL keeps; each takes about 140 kB there. */
const most = 32;

/** Names by texts, by connection; the one that was not used for longest comes first. */
const kept = new WeakMap<pg.PoolClient, Map<string, string>>();
let count = 0;

/**
 * Runs a statement under a name, so that PostgreSQL reads it once per connection and after some times keeps one plan for all values.
 * One that does not hold any more (the table has changed; somebody else has dropped it) is run as it is.
 */
export async function withName<T>(
  client: pg.PoolClient,
  query: pg.QueryConfig,
  run: (query: pg.QueryConfig) => Promise<T>,
): Promise<T> {
  const names = kept.get(client) ?? new Map<string, string>();
  kept.set(client, names);
  const name = await nameOf(client, names, query.text);
  try {
    return await run({ name, ...query });
  } catch (error) {
    if (!isStale(error)) throw error;
    await drop(client, names, query.text);
    return run(query);
  }
}

/**
 * The same on the embedded database, whose connections share one session and its statements: a text has one name there, and
 * what reads it again for another connection is left out by `wire-server.ts`.
 */
export async function withSharedName<T>(
  client: pg.PoolClient,
  query: pg.QueryConfig,
  run: (query: pg.QueryConfig) => Promise<T>,
): Promise<T> {
  const name = sharedName(query.text);
  try {
    return await run({ name, ...query });
  } catch (error) {
    if (!isStale(error)) throw error;
    await client.query(`deallocate ${name}`).catch(() => {});
    return run(query);
  } finally {
    // The database alone knows whether it is still there.
    forget(client, name);
  }
}

async function nameOf(client: pg.PoolClient, names: Map<string, string>, text: string): Promise<string> {
  const [oldest] = names.keys();
  if (!names.has(text) && names.size >= most) await drop(client, names, oldest!);
  const name = names.get(text) ?? `statement_${++count}`;
  names.delete(text);
  names.set(text, name);
  return name;
}

/** "cached plan must not change result type", "prepared statement does not exist". */
const isStale = (error: unknown): boolean => ['0A000', '26000'].includes(sqlState(error) ?? '');

interface Names {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
}

async function drop(client: pg.PoolClient, names: Map<string, string>, text: string): Promise<void> {
  const name = names.get(text);
  if (name === undefined) return;
  names.delete(text);
  // It may be gone already.
  await client.query(`deallocate ${name}`).catch(() => {});
  forget(client, name);
}

/** Lets the client send the text again with the name. */
function forget(client: pg.PoolClient, name: string): void {
  const { parsedStatements, submittedNamedStatements } = (client as unknown as { connection: Names })
    .connection;
  delete parsedStatements[name];
  delete submittedNamedStatements[name];
}
