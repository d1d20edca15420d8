/**
 * What the embedded engine answers to the messages of a unit. An engine whose statement was broken off half-way goes on as if it had
 * ended: no row, no error, and a COMMIT behind it stores what it has left. That shows in the answer, so it is looked at. Pure.
 */
import { letter } from './backend-messages.js';

/** What is asked in a unit. */
export interface UnitOrder {
  /** Messages that run a statement, or in a Query at least one: each is answered by itself. */
  statements: number;
  /** Some of them ask for so many rows and no more. */
  isLimited: boolean;
  /** It ends with a Query or Sync, which is answered last of all. */
  isWhole: boolean;
  /** An error before it makes the engine skip it. */
  isSkipped: boolean;
}

export interface UnitAnswer {
  /** Gives a piece of the answer on. It is valid only during the call. */
  take(piece: Uint8Array): void;
  /** What is wrong with the answer as a whole, if anything is. */
  fault(): string | undefined;
  /** The last message: that the session is ready. */
  ready(): Buffer | undefined;
  hasFailed(): boolean;
}

const head = 5;
const [readyForQuery, suspended] = [letter('Z'), letter('s')];
const known = new Set([...'123ACDEHINSTVZcdnst'].map(letter));

/**
 * Takes what the engine says of being ready out of its answer, and gives it once, at the end: PGlite 0.5.8 says it twice after an error
 * of Parse, Bind and Execute, and a client that has asked on takes the second for the end of that answer.
 */
export function unitAnswer(order: UnitOrder, write: (bytes: Uint8Array) => void): UnitAnswer {
  const counts = new Map<number, number>();
  const lengthBytes = Buffer.alloc(4);
  let headAt = 0;
  let left = 0;
  let isReady = false;
  let status: number | undefined;
  /** It holds what no answer may hold: nothing from there on is given on. */
  let isBroken = false;
  const count = (types: string): number =>
    [...types].reduce((sum, type) => sum + (counts.get(letter(type)) ?? 0), 0);

  function take(piece: Uint8Array): void {
    let from = 0;
    let at = 0;
    if (isBroken) return;
    const passUpTo = (end: number): void => {
      if (end > from) write(piece.subarray(from, end));
    };
    while (at < piece.length) {
      if (headAt === 0) {
        const type = piece[at]!;
        counts.set(type, (counts.get(type) ?? 0) + 1);
        isReady = type === readyForQuery;
        isBroken = !known.has(type) || (type === suspended && !order.isLimited);
        if (isReady || isBroken) passUpTo(at);
        if (isBroken) return;
        headAt = 1;
        at++;
      } else if (headAt < head) {
        lengthBytes[headAt - 1] = piece[at++]!;
        if (++headAt === head) left = lengthBytes.readUInt32BE() - 4;
      } else {
        const size = Math.min(left, piece.length - at);
        at += size;
        left -= size;
        if (isReady) status = piece[at - 1];
      }
      if (headAt === head && left <= 0) headAt = 0;
      if (isReady) from = at;
    }
    passUpTo(at);
  }

  function fault(): string | undefined {
    if (isBroken) return 'a statement that was broken off';
    if (headAt !== 0) return 'a message without an end';
    if (order.isWhole && status === undefined) return 'an answer without an end';
    if (count('E') || order.isSkipped) return undefined;
    const answered = count('CIsV');
    return answered >= order.statements ? undefined : `${answered} answers to ${order.statements} statements`;
  }

  return {
    take,
    fault,
    ready: () =>
      order.isWhole && status !== undefined ? Buffer.from([readyForQuery, 0, 0, 0, 5, status]) : undefined,
    hasFailed: () => count('E') > 0,
  };
}
