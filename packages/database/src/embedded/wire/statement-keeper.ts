import { closeMessage, sharedStatement, syncMessage } from './messages.js';

/** Number of shared statements that the session keeps; each takes about 140 kB. */
const maxStatements = 64;

/** Tracks the shared statements (`sharedName`) that the session has parsed. */
export class StatementKeeper {
  readonly #execute: (messages: Buffer) => void;
  /** The least recently used comes first. */
  readonly #names = new Set<string>();

  constructor(execute: (messages: Buffer) => void) {
    this.#execute = execute;
  }

  /**
   * Whether the first message of a unit is a Parse that can be left out. A statement whose Parse failed counts as parsed until a
   * connection, told that it does not exist, deallocates it.
   */
  isParsed(message: Buffer): boolean {
    const { name, isGone } = sharedStatement(message);
    if (!name) return false;
    const isKept = this.#names.delete(name);
    if (isGone) return false;
    this.#names.add(name);
    const [oldest] = this.#names;
    if (this.#names.size > maxStatements) {
      this.#names.delete(oldest!);
      this.#execute(Buffer.concat([closeMessage(oldest!), syncMessage]));
    }
    return isKept;
  }
}
