import { setImmediate as yieldNow } from 'node:timers/promises';
import { busy, type WaitingLimits } from '@cartulary/runtime';

export interface BatchLimits extends Required<WaitingLimits> {
  /** Batches that run at the same time. */
  atOnce: number;
}

export interface BatcherOptions<Asked, Answer> extends BatchLimits {
  maxBatchSize: number;
  /** Only questions of one kind share a batch. */
  kindOf(asked: Asked): string;
  /** Answers in the order of the questions. */
  answer(batch: readonly Asked[]): Promise<readonly Answer[]>;
}

interface Waiting<Asked, Answer> {
  asked: Asked;
  /** ms since 1970. */
  since: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Answers questions in batches. A question that comes alone is answered at once. Questions that come while `atOnce` batches run
 * wait, and share a batch with others of their kind; kinds alternate. When a batch fails, each of its questions is answered
 * alone, so that one question's error hits no other.
 */
export class Batcher<Asked, Answer> {
  readonly #options: BatcherOptions<Asked, Answer>;
  /** By kind, the oldest first; the next kind comes first. */
  readonly #kinds = new Map<string, Waiting<Asked, Answer>[]>();
  #waiting = 0;
  #running = 0;

  constructor(options: BatcherOptions<Asked, Answer>) {
    this.#options = options;
  }

  /** Throws `busy` when too many wait, or, when its kind is served, when the question has waited too long. */
  ask(asked: Asked): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { maxWaiting, kindOf, atOnce } = this.#options;
      if (this.#waiting >= maxWaiting) throw busy();
      const kind = kindOf(asked);
      const queue = this.#kinds.get(kind) ?? [];
      queue.push({ asked, since: performance.now(), resolve, reject });
      this.#kinds.set(kind, queue);
      this.#waiting++;
      if (this.#running < atOnce) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#running++;
    // Questions of the same moment share the batch.
    await yieldNow();
    while (this.#waiting) {
      const batch = this.#next();
      if (!batch.length) continue;
      await this.#settle(batch);
      await yieldNow();
    }
    this.#running--;
  }

  /** The oldest questions of the next kind; none when all of them have waited too long. */
  #next(): Waiting<Asked, Answer>[] {
    const { maxWaitMs, maxBatchSize } = this.#options;
    const [first] = this.#kinds;
    const [kind, queue] = first!;
    const inTime = queue.findIndex(({ since }) => since >= performance.now() - maxWaitMs);
    const late = queue.splice(0, inTime < 0 ? queue.length : inTime);
    for (const { reject } of late) reject(busy());
    const batch = queue.splice(0, maxBatchSize);
    this.#waiting -= late.length + batch.length;
    this.#kinds.delete(kind);
    if (queue.length) this.#kinds.set(kind, queue);
    return batch;
  }

  async #settle(batch: readonly Waiting<Asked, Answer>[]): Promise<void> {
    try {
      const answers = await this.#options.answer(batch.map(({ asked }) => asked));
      for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!);
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error);
      else for (const one of batch) await this.#settle([one]);
    }
  }
}
