import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '@cartulary/sql/internal/sql.js';
import { freshCode, startServer, type TestAnswer, type TestServer } from '../support/server.js';

const fixtures = new URL('../../../test/formats/fixtures/', import.meta.url);

export const fixture = (name: string): Buffer => readFileSync(new URL(name, fixtures));

export interface Shown {
  id: number;
  fields: Record<string, any>;
  geom: any;
}

/** A server with the map `m`, and what tests of formats do with it. */
export interface Formats {
  server: TestServer;
  newLayer(...columns: object[]): Promise<string>;
  send(layer: string, file: Buffer | string, name: string, query?: string): Promise<TestAnswer>;
  /** Imports, and returns `import` of the answer. */
  load(layer: string, file: Buffer | string, name: string, query?: string): Promise<any>;
  objects(layer: string): Promise<Shown[]>;
  columns(layer: string): Promise<Record<string, string>>;
  /** Resolves when an import or export has a temporary folder. */
  isAtWork(): Promise<void>;
  /** Fails when an import or export left anything behind. */
  assertClean(): Promise<void>;
}

export async function startFormats(settings?: Record<string, string>, place?: 'here'): Promise<Formats> {
  const server = await startServer(settings, place);
  await server.admin('POST', '/', { code: 'm' });
  const send: Formats['send'] = (layer, file, name, query = '') =>
    server.request('POST', `/m/layers/${layer}/import/?${query}`, {
      token: server.adminToken,
      body: file,
      headers: { 'x-filename': encodeURIComponent(name), 'content-type': 'application/octet-stream' },
    });
  const folder = join(server.server.services.config.dataFolder, 'tmp');
  const left = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  return {
    server,
    send,
    async newLayer(...columns) {
      const code = freshCode('l');
      await server.admin('POST', '/m/layers/', { code });
      for (const column of columns) await server.admin('POST', `/m/layers/${code}/structure/`, column);
      return code;
    },
    async load(layer, file, name, query) {
      const answer = await send(layer, file, name, query);
      assert.equal(answer.status, 200, answer.text);
      return answer.json.import;
    },
    objects: (layer) => server.admin('GET', `/m/layers/${layer}/objects/?fields=*&returnGeom=1`),
    async columns(layer) {
      const columns = await server.admin('GET', `/m/layers/${layer}/structure/`);
      return Object.fromEntries(columns.slice(2).map(({ code, type }: any) => [code, type]));
    },
    async isAtWork() {
      while (!left().length) await sleep(1);
    },
    async assertClean() {
      // The folder of an export goes when its last byte was sent.
      for (let i = 0; i < 100 && left().length; i++) await sleep(50);
      assert.deepEqual(left(), [], 'temporary folder');
      const staging = await server.db.query(
        sql`select relname from pg_class where relname like 'staging\\_%' and relkind = 'r'`,
      );
      assert.deepEqual(staging, [], 'staging tables');
    },
  };
}

/** Processes of GDAL that this process has started. */
export function converters(): number[] {
  const children = readdirSync(`/proc/${process.pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${process.pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
  );
  return children.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('engine-process');
    } catch {
      return false;
    }
  });
}
