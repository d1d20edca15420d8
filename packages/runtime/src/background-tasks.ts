import type { Log } from './log.js';

type Task = () => Promise<unknown>;

/** Tasks beside requests, run one after the other: at once, at intervals or after some time. Failures are logged. They keep no process running. */
export class BackgroundTasks {
  readonly #failed: (error: unknown) => void;
  readonly #timers: NodeJS.Timeout[] = [];
  #running: Promise<unknown> = Promise.resolve();
  #hasStopped = false;

  /** `failure`: the sentence that reports an error. */
  constructor(log: Log, failure: string) {
    this.#failed = (error) => log.warn({ err: error }, failure);
  }

  /** Runs a task when those before it are done. */
  run(task: Task): void {
    this.#running = this.#running.then(() => (this.#hasStopped ? undefined : task())).catch(this.#failed);
  }

  every(intervalMs: number, task: Task): void {
    this.#timers.push(setInterval(() => this.run(task), intervalMs).unref());
  }

  after(delayMs: number, task: Task): void {
    this.#timers.push(setTimeout(() => this.run(task), delayMs).unref());
  }

  /** Begins no more tasks. Resolves when the running one is done. */
  async stop(): Promise<void> {
    this.#hasStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#running;
  }
}
