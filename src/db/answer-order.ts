/**
 * In which order the messages of a PostgreSQL server may come, which `pg` takes for granted: an answer that belongs to no
 * statement would be taken for that of the next. Pure.
 * https://www.postgresql.org/docs/current/protocol-flow.html
 */
import { countIn, typeOf } from './backend-messages.js';
import { LostConnection } from './failure.js';

/** How what is asked is answered. */
export interface Asked {
  /** By Parse, Bind and Execute; false: by Query. */
  isExtended: boolean;
  /** Rows are described before they come. */
  isDescribed: boolean;
  /** It sends rows itself. */
  copiesIn: boolean;
}

/** `starting` until the session is there, then `idle` while nothing is asked. */
export type Phase = 'starting' | 'idle' | Asked;

export interface AnswerOrder {
  /** Throws LostConnection for a message that may not come in this phase, or not behind those before it. */
  take(message: Buffer, phase: Phase): void;
}

/** Notification, notice, setting. */
const isAnytime = (type: string): boolean => 'ANS'.includes(type);

type Step = 'before' | 'bound' | 'rows' | 'copying' | 'failed';

/** By message, the steps in which an answer by Parse, Bind and Execute may hold it, and those in which one by Query may. */
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

/** The step after a message; absent: the same. */
const after: Readonly<Record<string, Step>> = {
  2: 'bound',
  T: 'rows',
  C: 'before',
  I: 'before',
  G: 'copying',
  E: 'failed',
  Z: 'before',
};

export function answerOrder(): AnswerOrder {
  let step: Step = 'before';
  let columns = 0;
  /** Of the statements since the last time that it was ready. */
  let answered = 0;

  function isNext(type: string, message: Buffer, asked: Asked): boolean {
    if (!steps[type]?.[asked.isExtended ? 0 : 1].includes(step)) return false;
    if (type === 'Z') return step === 'failed' || answered > 0;
    if (type === 'D') return step === 'rows' ? countIn(message) === columns : !asked.isDescribed;
    return (type !== 'T' || asked.isDescribed) && (type !== 'G' || asked.copiesIn);
  }

  function go(type: string, message: Buffer): void {
    if (type === 'T') columns = countIn(message);
    if ('CI3'.includes(type)) answered++;
    if (type === 'Z') answered = 0;
    step = after[type] ?? step;
  }

  return {
    take(message, phase) {
      const type = String.fromCharCode(typeOf(message));
      if (isAnytime(type)) return;
      if (typeof phase === 'string') {
        if (!(phase === 'starting' ? 'RKEZ' : 'E').includes(type)) throw unexpected(type, phase);
        return;
      }
      if (!isNext(type, message, phase)) throw unexpected(type, step);
      go(type, message);
    },
  };
}

const unexpected = (type: string, when: string): LostConnection =>
  new LostConnection(`the database sent a message that nobody waits for (${type}, ${when})`);
