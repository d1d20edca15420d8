import cluster, { type Worker } from 'node:cluster';
import { availableParallelism } from 'node:os';
import { setImmediate as afterPoll, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.js';
import { type HandingOver, watchHandingOver } from './handing-over.js';
import type { Log } from './http/service.js';
import { type Installation, openInstallation } from './installation.js';
import { stopTimes } from './lifetime.js';
import type { RunningServer } from './server.js';

/** What a serving process tells: that it answers, or why it could not start; that it has had a signal to end. Any message asks it to end. */
export type ServingReport = { url: string } | { failed: string } | { asked: true };

/** How many processes serve. */
export const countOfProcesses = ({ processes }: Config): number => processes || availableParallelism();

/** Connections of the process that starts the others: sweeps need no more. */
const ownConnections = 3;

/**
 * Starts the service in several processes: this one holds the lock, the database and the sweeps, listens, and hands each
 * connection to the next of the others, which serve. One of those that ends by itself is started again.
 */
export async function startProcesses(
  config: Config,
  log: Log,
): Promise<Pick<RunningServer, 'url' | 'adminPassword' | 'demo' | 'stop'>> {
  const installation = await openInstallation({ ...config, databaseConnections: ownConnections }, log);
  const { adminPassword } = installation;
  // The first of them to be free takes a connection, in turn.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  const crew = createCrew(installation, config, log);
  const stop = async (): Promise<void> => {
    await crew.stop();
    await installation.stop();
  };
  try {
    const url = await crew.start(countOfProcesses(config));
    return { url, adminPassword, demo: Promise.resolve(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Crew {
  /** Starts so many serving processes: where they answer, when all do. Rejects when one of them cannot start. */
  start(count: number): Promise<string>;
  /** Lets them finish what runs. */
  stop(): Promise<void>;
}

/** A process that lived shorter is started again after a rest, which grows from `shortest` to `longest`, ms. */
const soon = 10_000;
const rest = { shortest: 1_000, longest: 30_000 };
/** A process may take so much longer to end than it allows itself, ms. */
const exitGraceMs = 200;
/** How long a process may take to take the connections that it was given, ms. */
const handOverTimeoutMs = 500;

const exec = fileURLToPath(new URL('./serving-process.js', import.meta.url));

function createCrew({ tidy }: Installation, config: Config, log: Log): Crew {
  const running = new Set<Launched>();
  const leaving = new AbortController();

  /** Starts a process, and again each time it ends. Resolves when it answers, rejects when its first start fails. */
  function keep(number: number, count: number): Promise<string> {
    const first = launch(number, count);
    void (async () => {
      let pause = 0;
      for (let next = first; ; next = launch(number, count)) {
        const began = Date.now();
        const how = await next.ended;
        if (leaving.signal.aborted) return;
        log.error(
          { number, how, failure: await next.failure },
          'a serving process ended; it is started again',
        );
        await tidy().catch((error) => log.warn({ err: error }, 'what it left could not be tidied'));
        pause = Date.now() - began > soon ? 0 : Math.min(rest.longest, 2 * pause || rest.shortest);
        await sleep(pause, undefined, { signal: leaving.signal }).catch(() => {});
        if (leaving.signal.aborted) return;
      }
    })();
    return first.url;
  }

  function launch(number: number, count: number): Launched {
    cluster.setupPrimary({ exec, args: [String(number), String(count)] });
    const worker = cluster.fork();
    const launched = watch(worker, watchHandingOver(worker));
    running.add(launched);
    void launched.ended.then(() => running.delete(launched));
    return launched;
  }

  return {
    async start(count) {
      const numbers = Array.from({ length: count }, (_, i) => i + 1);
      const [url] = await Promise.all(numbers.map((number) => keep(number, count)));
      return url!;
    },
    async stop() {
      leaving.abort();
      const ends = [...running].map(({ ended }) => ended);
      await settled(running);
      for (const { handing } of running) handing.end();
      for (const launched of running) launched.end();
      await Promise.race([
        Promise.all(ends),
        sleep(stopTimes(config).serving + exitGraceMs, undefined, { ref: false }),
      ]);
      for (const launched of running) launched.kill();
    },
  };
}

/** Waits until all connections that have come are with a process; right after that nothing else runs. */
async function settled(running: ReadonlySet<Launched>): Promise<void> {
  const end = Date.now() + handOverTimeoutMs;
  do await afterPoll();
  while (Date.now() < end && [...running].some(({ handing }) => !handing.isSettled()));
}

interface Launched {
  /** Rejects when it ends before it answers. */
  url: Promise<string>;
  /** Tells the signal or the status. */
  ended: Promise<string>;
  /** Why it could not start, as far as it could say so. */
  failure: Promise<string | undefined>;
  handing: HandingOver;
  /** Lets it finish what runs. */
  end(): void;
  kill(): void;
}

function watch(worker: Worker, handing: HandingOver): Launched {
  const report = new Promise<ServingReport | undefined>((resolve) => {
    worker.once('message', resolve);
    worker.once('exit', () => resolve(undefined));
  });
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `status ${code}`));
    worker.on('error', () => {});
  });
  const failure = report.then((said) => (said && 'failed' in said ? said.failed : undefined));
  const url = report.then(async (said) => {
    if (said && 'url' in said) return said.url;
    throw new Error((await failure) ?? `a serving process ended (${await ended})`);
  });
  let isServing = false;
  url.then(
    () => {
      isServing = true;
    },
    () => {},
  );
  // One that does not serve yet may not hear messages. A signal would end one at once that has had it from the system already.
  const end = (): void =>
    void (isServing && worker.isConnected() ? worker.send('end') : worker.process.kill('SIGTERM'));
  worker.on('message', (said: ServingReport) => {
    if (!('asked' in said)) return;
    handing.end();
    end();
  });
  return { url, ended, failure, handing, end, kill: () => void worker.process.kill('SIGKILL') };
}
