import './node-version.js';
import { pino } from 'pino';
import { parseConfig, unknownSettings } from './config.js';
import { tuneCollections } from './process/garbage-collection.js';
import { logUncaughtErrors } from './process/last-resort.js';
import { askedToStop, liveUntilAsked, stopTimes } from './process/lifetime.js';

const startedAt = Date.now();
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  // Loaded here, since an older Node.js fails on these modules before a message can be printed.
  const [{ countOfProcesses, startProcesses }, { startServer }] = await Promise.all([
    import('./process/supervisor.js'),
    import('./process/server.js'),
  ]);
  const config = parseConfig(process.env);
  const log = pino({ level: config.logLevel }, pino.destination(2));
  for (const problem of unknownSettings(process.env)) log.warn(problem);
  const isOne = countOfProcesses(config) === 1;
  await liveUntilAsked({
    asked: askedToStop(),
    start: () => (isOne ? startServer : startProcesses)(config, log, say),
    started({ adminPassword, url }) {
      logUncaughtErrors(log);
      tuneCollections();
      if (adminPassword !== undefined)
        say(`The administrator is 'admin' with the password ${adminPassword} (shown only this once)`);
      say(`Cartulary is ready after ${((Date.now() - startedAt) / 1000).toFixed(1)} s: ${url}/`);
    },
    stopping: () => say('Stopping: finishing what runs'),
    shutdownTimeoutMs: stopTimes(config).serviceMs,
  });
}

main().catch((error: Error) => {
  process.stderr.write(`Cartulary could not start: ${error.message}\n`);
  if (process.env.CARTULARY_LOG_LEVEL === 'debug') process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
