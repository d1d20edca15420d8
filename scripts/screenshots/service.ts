import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig, startServer } from '@cartulary/server';
import { pino } from 'pino';

const password = 'correct-horse-battery';

/** Users in the pictures. All have the same password. */
const people = { ann: 'Ann Lee', bob: 'Bob Stone', carla: 'Carla Ruiz' } as const;

export interface ShownService {
  url: string;
  password: string;
  stop(): Promise<void>;
}

/** The real service with the demo world, and what people have done in it. */
export async function startShown(): Promise<ShownService> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'cartulary-screenshots-'));
  const config = parseConfig({
    PORT: '0',
    CARTULARY_DATA: dataFolder,
    CARTULARY_LOG_LEVEL: 'error',
    CARTULARY_ADMIN_PASSWORD: password,
  });
  const server = await startServer(config, pino({ level: 'error' }, pino.destination(2)));
  await server.demo;
  await fill(server.url);
  return {
    url: server.url,
    password,
    async stop() {
      await server.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

type Send = <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;

/** Calls of the interface as a user. Paths are below the project, or with `//` below the interface. */
async function callsOf(url: string, login: string): Promise<Send> {
  let token = '';
  const send: Send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const address = path.startsWith('//') ? `${url}/api/2.8${path.slice(1)}` : `${url}/api/2.8/demo${path}`;
    const response = await fetch(address, {
      method,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  ({ token } = await send<{ token: string }>('POST', '/login/', { login, password }));
  return send;
}

async function fill(url: string): Promise<void> {
  const admin = await callsOf(url, 'admin');
  for (const [login, name] of Object.entries(people)) {
    const groups = login === 'ann' ? ['planning'] : ['field work'];
    await admin('POST', '/users/', { login, name, password, guiAccess: true, groups });
  }
  await admin('PUT', '/rights/', [
    { user: 'ann', right: 'administer' },
    { group: 'field work', right: 'view' },
  ]);
  await admin('PUT', '/world/layers/cities/rights/', { group: 'field work', right: 'edit' });
  await admin('POST', '//', { code: 'harbour', name: 'Harbour', languages: ['en', 'de'] });
  const ann = await callsOf(url, 'ann');
  await ann('POST', '/', { code: 'parks', name: 'Parks', has_publication: false, css_style: '' });
  const query = `select c.svc_id, c.geom, c.name, c.population
from world.cities c
where c.population > 5000000`;
  await ann('POST', '/parks/layers/', {
    code: 'largest',
    name: 'Largest cities',
    type: 'material',
    json: { query },
  });
  const bob = await callsOf(url, 'bob');
  await bob('POST', '/world/layers/cities/objects/', {
    fields: { name: 'New Haven Point' },
    geom: { type: 'Point', coordinates: [2.2, 46.1] },
  });
  await bob('GET', '/world/layers/cities/export/?format=geojson&async=1');
  // The journal is written within a second.
  for (;;) {
    const entries = await ann<{ login: string }[]>('GET', '/administration/journal/');
    if (entries.some(({ login }) => login === 'bob')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
