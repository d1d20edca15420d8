import type { GlyphRange } from '@cartulary/renderer';
import type { DrawJob } from './draw-job.js';
import type { RendererProcess } from './renderer-process.js';

/** A job that waits for its tiles. */
export interface Waiting {
  job: DrawJob | GlyphRange;
  /** Gives the job that is drawn instead; undefined: `job` is drawn. */
  grow: (() => DrawJob) | undefined;
  /** Only the first answer counts. */
  resolve: (tiles: Uint8Array[]) => void;
  reject: (error: unknown) => void;
  /** Removes the deadline and the signal's listener. */
  settle: () => void;
}

interface Given {
  id: number;
  waiting: Waiting;
  /** Whether it is not wanted here any more; it may have begun before it could be withdrawn. */
  isWithdrawn: boolean;
}

/**
 * A renderer process and the jobs that it was given. It draws the first; the next one waits there, and is begun without the time that an answer and
 * a job take between the processes.
 */
export class Renderer {
  readonly process: RendererProcess;
  readonly #timeoutMs: number;
  state: 'starting' | 'ready' | 'ending' = 'starting';
  hasStarted = false;
  /** Whether it was ended because drawing took too long. */
  isLate = false;
  readonly #given: Given[] = [];
  #limit: NodeJS.Timeout | undefined;
  #drawingSince = 0;

  /** `timeoutMs`: longest time of one job; then the process is ended. */
  constructor(process: RendererProcess, timeoutMs: number) {
    this.process = process;
    this.#timeoutMs = timeoutMs;
  }

  get jobs(): number {
    return this.#given.length;
  }

  /** How long the first job has been drawn. */
  get drawingMs(): number {
    return performance.now() - this.#drawingSince;
  }

  give(waiting: Waiting): void {
    this.#given.push({ id: this.process.send(waiting.job), waiting, isWithdrawn: false });
    if (this.jobs === 1) this.#begin();
  }

  /** Takes back the job that waits; undefined: there is none. */
  takeBack(): Waiting | undefined {
    const [, second] = this.#given;
    if (!second || second.isWithdrawn) return undefined;
    second.isWithdrawn = true;
    this.process.withdraw(second.id);
    return second.waiting;
  }

  /** Takes back this job; false: it does not wait here. */
  takeBackThis(waiting: Waiting): boolean {
    return this.#given[1]?.waiting === waiting && this.takeBack() !== undefined;
  }

  /** Removes a job that the process has answered; returns undefined for an unknown one. */
  answered(id: number): Waiting | undefined {
    const at = this.#given.findIndex((one) => one.id === id);
    if (at < 0) return undefined;
    const [answered] = this.#given.splice(at, 1);
    if (at === 0) this.#begin();
    return answered!.waiting;
  }

  /** Removes all jobs: the one that was being drawn, unless it is not wanted any more, and those that waited. */
  abandon(): { drawn: Waiting | undefined; others: Waiting[] } {
    clearTimeout(this.#limit);
    const [first, ...rest] = this.#given.splice(0);
    const others = rest.flatMap(({ waiting, isWithdrawn }) => (isWithdrawn ? [] : waiting));
    return { drawn: first?.isWithdrawn ? undefined : first?.waiting, others };
  }

  end(): void {
    this.state = 'ending';
    this.process.kill();
  }

  /** Starts the time of the first job, which the process draws from now on. */
  #begin(): void {
    clearTimeout(this.#limit);
    const [first] = this.#given;
    // A process that ends draws nothing more that counts.
    if (!first || this.state === 'ending') return;
    if (!first.isWithdrawn) first.waiting.settle();
    this.#drawingSince = performance.now();
    this.#limit = setTimeout(() => {
      this.isLate = true;
      this.end();
    }, this.#timeoutMs);
  }
}
