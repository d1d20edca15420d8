import { pino } from 'pino';
import { parseConfig } from './config.js';
import { surviveErrors } from './last-resort.js';
import { askedToStop, liveUntilAsked, stopTimes } from './lifetime.js';
import { countOfProcesses, startProcesses } from './processes.js';
import { startServer } from './server.js';

const started = Date.now();
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const isOne = countOfProcesses(config) === 1;
  await liveUntilAsked({
    asked: askedToStop(),
    start: () => (isOne ? startServer : startProcesses)(config, log, say),
    started({ adminPassword, url }) {
      surviveErrors(log);
      if (adminPassword !== undefined)
        say(`The administrator is 'admin' with the password ${adminPassword} (shown only this once)`);
      say(`Cartulary is ready after ${((Date.now() - started) / 1000).toFixed(1)} s: ${url}/`);
    },
    stopping: () => say('Stopping: finishing what runs'),
    patience: stopTimes(config).service,
  });
}

main().catch((error: Error) => {
  process.stderr.write(`Cartulary could not start: ${error.message}\n`);
  if (process.env.CARTULARY_LOG_LEVEL === 'debug') process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
