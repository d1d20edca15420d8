import type { Duplex } from 'node:stream';
import type pg from 'pg';
import type { AnswerForm } from './answer-order.js';

/** Columns of a RowDescription, as `pg` parses it. */
export interface RowDescription {
  fields: readonly { name: string; dataTypeID: number }[];
}

/**
 * A request to the database. `pg` calls `submit` when the connection is free, and the `handle…` methods with the answer: the
 * contract of `pg.Submittable`, on which pg-cursor and pg-query-stream rely as well. `GuardedClient` delivers ParseComplete
 * and the rows, which `pg` does not deliver or delivers as text only.
 */
export abstract class Request implements pg.Submittable {
  /** Form of the answer; `GuardedClient` loses the connection for any other. */
  abstract readonly form: AnswerForm;
  /** Called by `submit`. */
  onSubmit: () => void = () => {};

  submit(connection: pg.Connection): void {
    this.onSubmit();
    this.send(connection);
  }

  /** Writes the messages of the request. */
  abstract send(connection: pg.Connection): void;

  handleParseComplete(): void {}

  handleRowDescription(_description: RowDescription): void {}

  /** `row`: a DataRow message; its bytes are part of a larger buffer. */
  handleRow(_row: Buffer): void {}

  /** A row was too long to be read. */
  handleLongRow(): void {}

  handleCommandComplete(_message: { text: string }): void {}

  handleEmptyQuery(): void {}

  handleCopyInResponse(_connection: { stream: Duplex }): void {}

  /** The request is answered. */
  abstract handleReadyForQuery(): void;

  /** The request failed; `handleReadyForQuery` is not called. */
  abstract handleError(error: Error): void;
}

/** Settles a promise with the end of a request. */
export interface Settle {
  resolve(): void;
  reject(error: Error): void;
}

/** Statements in one text without values, such as a migration. Their rows are dropped. */
export class SimpleRequest extends Request {
  readonly form: AnswerForm = { isExtended: false, isDescribed: true, copiesIn: false };
  readonly #text: string;
  readonly #settle: Settle;

  constructor(text: string, settle: Settle) {
    super();
    this.#text = text;
    this.#settle = settle;
  }

  send(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve();
  }

  handleError(error: Error): void {
    this.#settle.reject(error);
  }
}
