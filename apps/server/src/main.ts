import './node-version.js';
import { type Log, raisePriority } from '@cartulary/runtime';
import { pino } from 'pino';
import {
  type Config,
  countOfProcesses,
  parseConfig,
  settingsWithoutEffect,
  unknownSettings,
} from './config.js';
import { tuneCollections } from './process/garbage-collection.js';
import { logUncaughtErrors } from './process/last-resort.js';
import { askedToStop, liveUntilAsked, stopTimes } from './process/lifetime.js';
import type { startServer } from './process/server.js';

const startedAt = Date.now();
const say = (text: string): void => void process.stdout.write(`${text}\n`);

type Starter = (
  config: Config,
  log: Log,
  say: (line: string) => void,
  startDatabase?: Parameters<typeof startServer>[3],
) => Promise<Pick<Awaited<ReturnType<typeof startServer>>, 'url' | 'stop'>>;

/**
 * How the service is started. Its modules are loaded after the settings were read, because loading takes a second, and an
 * older Node.js fails on them before a message can be printed. A supervisor does without those of a server.
 */
async function starterFor(config: Config): Promise<Starter> {
  if (countOfProcesses(config) === 1) return (await import('./process/server.js')).startServer;
  return (await import('./process/supervisor.js')).startProcesses;
}

/**
 * Starts the process of the embedded database, which is ready by the time that the modules are loaded. undefined: another database, or
 * a supervisor, which loads few modules.
 */
async function preparedDatabase(config: Config, log: Log) {
  if (config.databaseUrl || countOfProcesses(config) > 1) return undefined;
  const { prepareEmbedded } = await import('@cartulary/database');
  return prepareEmbedded({ dataFolder: config.dataFolder, log, memoryLimitMiB: config.embeddedMemoryMiB });
}

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const log = pino({ level: config.logLevel }, pino.destination(2));
  for (const problem of [...unknownSettings(process.env), ...settingsWithoutEffect(config)])
    log.warn(problem);
  await liveUntilAsked({
    asked: askedToStop(),
    async start() {
      const startDatabase = await preparedDatabase(config, log);
      const start = await starterFor(config);
      return start(config, log, say, startDatabase);
    },
    started({ url }) {
      logUncaughtErrors(log);
      tuneCollections();
      if (countOfProcesses(config) === 1) raisePriority(config.priority);
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
