import { sharedName } from '../embedded/wire/messages.js';
import { sqlState } from '../failure.js';

/** Number of statements that a connection of PostgreSQL keeps; each takes about 140 kB there. */
const maxStatements = 32;

/** Name under which a statement is sent. */
export interface StatementName {
  name: string;
  /** The session has the statement: Parse is left out. */
  isParsed: boolean;
  /** Called when the session has parsed it. */
  onParsed?: () => void;
}

type Run<T> = (name?: StatementName) => Promise<T>;

interface Session {
  runSimple(text: string): Promise<void>;
}

let count = 0;

/**
 * Statements that one connection keeps by name, so that PostgreSQL parses each once per connection and may keep one plan for all
 * values. A statement that became invalid (its table has changed, another client has removed it) runs again without a name.
 */
export class PreparedStatements {
  readonly #session: Session;
  /** By text; the least recently used comes first. */
  readonly #kept = new Map<string, StatementName>();
  /** Texts that were run once lately. Only a text that comes again gets a name: to keep one and to remove another takes a message. */
  readonly #seen = new Set<string>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Runs a statement, under a name of this connection if it has run here before. */
  async run<T>(text: string, run: Run<T>): Promise<T> {
    if (!this.#kept.has(text) && !this.#seen.delete(text)) {
      this.#see(text);
      return run();
    }
    const [oldest] = this.#kept.keys();
    if (!this.#kept.has(text) && this.#kept.size >= maxStatements) await this.#drop(oldest!);
    const kept = this.#kept.get(text) ?? this.#named();
    this.#kept.delete(text);
    this.#kept.set(text, kept);
    try {
      return await run(kept);
    } catch (error) {
      if (!isStale(error)) throw error;
      await this.#drop(text);
      return run();
    }
  }

  /**
   * Runs a statement under the name of its text, on the embedded database: its connections share one session, and so its statements.
   * Each connection sends Parse; `wire-server.ts` leaves it out where the session has the statement.
   */
  async runShared<T>(text: string, run: Run<T>): Promise<T> {
    const name = sharedName(text);
    try {
      return await run({ name, isParsed: false });
    } catch (error) {
      if (!isStale(error)) throw error;
      await this.#deallocate(name);
      return run();
    }
  }

  #see(text: string): void {
    const [oldest] = this.#seen;
    if (this.#seen.size >= maxStatements) this.#seen.delete(oldest!);
    this.#seen.add(text);
  }

  #named(): StatementName {
    const named: StatementName = {
      name: `statement_${++count}`,
      isParsed: false,
      onParsed: () => {
        named.isParsed = true;
      },
    };
    return named;
  }

  async #drop(text: string): Promise<void> {
    const kept = this.#kept.get(text);
    this.#kept.delete(text);
    if (kept) await this.#deallocate(kept.name);
  }

  /** The session may not have it. */
  #deallocate(name: string): Promise<void> {
    return this.#session.runSimple(`deallocate ${name}`).catch(() => {});
  }
}

/** "cached plan must not change result type", "prepared statement does not exist". */
const isStale = (error: unknown): boolean => ['0A000', '26000'].includes(sqlState(error) ?? '');
