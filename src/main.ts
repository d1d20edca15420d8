import { pino } from 'pino';
import { parseConfig } from './config.js';
import { startServer } from './server.js';

/** How long running work may take to finish after SIGTERM, ms. */
const patience = 8_000;

const started = Date.now();
const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  const log = pino({ level: config.logLevel }, pino.destination(2));
  let end: ((signal: string) => void) | undefined;
  const asked = new Promise<string>((resolve) => {
    end = resolve;
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end?.(signal));

  const starting = startServer(config, log, say);
  const server = await Promise.race([starting, asked.then(() => undefined)]);
  if (!server) return stopWithin(async () => (await starting.catch(() => undefined))?.stop());

  if (server.adminPassword !== undefined) {
    say(`The administrator is 'admin' with the password ${server.adminPassword} (shown only this once)`);
  }
  say(`Cartulary is ready after ${((Date.now() - started) / 1000).toFixed(1)} s: ${server.url}/`);
  server.demo.catch((error) =>
    log.error({ err: error }, 'the demo world was not loaded; it is tried again at the next start'),
  );
  await asked;
  say('Stopping: finishing what runs');
  await stopWithin(server.stop);
}

/** Ends the process after `stop`, at the latest when patience is over. */
async function stopWithin(stop: () => Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => process.exit(1), patience);
  await stop();
  clearTimeout(timer);
  process.exit(0);
}

main().catch((error: Error) => {
  process.stderr.write(`Cartulary could not start: ${error.message}\n`);
  if (process.env.CARTULARY_LOG_LEVEL === 'debug') process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
