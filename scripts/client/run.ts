import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig, startServer } from '@cartulary/server';
import { pino } from 'pino';
import { rootFolder } from '../root.js';
import { clientTypes } from './types.js';

/** Writes `packages/client/src/generated` from the OpenAPI document of a service that is started for it. */
const dataFolder = await mkdtemp(join(tmpdir(), 'cartulary-client-'));
try {
  const config = parseConfig({
    PORT: '0',
    CARTULARY_DATA: dataFolder,
    CARTULARY_DEMO: '0',
    CARTULARY_LOG_LEVEL: 'error',
    CARTULARY_ADMIN_PASSWORD: 'correct-horse-battery',
  });
  const server = await startServer(config, pino({ level: 'error' }, pino.destination(2)));
  const response = await fetch(`${server.url}/api/2.8/openapi.json`);
  const files = await clientTypes((await response.json()) as object);
  for (const [name, text] of Object.entries(files))
    await writeFile(join(rootFolder, 'packages/client/src/generated', name), text);
  await server.stop();
} finally {
  await rm(dataFolder, { recursive: true, force: true });
}
