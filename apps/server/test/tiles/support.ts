import type { Queryable } from '@cartulary/database/internal/pool.js';
import type { RenderJob } from '@cartulary/renderer/internal/messages.js';
import type { Log } from '@cartulary/runtime/internal/log.js';
import { sql } from '@cartulary/sql/internal/sql.js';
import { type Caller, publicUser } from '../../src/access/caller.js';
import { type Config, parseConfig } from '../../src/config.js';
import { createPlanner, type TilePlan } from '../../src/tiles/plan/plan.js';
import type { TileRequest } from '../../src/tiles/plan/tile-request.js';
import type { TestServer } from '../support/server.js';

/** Settings of a pool, overridden by those of a test. */
export const poolConfig = (own: Partial<Config> = {}): Config => ({
  ...parseConfig({ CARTULARY_RENDERERS: '1' }),
  ...own,
});

/** The public caller of the project `demo`; with `isInstaller` it may see everything. */
export async function demoCaller(
  db: Queryable,
  { isInstaller }: Pick<Caller, 'isInstaller'>,
): Promise<Caller> {
  const [project] = await db.query<Caller['project']>(
    sql`select id, code, languages from cartulary.project where code = 'demo'`,
  );
  return { ...publicUser(project!), isInstaller };
}

/** A tile of the publication tree's layers, a little north of the equator and east of Greenwich. */
export const tileRequest: TileRequest = {
  z: 8,
  x: 128,
  y: 120,
  base: true,
  layers: undefined,
  scale: 1,
  palette: false,
  lng: 'en',
  main: 'en',
};

/** The plan of a tile for a caller that may see everything. */
export async function planTile(
  { server }: TestServer,
  map: string,
  own: Partial<TileRequest>,
): Promise<TilePlan> {
  const { db, storage, readContent } = server.services;
  const caller = await demoCaller(db, { isInstaller: true });
  return createPlanner({ db, storage, readContent, fastLabels: true })(caller, map, {
    ...tileRequest,
    ...own,
  });
}

/** A log that records its entries. */
export function keepingLog(): Log & { entries: { level: string; data: unknown; text: unknown }[] } {
  const entries: { level: string; data: unknown; text: unknown }[] = [];
  const at =
    (level: string) =>
    (data: unknown, text?: unknown): void =>
      void entries.push({ level, data, text });
  return { entries, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } as never;
}

const world = 20_037_508.342789244;

/** A polygon over the whole world in a colour, or with any symbolizer. */
export function jobOf(symbolizer: string, own: Partial<RenderJob> = {}): RenderJob {
  const ring = [
    [-world, -world],
    [world, -world],
    [world, world],
    [-world, world],
    [-world, -world],
  ];
  const feature = { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } };
  const inline = JSON.stringify(feature).replaceAll('"', '&quot;');
  const xml = `<Map srs="epsg:3857"><Style name="s"><Rule>${symbolizer}</Rule></Style>
    <Layer name="l" srs="epsg:3857"><StyleName>s</StyleName><Datasource>
      <Parameter name="type">geojson</Parameter><Parameter name="inline">${inline}</Parameter></Datasource></Layer></Map>`;
  return {
    xml,
    xmlKey: xml,
    extent: [-world, -world, world, world],
    columns: 1,
    rows: 1,
    size: 256,
    scale: 1,
    bufferSize: 64,
    format: 'png',
    ...own,
  };
}

export const fill = (color: string, own: Partial<RenderJob> = {}): RenderJob =>
  jobOf(`<PolygonSymbolizer fill="${color}"/>`, own);

/** A job that never ends: Mapnik loops forever over a dash of negative length. */
export const endless = (own: Partial<RenderJob> = {}): RenderJob =>
  jobOf('<LineSymbolizer stroke-dasharray="-1,.5"/>', own);

/** Waits until a condition holds; throws after 20 s. */
export async function until(what: () => boolean | Promise<boolean>, text: string): Promise<void> {
  for (const end = Date.now() + 20_000; !(await what()); ) {
    if (Date.now() > end) throw new Error(`it did not come about: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
