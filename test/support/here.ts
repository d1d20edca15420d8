import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { parseConfig } from '../../src/config.js';
import { type RunningServer, startServer } from '../../src/server.js';
import { freshPostgres } from './database.js';
import { settingsOf } from './settings.js';

/** The real service in this process, on a database and a data folder of its own, which `end` removes. */
export async function startHere(
  settings: Record<string, string>,
): Promise<{ server: RunningServer; end(): Promise<void> }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cartulary-test-'));
  const postgres = process.env.TEST_DATABASE_URL
    ? await freshPostgres(process.env.TEST_DATABASE_URL)
    : undefined;
  const env = settingsOf(dataFolder, postgres?.url, settings);
  const server = await startServer(parseConfig(env), logOf(env));
  return {
    server,
    async end() {
      await server.stop();
      await postgres?.drop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** The log of a server for tests: on stderr, at its level. */
export const logOf = (env: Record<string, string>) =>
  pino({ level: env.CARTULARY_LOG_LEVEL! }, pino.destination(2));
