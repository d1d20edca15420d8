/** A worker: one of several processes that serve. It ends with the supervisor that started it. */
import cluster from 'node:cluster';
import { raisePriority } from '@cartulary/runtime';
import { pino } from 'pino';
import { parseConfig } from '../config.js';
import { tuneCollections } from './garbage-collection.js';
import { openSharedResources } from './installation.js';
import { logUncaughtErrors } from './last-resort.js';
import { askedToStop, liveUntilAsked, stopTimes } from './lifetime.js';
import { withDemo } from './server.js';
import { startServing } from './serving.js';
import { shareOf } from './shares.js';
import type { ServingReport } from './supervised-worker.js';

const report = (message: ServingReport): void => void process.send?.(message);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Serves as worker `number` (from 1) of `count`. */
async function serve(number: number, count: number): Promise<void> {
  const config = shareOf(parseConfig(process.env), number, count);
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const told = new Promise<void>((resolve) => process.once('message', () => resolve()));
  let isServing = false;
  // The supervisor must know of the signal, so that it sends no more connections.
  const signalled = askedToStop().then(() => (isServing ? report({ asked: true }) : undefined));
  const asked = Promise.race([told, signalled.then(() => (isServing ? told : undefined))]);
  await liveUntilAsked({
    asked,
    async start() {
      const shared = await openSharedResources(config, log);
      const serving = await startServing(shared, config, log);
      // The first worker loads the demo world.
      const complete = number === 1 ? withDemo(serving, log, say) : serving;
      return {
        ...complete,
        async stop() {
          await complete.stop();
          await shared.db.close();
        },
      };
    },
    started({ url }) {
      isServing = true;
      logUncaughtErrors(log);
      tuneCollections();
      raisePriority(config.priority);
      report({ url });
    },
    shutdownTimeoutMs: stopTimes(config).servingMs,
  });
}

/*
 * When the supervisor is gone: cluster would exit by itself, but an exit waits for running threads, and the next supervisor
 * may start meanwhile.
 */
process.prependListener('disconnect', () => {
  if (!cluster.worker?.exitedAfterDisconnect) process.kill(process.pid, 'SIGKILL');
});

const [number, count] = process.argv.slice(2).map(Number);
await serve(number!, count!).catch((error: Error) => {
  // The message must leave before the process exits.
  process.send?.({ failed: error.message } satisfies ServingReport, () => process.exit(1));
});
