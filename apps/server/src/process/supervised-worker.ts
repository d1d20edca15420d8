import type { Worker } from 'node:cluster';
import { ConnectionHandover } from './connection-handover.js';

/**
 * A message of a worker: it answers, it could not start, or it received a signal to stop. Any message to a
 * worker asks it to stop.
 */
export type ServingReport = { url: string } | { failed: string } | { asked: true };

/** A worker of the supervisor. */
export class SupervisedWorker {
  /** Where the worker answers. Rejects when it ends before it answers. */
  readonly url: Promise<string>;
  /** Resolves with the signal or the status of the exit. */
  readonly ended: Promise<string>;
  /** The reason of a failed start, when the worker reported one. */
  readonly failure: Promise<string | undefined>;
  readonly handover: ConnectionHandover;
  readonly #worker: Worker;
  #isServing = false;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.handover = new ConnectionHandover(worker);
    const report = new Promise<ServingReport | undefined>((resolve) => {
      worker.once('message', resolve);
      worker.once('exit', () => resolve(undefined));
    });
    this.ended = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal ?? `status ${code}`));
      worker.on('error', () => {});
    });
    this.failure = report.then((message) => (message && 'failed' in message ? message.failed : undefined));
    this.url = report.then((message) => this.#urlOf(message));
    this.url.then(
      () => {
        this.#isServing = true;
      },
      () => {},
    );
    worker.on('message', (message: ServingReport) => {
      if (!('asked' in message)) return;
      this.handover.end();
      this.end();
    });
  }

  async #urlOf(message: ServingReport | undefined): Promise<string> {
    if (message && 'url' in message) return message.url;
    throw new Error((await this.failure) ?? `a serving process ended (${await this.ended})`);
  }

  /**
   * Lets the worker finish its requests. A worker that still starts may not listen to messages, so it gets a signal. A serving
   * worker gets a message: after a signal of the system a second one would end it at once.
   */
  end(): void {
    const worker = this.#worker;
    if (this.#isServing && worker.isConnected()) worker.send('end');
    else worker.process.kill('SIGTERM');
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }
}
