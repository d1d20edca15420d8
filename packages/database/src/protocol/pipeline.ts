import pg from 'pg';
import { LostConnection, tooManyBytes } from '../failure.js';
import { typeParsers } from '../types.js';
import type { AnswerForm } from './answer-order.js';
import { type BinaryRow, firstValueOffset, maxRowBytes, rowValues } from './backend-messages.js';
import type { GuardedClient } from './client.js';
import type { StatementName } from './prepared.js';
import { Request, type RowDescription, type Settle } from './request.js';

/** A statement with its values. */
export interface Statement {
  text: string;
  values: readonly unknown[];
}

/** Result of a statement: `command` is the first word of its tag, such as `COMMIT`. */
export interface Answer {
  rows: unknown[];
  command: string;
}

/** Exported by `pg` without types; pg-cursor converts its values by it. */
const { prepareValue } = (
  pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }
).utils;

/** Writes messages to the stream of a connection. `@types/pg` demands a second argument, which `pg` ignores. */
interface MessageWriter {
  parse(statement: { name: string; text: string }): void;
  bind(values: { statement: string; values: readonly (string | Buffer | null)[]; binary: boolean }): void;
  describe(portal: { type: 'P'; name: '' }): void;
  execute(portal: null): void;
}

/** Reads the answer to one statement. */
interface AnswerReader {
  describe(description: RowDescription): void;
  /** Throws what a type's parser throws. */
  take(row: Buffer): void;
  end(command: string): void;
}

/** Makes an object of each row, by the parsers of types. */
class ObjectReader implements AnswerReader {
  readonly #rows: unknown[] = [];
  readonly #tell: (answer: Answer) => void;
  #columns: { name: string; parse: (text: string) => unknown }[] = [];
  /** All columns in their order: copies of it share one hidden class. */
  #blank: Record<string, unknown> = {};

  constructor(tell: (answer: Answer) => void) {
    this.#tell = tell;
  }

  describe({ fields }: RowDescription): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: typeParsers.getTypeParser(dataTypeID, 'text') as (text: string) => unknown,
    }));
    this.#blank = Object.fromEntries(fields.map(({ name }) => [name, null]));
  }

  take(message: Buffer): void {
    const row = { ...this.#blank };
    let at = firstValueOffset;
    for (const { name, parse } of this.#columns) {
      const size = message.readInt32BE(at);
      at += 4;
      row[name] = size < 0 ? null : parse(message.toString('utf8', at, at + size));
      at += Math.max(0, size);
    }
    this.#rows.push(row);
  }

  end(command: string): void {
    this.#tell({ rows: this.#rows, command });
  }
}

/** Keeps the bytes of the values. */
class BinaryReader implements AnswerReader {
  readonly rows: BinaryRow[] = [];

  describe(): void {}

  take(message: Buffer): void {
    this.rows.push(rowValues(message));
  }

  end(): void {}
}

interface PipelinedStatement {
  statement: Statement;
  name?: StatementName | undefined;
  isBinary?: boolean;
  reader: AnswerReader;
}

interface Failure {
  at: number;
  error: Error;
}

/**
 * Statements that are sent in one message and run in their order. Sync is sent once, at the end, so the database skips the statements
 * after one that fails (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING).
 * The pipeline mode of `pg` sends a Sync with each statement: there those after a failed BEGIN would run.
 */
class Pipeline extends Request {
  readonly form: AnswerForm = { isExtended: true, isDescribed: true, copiesIn: false };
  readonly #statements: readonly PipelinedStatement[];
  readonly #settle: Settle;
  #at = 0;
  /** Of the rows of the current statement. */
  #rowBytes = 0;
  /** First statement whose values cannot be sent, or whose rows cannot be read. */
  #failure: Failure | undefined;

  constructor(statements: readonly PipelinedStatement[], settle: Settle) {
    super();
    this.#statements = statements;
    this.#settle = settle;
  }

  send(connection: pg.Connection): void {
    const { stream } = connection;
    stream.cork();
    for (const [at, one] of this.#statements.entries()) {
      try {
        sendStatement(connection as unknown as MessageWriter, one);
      } catch (error) {
        // The statements behind it must not run. The Close is answered, so that the Sync is not the only message.
        this.#failure = { at, error: error as Error };
        connection.close({ type: 'S', name: '' }, true);
        break;
      }
    }
    connection.sync();
    stream.uncork();
  }

  override handleParseComplete(): void {
    this.#current.name?.onParsed?.();
  }

  override handleRowDescription(description: RowDescription): void {
    this.#current.reader.describe(description);
  }

  override handleRow(row: Buffer): void {
    if (this.#failure?.at === this.#at) return;
    this.#rowBytes += row.length;
    if (this.#rowBytes > maxRowBytes) {
      this.handleLongRow();
      return;
    }
    try {
      this.#current.reader.take(row);
    } catch (error) {
      this.#failure ??= { at: this.#at, error: error as Error };
    }
  }

  override handleLongRow(): void {
    this.#failure ??= { at: this.#at, error: tooManyBytes(maxRowBytes) };
  }

  override handleCommandComplete({ text }: { text: string }): void {
    this.#end(/^[A-Za-z]+/.exec(text)?.[0] ?? '');
  }

  override handleEmptyQuery(): void {
    this.#end('');
  }

  handleReadyForQuery(): void {
    if (this.#at < (this.#failure?.at ?? this.#statements.length)) {
      const lost = new LostConnection('the database left statements unanswered');
      this.#settle.reject(lost);
      throw lost;
    }
    if (this.#failure) this.#settle.reject(this.#failure.error);
    else this.#settle.resolve();
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }

  get #current(): PipelinedStatement {
    const current = this.#statements[this.#at];
    if (!current) throw new LostConnection('the database answered more statements than it was sent');
    return current;
  }

  #end(command: string): void {
    const { reader } = this.#current;
    if (this.#at < (this.#failure?.at ?? this.#statements.length)) reader.end(command);
    this.#at += 1;
    this.#rowBytes = 0;
  }
}

/** Throws, before anything is sent, for a value that has no form in the protocol. */
function sendStatement(connection: MessageWriter, { statement, name, isBinary }: PipelinedStatement): void {
  const values = statement.values.map(prepareValue);
  if (!name?.isParsed) connection.parse({ name: name?.name ?? '', text: statement.text });
  connection.bind({ statement: name?.name ?? '', values, binary: isBinary === true });
  connection.describe({ type: 'P', name: '' });
  connection.execute(null);
}

const run = (client: GuardedClient, statements: readonly PipelinedStatement[]): Promise<void> =>
  new Promise((resolve, reject) => {
    client.run(new Pipeline(statements, { resolve, reject }));
  });

/** Runs statements in one pipeline. `tell` receives the answers to those that ran; rejects with the error of the one that failed. */
export const runPipeline = (
  client: GuardedClient,
  statements: readonly Statement[],
  tell: (answer: Answer) => void,
): Promise<void> =>
  run(
    client,
    statements.map((statement) => ({ statement, reader: new ObjectReader(tell) })),
  );

/** Rows of one statement, as objects. */
export async function queryRows(
  client: GuardedClient,
  statement: Statement,
  name?: StatementName,
): Promise<unknown[]> {
  let rows: unknown[] = [];
  const reader = new ObjectReader((answer) => {
    rows = answer.rows;
  });
  await run(client, [{ statement, name, reader }]);
  return rows;
}

/** Rows of one statement, as bytes: bytea without hexadecimal digits, and text that is passed on without decoding. */
export async function queryBinary(
  client: GuardedClient,
  statement: Statement,
  name?: StatementName,
): Promise<BinaryRow[]> {
  const reader = new BinaryReader();
  await run(client, [{ statement, name, isBinary: true, reader }]);
  return reader.rows;
}
