import cluster from 'node:cluster';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Log } from '@cartulary/runtime';
import { type Config, countOfProcesses } from '../config.js';
import { allocatorEnvironment } from './allocator.js';
import { type Installation, openInstallation } from './installation.js';
import { stopTimes } from './lifetime.js';
import type { RunningServer } from './server.js';
import { SupervisedWorker } from './supervised-worker.js';

/** Database connections of the supervisor; its sweeps need no more. */
const supervisorConnections = 3;

/**
 * Starts the service in several processes. This process holds the lock, the database and the sweeps, and
 * listens. It sends each connection to the next worker. A worker that ends by itself is started again.
 */
export async function startProcesses(
  config: Config,
  log: Log,
  say: (line: string) => void,
): Promise<Pick<RunningServer, 'url' | 'demo' | 'stop'>> {
  const own = { ...config, databaseConnections: supervisorConnections };
  const installation = await openInstallation(own, log, say);
  // Connections go to the workers in rotation.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const supervisor = new WorkerSupervisor(installation, config, log);
  const stop = async (): Promise<void> => {
    await supervisor.stop();
    await installation.stop();
  };
  try {
    const url = await supervisor.start(countOfProcesses(config));
    return { url, demo: Promise.resolve(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A worker that lived for less than this restarts after a pause. */
const stableLifeMs = 10_000;
/** The pause doubles with each early exit, within these bounds. */
const restartPauseMs = { min: 1_000, max: 30_000 };
/** Time that a worker gets beyond the time limit of its own shutdown. */
const exitGraceMs = 200;
/** Longest wait for the workers to accept the connections that were sent to them. */
const handoverTimeoutMs = 500;

const exec = fileURLToPath(new URL('./worker-process.js', import.meta.url));

/** Runs the workers: starts them, restarts those that end by themselves, and stops them. */
class WorkerSupervisor {
  readonly #installation: Installation;
  readonly #config: Config;
  readonly #log: Log;
  readonly #running = new Set<SupervisedWorker>();
  readonly #stopping = new AbortController();

  constructor(installation: Installation, config: Config, log: Log) {
    this.#installation = installation;
    this.#config = config;
    this.#log = log;
  }

  /** Starts workers. Resolves with their URL when all of them answer, and rejects when one cannot start. */
  async start(count: number): Promise<string> {
    const numbers = Array.from({ length: count }, (_, i) => i + 1);
    const [url] = await Promise.all(
      numbers.map((number) => {
        const first = this.#launch(number, count);
        void this.#keepRunning(first, number, count);
        return first.url;
      }),
    );
    return url!;
  }

  /** Lets the workers finish their requests, and kills those that exceed their time. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const ends = [...this.#running].map(({ ended }) => ended);
    await this.#connectionsAccepted();
    for (const { handover } of this.#running) handover.end();
    for (const worker of this.#running) worker.end();
    const timeoutMs = stopTimes(this.#config).servingMs + exitGraceMs;
    await Promise.race([Promise.all(ends), sleep(timeoutMs, undefined, { ref: false })]);
    for (const worker of this.#running) worker.kill();
  }

  /** Starts the worker again each time it ends, until the service stops. */
  async #keepRunning(first: SupervisedWorker, number: number, count: number): Promise<void> {
    const { signal } = this.#stopping;
    let pauseMs = 0;
    for (let worker = first; ; worker = this.#launch(number, count)) {
      const startedAt = performance.now();
      const how = await worker.ended;
      if (signal.aborted) return;
      this.#log.error(
        { number, how, failure: await worker.failure },
        'a serving process ended; it is started again',
      );
      await this.#installation
        .tidy()
        .catch((error) =>
          this.#log.warn({ err: error }, 'the leftovers of the process could not be removed'),
        );
      const wasStable = performance.now() - startedAt > stableLifeMs;
      pauseMs = wasStable ? 0 : Math.min(restartPauseMs.max, 2 * pauseMs || restartPauseMs.min);
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }

  #launch(number: number, count: number): SupervisedWorker {
    cluster.setupPrimary({ exec, args: [String(number), String(count)] });
    const worker = new SupervisedWorker(cluster.fork(allocatorEnvironment));
    this.#running.add(worker);
    void worker.ended.then(() => this.#running.delete(worker));
    return worker;
  }

  /** Waits until the workers have accepted all connections. Resolves directly after the poll phase, before other callbacks run. */
  async #connectionsAccepted(): Promise<void> {
    const deadline = performance.now() + handoverTimeoutMs;
    do await afterPoll();
    while (performance.now() < deadline && [...this.#running].some(({ handover }) => !handover.isSettled()));
  }
}
