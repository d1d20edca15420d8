/**
 * Order in which messages of a PostgreSQL server may come. `pg` does not check it: it would take an unexpected answer for that
 * of the next statement. Pure.
 * https://www.postgresql.org/docs/current/protocol-flow.html
 */

import { LostConnection } from '../failure.js';
import { countIn, typeOf } from './backend-messages.js';

/** Form of the answer to a request. */
export interface AnswerForm {
  /** The request consists of Parse, Bind and Execute; false: of Query. */
  isExtended: boolean;
  /** A RowDescription precedes the rows. */
  isDescribed: boolean;
  /** The request is a COPY FROM STDIN. */
  copiesIn: boolean;
}

/** `starting` until the session is ready for the first time, `idle` between requests. */
export type ProtocolPhase = 'starting' | 'idle' | AnswerForm;

/** Notification, notice, setting. */
const isAsynchronous = (type: string): boolean => 'ANS'.includes(type);

type Step = 'before' | 'bound' | 'rows' | 'copying' | 'failed';

/** Steps in which each message is allowed: in an answer to Parse, Bind and Execute, and in one to Query. */
const steps: Readonly<Record<string, readonly [extended: readonly Step[], simple: readonly Step[]]>> = {
  1: [['before'], []],
  2: [['before'], []],
  3: [['before'], []],
  n: [['bound'], []],
  T: [['bound'], ['before']],
  D: [['rows', 'bound'], ['rows']],
  C: [
    ['rows', 'bound'],
    ['rows', 'before', 'copying'],
  ],
  I: [['bound'], ['before']],
  G: [[], ['before']],
  E: [
    ['before', 'bound', 'rows'],
    ['before', 'rows', 'copying'],
  ],
  Z: [
    ['before', 'failed'],
    ['before', 'failed'],
  ],
};

/** Step after a message; absent: it does not change. */
const stepAfter: Readonly<Record<string, Step>> = {
  2: 'bound',
  T: 'rows',
  C: 'before',
  I: 'before',
  G: 'copying',
  E: 'failed',
  Z: 'before',
};

/** Checks the order of the messages of one connection. */
export class AnswerOrder {
  #step: Step = 'before';
  #columns = 0;
  /** Statements answered since the last ReadyForQuery. */
  #answered = 0;

  /** Throws LostConnection for a message that is not allowed in this phase, or not behind those before it. */
  take(message: Buffer, phase: ProtocolPhase): void {
    const type = String.fromCharCode(typeOf(message));
    if (isAsynchronous(type)) return;
    if (typeof phase === 'string') {
      if (!(phase === 'starting' ? 'RKEZ' : 'E').includes(type)) throw unexpected(type, phase);
      return;
    }
    if (!this.#isAllowed(type, message, phase)) throw unexpected(type, this.#step);
    this.#advance(type, message);
  }

  #isAllowed(type: string, message: Buffer, form: AnswerForm): boolean {
    const step = this.#step;
    if (!steps[type]?.[form.isExtended ? 0 : 1].includes(step)) return false;
    if (type === 'Z') return step === 'failed' || this.#answered > 0;
    if (type === 'D') return step === 'rows' ? countIn(message) === this.#columns : !form.isDescribed;
    return (type !== 'T' || form.isDescribed) && (type !== 'G' || form.copiesIn);
  }

  #advance(type: string, message: Buffer): void {
    if (type === 'T') this.#columns = countIn(message);
    if ('CI3'.includes(type)) this.#answered++;
    if (type === 'Z') this.#answered = 0;
    this.#step = stepAfter[type] ?? this.#step;
  }
}

const unexpected = (type: string, when: string): LostConnection =>
  new LostConnection(`the database sent an unexpected message (${type}, ${when})`);
