import { setImmediate as turn } from 'node:timers/promises';

export interface Groups<Asked, Answer> {
  /** Groups that are answered at the same time. */
  atOnce: number;
  /** Most of one group. */
  most: number;
  /** Only what is of one kind is answered together. */
  kindOf(asked: Asked): string;
  /** Answers in the order of what was asked. */
  answer(group: readonly Asked[]): Promise<readonly Answer[]>;
}

interface Waiting<Asked, Answer> {
  asked: Asked;
  kind: string;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * A function that answers what is asked in groups: what comes alone is answered at once, what comes while `atOnce` groups are under way waits
 * for one of them to end, and is answered with others of its kind. When a group fails each of it is answered alone, so that it fails only for itself.
 */
export function inGroups<Asked, Answer>(groups: Groups<Asked, Answer>): (asked: Asked) => Promise<Answer> {
  const { atOnce, most, kindOf, answer } = groups;
  let waiting: Waiting<Asked, Answer>[] = [];
  let running = 0;

  /** Those that wait for longest and are of one kind. */
  function next(): Waiting<Asked, Answer>[] {
    const alike = waiting.filter(({ kind }) => kind === waiting[0]!.kind);
    const group = new Set(alike.slice(0, most));
    waiting = waiting.filter((one) => !group.has(one));
    return [...group];
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
    while (waiting.length) {
      await settle(next());
      await turn();
    }
    running--;
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, kind: kindOf(asked), resolve, reject });
      if (running < atOnce) void work();
    });
}
