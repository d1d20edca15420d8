import pg from 'pg';
import { LostConnection } from './failure.js';
import { typeParsers } from './types.js';

/** What a statement was answered. */
export type Answer = Pick<pg.QueryResult, 'rows' | 'command'>;

/** What `pg` calls while it reads the answer to something that was submitted. */
interface Reader {
  submit(connection: pg.Connection): void;
  handleRowDescription(message: unknown): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleReadyForQuery(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}

/**
 * Runs statements one after the other, sent in one message: `tell` is given the answer to each that was run. When one
 * fails those after it are not run, and its error is what the promise rejects with.
 */
export function runTogether(
  client: pg.ClientBase,
  statements: readonly pg.QueryConfig[],
  tell: (answer: Answer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => (error ? reject(error) : resolve());
    client.query(new Together(statements, tell, settle));
  });
}

/**
 * Queries of `pg` between which nothing is waited for: the Sync that each would send comes once, at the end, up to where the
 * database skips what follows an error (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 */
class Together implements Reader {
  readonly #queries: readonly Reader[];
  readonly #settle: (error?: Error) => void;
  #at = 0;
  /** Of a statement that could not be sent, or whose rows could not be read. */
  #failure: { at: number; error: Error } | undefined;

  constructor(
    statements: readonly pg.QueryConfig[],
    tell: (answer: Answer) => void,
    settle: (error?: Error) => void,
  ) {
    this.#settle = settle;
    this.#queries = statements.map((statement, at) =>
      queryOf(statement, (error, answer) => {
        if (error) this.#failure ??= { at, error };
        else if (at < (this.#failure?.at ?? statements.length)) tell(answer);
      }),
    );
  }

  get #current(): Reader {
    const query = this.#queries[this.#at];
    if (!query) throw new LostConnection('the database answered more statements than it was asked');
    return query;
  }

  submit(connection: pg.Connection): void {
    const unsynced = Object.create(connection, { sync: { value: () => {} } }) as pg.Connection;
    connection.stream.cork();
    for (const query of this.#queries) {
      query.submit(unsynced);
      // It was not sent, and what follows it must not run.
      if (this.#failure) break;
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription(message: unknown): void {
    this.#current.handleRowDescription(message);
  }

  handleDataRow(message: unknown): void {
    this.#current.handleDataRow(message);
  }

  handleCommandComplete(message: unknown, connection: pg.Connection): void {
    const query = this.#current;
    this.#at += 1;
    query.handleCommandComplete(message, connection);
    query.handleReadyForQuery(connection);
  }

  /** Of a statement without words. */
  handleEmptyQuery(connection: pg.Connection): void {
    const query = this.#current;
    this.#at += 1;
    query.handleReadyForQuery(connection);
  }

  handleReadyForQuery(): void {
    if (this.#at < (this.#failure?.at ?? this.#queries.length)) {
      const lost = new LostConnection('the database left statements unanswered');
      this.#settle(lost);
      throw lost;
    }
    this.#settle(this.#failure?.error);
  }

  handleError(error: Error): void {
    this.#settle(error);
  }
}

function queryOf(
  statement: pg.QueryConfig,
  tell: (error: Error | undefined, answer: Answer) => void,
): Reader {
  const query = new pg.Query(statement, tell as never) as unknown as Reader & {
    _result: { _types: unknown };
  };
  // As the client does it with its own.
  query._result._types = typeParsers;
  return query;
}
