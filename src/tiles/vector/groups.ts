import { setImmediate as turn } from 'node:timers/promises';
import { busy, type WaitingLimits } from '../../http/turns.js';

export interface GroupLimits extends Required<WaitingLimits> {
  /** Groups that are answered at the same time. */
  atOnce: number;
}

export interface Groups<Asked, Answer> extends GroupLimits {
  /** Most of one group. */
  most: number;
  /** Only what is of one kind is answered together. */
  kindOf(asked: Asked): string;
  /** Answers in the order of what was asked. */
  answer(group: readonly Asked[]): Promise<readonly Answer[]>;
}

interface Waiting<Asked, Answer> {
  asked: Asked;
  /** ms since 1970. */
  since: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * A function that answers what is asked in groups: what comes alone is answered at once, what comes while `atOnce` groups are under way waits
 * for one of them to end, and is answered with others of its kind, kinds in turns. When a group fails each of it is answered alone, so that it
 * fails only for itself. Beyond the limits of waiting it rejects with `busy`: who has waited too long does when the turn of his kind comes.
 */
export function inGroups<Asked, Answer>(groups: Groups<Asked, Answer>): (asked: Asked) => Promise<Answer> {
  const { atOnce, most, kindOf, answer } = groups;
  /** By kind, the oldest first; the kind whose turn is next comes first. */
  const kinds = new Map<string, Waiting<Asked, Answer>[]>();
  let waiting = 0;
  let running = 0;

  /** Of the next kind those that wait for longest; none where all of them have waited too long. */
  function next(): Waiting<Asked, Answer>[] {
    const [first] = kinds;
    const [kind, queue] = first!;
    const inTime = queue.findIndex(({ since }) => since >= Date.now() - groups.patience);
    const gone = queue.splice(0, inTime < 0 ? queue.length : inTime);
    for (const { reject } of gone) reject(busy());
    const group = queue.splice(0, most);
    waiting -= gone.length + group.length;
    kinds.delete(kind);
    if (queue.length) kinds.set(kind, queue);
    return group;
  }

  async function settle(group: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await answer(group.map(({ asked }) => asked));
      for (const [i, { resolve }] of group.entries()) resolve(answers[i]!);
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error);
      else for (const one of group) await settle([one]);
    }
  }

  async function work(): Promise<void> {
    running++;
    // What comes in the same moment is of the group.
    await turn();
    while (waiting) {
      const group = next();
      if (!group.length) continue;
      await settle(group);
      await turn();
    }
    running--;
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      if (waiting >= groups.waiting) throw busy();
      const kind = kindOf(asked);
      const queue = kinds.get(kind) ?? [];
      queue.push({ asked, since: Date.now(), resolve, reject });
      kinds.set(kind, queue);
      waiting++;
      if (running < atOnce) void work();
    });
}
