import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, findRunningEmbedded } from '@cartulary/database';
import type { Log } from '@cartulary/runtime';
import { sql } from '@cartulary/sql';
import { pino } from 'pino';
import { closeSession, openSession } from '../../access/sign-in/sessions.js';
import { findProject } from '../../access/users/projects.js';
import { firstStart } from '../../access/users/setup.js';
import { type Config, parseConfig } from '../../config.js';
import { openInstallation, openSharedResources } from '../../process/installation.js';
import { type SharedResources, startServing } from '../../process/serving.js';
import { demandDatabase, withDatabase } from './database.js';

/** A service for one command, in this process. */
export interface OwnService {
  /** Its Unix socket, which only this user of the machine can use. */
  socketPath: string;
  /** Where browsers find a server with these settings, without a slash at the end; undefined: on any free port. */
  pages: string | undefined;
  /**
   * The token of an administrator of the installation: a user who can read the data folder may do everything.
   */
  token: string;
  /** Notes for the user: a new password of the administrator, a server beside. */
  notes: string[];
  stop(): Promise<void>;
}

/** Idle time of the session. Only this process knows its token, and deletes the session at the end. */
const sessionSeconds = 24 * 3_600;

/**
 * Starts the service on the configured database, so that a command on the data folder is authorized and
 * executed like one at an address. `drawing`: with a renderer, which checks of styles need.
 */
export async function startOwnService(project: string, { drawing = false } = {}): Promise<OwnService> {
  const config = ownConfig(parseConfig(process.env), drawing);
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const { notes, ...shared } = await openOwnResources(config, log, stops);
    const session = await openOwnSession(shared.db, project);
    stops.push(session.close);
    const folder = await mkdtemp(join(tmpdir(), 'cartulary-'));
    stops.push(() => rm(folder, { recursive: true, force: true }));
    const socketPath = join(folder, 'service');
    const serving = await startServing(shared, config, log, socketPath);
    stops.push(serving.stop);
    return { socketPath, pages: pagesOf(config), token: session.token, notes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function pagesOf({ baseUrl, host, port }: Config): string | undefined {
  if (baseUrl) return baseUrl;
  if (port === 0) return undefined;
  // A server that listens on all addresses is reached at that of this machine.
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * The settings of a short-lived service for one user: no cached tiles, and no least rates, since pipes may be
 * slow.
 */
const ownConfig = (config: Config, drawing: boolean): Config => ({
  ...config,
  renderers: drawing ? 1 : 0,
  tileCacheMiB: 0,
  tileCacheDiskMiB: 0,
  minUploadBytesPerS: 0,
  minReadBytesPerS: 0,
  processes: 1,
  // Errors appear in the responses.
  logLevel: process.env.CARTULARY_LOG_LEVEL ? config.logLevel : 'silent',
});

async function openOwnResources(
  config: Config,
  log: Log,
  stops: (() => Promise<unknown>)[],
): Promise<SharedResources & { notes: string[] }> {
  const { databaseUrl, dataFolder } = config;
  if (!databaseUrl && (await findRunningEmbedded(dataFolder))) {
    // Beside a server this process is one more worker. When the other process is a command, the first start
    // may not have happened yet.
    const notes: string[] = [];
    await withDatabase((db) => firstStart(db, config, (line) => notes.push(line)));
    const shared = await openSharedResources(config, log);
    stops.push(() => shared.db.close());
    return {
      ...shared,
      notes: [
        ...notes,
        `A server uses ${dataFolder}: this command works beside it, on the same database. --url with its address lets the server itself do it.`,
      ],
    };
  }
  if (!databaseUrl) demandDatabase(dataFolder);
  const notes: string[] = [];
  const { stop, ...shared } = await openInstallation(config, log, (line) => notes.push(line));
  stops.push(stop);
  return { ...shared, notes };
}

/** Opens a session of an administrator of the installation in a project. */
async function openOwnSession(
  db: Database,
  code: string,
): Promise<{ token: string; close: () => Promise<void> }> {
  const { id: projectId } = await findProject(db, code);
  const [account] = await db.query<{ id: number }>(
    sql`select id from cartulary.account where project_id is null order by login <> 'admin', id limit 1`,
  );
  if (!account)
    throw new Error(
      "There is no administrator of the installation. Make one with 'cartulary user create <login> --admin'.",
    );
  const token = await openSession(db, {
    projectId,
    accountId: account.id,
    kind: 'rest',
    idleSeconds: sessionSeconds,
  });
  return { token, close: () => closeSession(db, projectId, token) };
}
