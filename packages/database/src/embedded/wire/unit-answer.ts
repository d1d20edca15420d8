/**
 * Answer of the embedded engine to the messages of a unit. An engine whose statement was interrupted half-way continues as if it had
 * ended: without a row or an error, and the next COMMIT stores the half of its work. The answer shows this, so it is checked. Pure.
 */
import { letter } from '../../protocol/backend-messages.js';

/** Properties of a unit that its answer must match. */
export interface UnitOrder {
  /** Messages that run a statement; each is answered by itself. */
  statements: number;
  /** Some of them limit the number of rows. */
  isLimited: boolean;
  /** It ends with a Query or Sync, whose answer is ReadyForQuery. */
  isWhole: boolean;
  /** The engine skips it, because of an error before it. */
  isSkipped: boolean;
}

const headerBytes = 5;
const [readyForQuery, suspended] = [letter('Z'), letter('s')];
const knownTypes = new Set([...'123ACDEHINSTVZcdnst'].map(letter));

/**
 * Passes an answer on, except ReadyForQuery, which it keeps for the end: PGlite 0.5.8 sends it twice after an error of Parse, Bind and
 * Execute, and a client would take the second for the end of its next request.
 */
export class UnitAnswer {
  readonly #order: UnitOrder;
  readonly #write: (bytes: Uint8Array) => void;
  readonly #counts = new Map<number, number>();
  readonly #lengthBytes = Buffer.alloc(4);
  /** Bytes of the current header that have been read. */
  #headerAt = 0;
  #leftBytes = 0;
  #isReady = false;
  #status: number | undefined;
  /** It contains a message that no answer contains: the rest is dropped. */
  #isBroken = false;

  constructor(order: UnitOrder, write: (bytes: Uint8Array) => void) {
    this.#order = order;
    this.#write = write;
  }

  /** Passes a chunk of the answer on. The chunk is valid only during the call. */
  take(chunk: Uint8Array): void {
    let from = 0;
    let at = 0;
    if (this.#isBroken) return;
    while (at < chunk.length) {
      if (this.#headerAt === 0) {
        this.#begin(chunk[at]!);
        if (this.#isReady || this.#isBroken) this.#pass(chunk, from, at);
        if (this.#isBroken) return;
        this.#headerAt = 1;
        at++;
      } else if (this.#headerAt < headerBytes) {
        this.#lengthBytes[this.#headerAt - 1] = chunk[at++]!;
        if (++this.#headerAt === headerBytes) this.#leftBytes = this.#lengthBytes.readUInt32BE() - 4;
      } else {
        const size = Math.min(this.#leftBytes, chunk.length - at);
        at += size;
        this.#leftBytes -= size;
        if (this.#isReady) this.#status = chunk[at - 1];
      }
      if (this.#headerAt === headerBytes && this.#leftBytes <= 0) this.#headerAt = 0;
      if (this.#isReady) from = at;
    }
    this.#pass(chunk, from, at);
  }

  /** Fault of the whole answer, if it has one. */
  fault(): string | undefined {
    const { isWhole, isSkipped, statements } = this.#order;
    if (this.#isBroken) return 'a statement that was interrupted';
    if (this.#headerAt !== 0) return 'a message without an end';
    if (isWhole && this.#status === undefined) return 'an answer without an end';
    if (this.hasFailed() || isSkipped) return undefined;
    const answered = this.#count('CIsV');
    return answered >= statements ? undefined : `${answered} answers to ${statements} statements`;
  }

  /** ReadyForQuery, the last message of a whole unit. */
  ready(): Buffer | undefined {
    return this.#order.isWhole && this.#status !== undefined
      ? Buffer.from([readyForQuery, 0, 0, 0, 5, this.#status])
      : undefined;
  }

  hasFailed(): boolean {
    return this.#count('E') > 0;
  }

  #begin(type: number): void {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
    this.#isReady = type === readyForQuery;
    this.#isBroken = !knownTypes.has(type) || (type === suspended && !this.#order.isLimited);
  }

  #pass(chunk: Uint8Array, from: number, end: number): void {
    if (end > from) this.#write(chunk.subarray(from, end));
  }

  #count(types: string): number {
    return [...types].reduce((sum, type) => sum + (this.#counts.get(letter(type)) ?? 0), 0);
  }
}
