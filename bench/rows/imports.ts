import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { compare, type Finding, timed } from '../measure.js';
import { ogrImport } from '../peers/ogr2ogr.js';
import { importFile, makeMap, type Service, serviceOf } from '../service.js';
import { run, type Stage } from '../stage.js';

export interface ImportRace {
  /** Code of the temporary layer. */
  code: string;
  /** The files for the service and for ogr2ogr. */
  ours: string;
  theirs: string;
  /** Number of features that both must store. */
  features: number;
}

/** Compares imports of a file. Each import replaces that of the round before. */
export async function raceImport(
  stage: Stage,
  { code, ours, theirs, features }: ImportRace,
): Promise<Finding> {
  const service = await serviceOf(stage);
  const database = await stage.once('other database', () => otherDatabase(stage));
  const layer = await importLayer(stage, service, code);
  const demandAll = (who: string, stored: number): void => {
    if (stored !== features) throw new Error(`${who} stored ${stored} of ${features} features of ${ours}`);
  };
  const found = await compare(
    stage.options,
    async () => {
      let stored = 0;
      const seconds = await timed(async () => {
        stored = await importFile(service, layer, ours);
      });
      demandAll('Cartulary', stored);
      await atRest(service.database);
      return features / seconds;
    },
    async () => {
      const seconds = await timed(() => ogrImport(database, theirs, code));
      demandAll('ogr2ogr', await countOf(database, code));
      return features / seconds;
    },
  );
  await service.admin('DELETE', `${layer}/`);
  const { size } = await stat(ours);
  const work = `import of ${/\w+$/.exec(theirs)?.[0]}, ${Math.round(size / 1024 ** 2)} MiB`;
  return { work, unit: 'features/s', peer: 'ogr2ogr', ...found };
}

async function importLayer(stage: Stage, service: Service, code: string): Promise<string> {
  await stage.once('map of imports', () => makeMap(service, 'imports'));
  await service.admin('POST', '/imports/layers/', { code });
  return `/imports/layers/${code}`;
}

/** Waits until the service's database is idle. The service creates indexes after an import, which would slow down the peer. */
export async function atRest(database: string): Promise<void> {
  const active = `select count(*) from pg_stat_activity
    where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid() and backend_type = 'client backend'`;
  let quiet = 0;
  for (let i = 0; i < 300 && quiet < 3; i++) {
    const { stdout } = await run('psql', [database, '-Atc', active]);
    quiet = Number(stdout) === 0 ? quiet + 1 : 0;
    await sleep(100);
  }
}

async function countOf(database: string, table: string): Promise<number> {
  const { stdout } = await run('psql', [database, '-Atc', `select count(*) from ${table}`]);
  return Number(stdout);
}

async function otherDatabase(stage: Stage): Promise<string> {
  const url = await stage.database();
  await run('psql', [url, '-qc', 'create extension if not exists postgis']);
  return url;
}
