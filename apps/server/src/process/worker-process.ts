/** One of several processes that serve: what it has of its own. It ends with the first process, which has started it. */
import { pino } from 'pino';
import { parseConfig } from './config.js';
import { openGround } from './installation.js';
import { surviveErrors } from './last-resort.js';
import { askedToStop, liveUntilAsked, stopTimes } from './lifetime.js';
import type { ServingReport } from './processes.js';
import { withDemo } from './server.js';
import { startServing } from './serving.js';
import { shareOf } from './shares.js';

const report = (what: ServingReport): void => void process.send?.(what);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Serves as the one with a number, from 1, of so many. */
async function serve(number: number, count: number): Promise<void> {
  const config = shareOf(parseConfig(process.env), number, count);
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const told = new Promise<void>((resolve) => process.once('message', () => resolve()));
  let isServing = false;
  // The first process has to know, so that it gives no more connections.
  const signalled = askedToStop().then(() => (isServing ? report({ asked: true }) : undefined));
  const asked = Promise.race([told, signalled.then(() => (isServing ? told : undefined))]);
  await liveUntilAsked({
    asked,
    async start() {
      const ground = await openGround(config, log);
      const serving = await startServing(ground, config, log);
      // One of them loads it.
      const complete = number === 1 ? withDemo(serving, log, say) : serving;
      return {
        ...complete,
        async stop() {
          await complete.stop();
          await ground.db.close();
        },
      };
    },
    started({ url }) {
      isServing = true;
      surviveErrors(log);
      report({ url });
    },
    patience: stopTimes(config).serving,
  });
}

const [number, count] = process.argv.slice(2).map(Number);
await serve(number!, count!).catch((error: Error) => {
  // Told before the end, which would come first.
  process.send?.({ failed: error.message } satisfies ServingReport, () => process.exit(1));
});
