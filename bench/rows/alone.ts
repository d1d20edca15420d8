import { availableParallelism } from 'node:os';
import { startServer, type TestServer } from '@cartulary/server/support/server.js';
import type { Figure } from '../measure.js';
import type { Stage } from '../stage.js';

/** The service with the demo, alone and without tile caches. */
export interface Alone {
  server: TestServer;
  /** The kind of database: a column of the table. */
  column: 'embedded' | 'PostgreSQL';
  /** Seconds until the service is ready, and until the demo is complete. */
  started: { ready: number; complete: number };
}

/** The service on each database (in a quick run on PostgreSQL only), started at first use. */
export async function servicesAlone(stage: Stage): Promise<Alone[]> {
  const columns = stage.options.isQuick ? (['PostgreSQL'] as const) : (['embedded', 'PostgreSQL'] as const);
  const services: Alone[] = [];
  for (const column of columns)
    services.push(await stage.once(`alone ${column}`, () => startAlone(stage, column)));
  return services;
}

async function startAlone(stage: Stage, column: Alone['column']): Promise<Alone> {
  const url = column === 'PostgreSQL' ? await stage.postgres() : undefined;
  const before = process.env.TEST_DATABASE_URL;
  delete process.env.TEST_DATABASE_URL;
  if (url) process.env.TEST_DATABASE_URL = url;
  const start = performance.now();
  const since = (): number => (performance.now() - start) / 1000;
  const server = await startServer({
    CARTULARY_DEMO: '1',
    CARTULARY_TILE_CACHE: '0',
    CARTULARY_TILE_CACHE_DISK: '0',
    CARTULARY_RENDERERS: String(availableParallelism()),
    CARTULARY_SESSION_IDLE: '86400',
  });
  stage.defer(() => server.stop());
  delete process.env.TEST_DATABASE_URL;
  if (before) process.env.TEST_DATABASE_URL = before;
  const ready = since();
  await server.server.demo;
  return { server, column, started: { ready, complete: since() } };
}

/** Measures the figures on each database. */
export async function figuresOf(
  stage: Stage,
  measure: (alone: Alone) => Promise<readonly Omit<Figure, 'column'>[]>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const alone of await servicesAlone(stage))
    for (const figure of await measure(alone)) figures.push({ ...figure, column: alone.column });
  return figures;
}
