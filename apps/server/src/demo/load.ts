import { readFileSync } from 'node:fs';
import type { Database } from '@cartulary/database';
import { sql } from '@cartulary/sql';
import { type AccountRow, accountUser, type Caller } from '../access/caller.js';
import { findMap } from '../containers/containers.js';
import { createMap, deleteMap } from '../containers/maps.js';
import { savePublicationTree } from '../containers/tree.js';
import { changeLayer, createLayer } from '../layers/edit.js';
import { findLayer } from '../layers/layers.js';
import { prepareSearch, searchLimits } from '../search/search.js';
import type { Services } from '../services.js';
import { nameColumns } from './columns.js';
import { fillLayer } from './fill.js';
import { printData } from './printed-data.js';
import { loadVisualMaps, visualMapCodes } from './visual-maps.js';

const style = (name: string): string =>
  readFileSync(new URL(`../../../../../demo/${name}.mss`, import.meta.url), 'utf8');

/** The layers of the demo world, from the bottom of the map to its top, with their number of objects. */
const layers = [
  { code: 'countries', name: { en: 'Countries', ru: 'Страны' }, localized: ['name'], objects: 255 },
  { code: 'cities', name: { en: 'Cities', ru: 'Города' }, localized: ['country'], objects: 135_233 },
] as const;

/**
 * Fills the project `demo` with the map `world`, when the first start has asked for it. First it deletes what
 * an interrupted load has left. `say` receives the progress. It uses the functions of the service slice by
 * slice, so that requests are answered meanwhile.
 */
export async function loadDemo(
  services: Services,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const { db } = services;
  const [project] = await db.query<{ id: number; languages: string[] }>(sql`
    select id, languages from cartulary.project where code = 'demo' and demo = 'loading'`);
  if (!project) return;
  const caller = await demoCaller(services, project);
  await db.transaction(async (tx) => {
    const left = await tx.query<{ code: string }>(sql`
      select code from cartulary.container
      where project_id = ${project.id} and type = 'map' and code = any(${['world', ...visualMapCodes]}::text[])`);
    for (const { code } of left) await deleteMap(tx, caller, await findMap(tx, caller, code, 'administer'));
    await createMap(tx, caller, {
      code: 'world',
      localized_name: true,
      name: { en: 'World', ru: 'Мир' },
      css_style: style('world'),
      json: { attribution: 'Natural Earth; GeoNames (CC BY 4.0)' },
    });
  });
  // A layer is shown when its objects and its style are there.
  await publishLayers(db, caller, []);
  for (const [index, layer] of layers.entries()) {
    await loadLayer(services, caller, layer, { say, signal });
    await publishLayers(db, caller, layers.slice(0, index + 1));
  }
  await loadVisualMaps(services, caller, signal);
  // Builds the search indexes now, so that the first search does not wait for them.
  const search = { ...services, limits: searchLimits(services.config, db.engine) };
  for (const map of ['world', ...visualMapCodes]) await prepareSearch(search, { caller, map });
  await db.transaction((tx) =>
    tx.query(sql`update cartulary.project set demo = 'complete' where id = ${project.id}`),
  );
  say('The demo world is complete');
}

/** Publishes these layers, the last one on top. */
async function publishLayers(
  db: Database,
  caller: Caller,
  loaded: readonly (typeof layers)[number][],
): Promise<void> {
  const map = await findMap(db, caller, 'world', 'administer');
  const tree = await Promise.all(
    loaded.toReversed().map(({ code }) => findLayer(db, caller, { map: 'world', layer: code }, 'view')),
  );
  await db.transaction((tx) =>
    savePublicationTree(
      tx,
      map,
      tree.map(({ id }) => ({ id, parent_id: 0, map_layer_id: id })),
    ),
  );
}

/** The administrator, as the creator of the map. */
async function demoCaller({ db }: Services, project: { id: number; languages: string[] }): Promise<Caller> {
  const [account] = await db.query<AccountRow['account']>(sql`
    select id, login, name, project_id, public_access
    from cartulary.account where project_id is null order by id limit 1`);
  const { id, languages } = project;
  return accountUser({ id, code: 'demo', languages }, { account: account!, groups: null }, null);
}

async function loadLayer(
  services: Services,
  caller: Caller,
  { code, name, localized, objects }: (typeof layers)[number],
  { say, signal }: { say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const { db } = services;
  const map = await findMap(db, caller, 'world', 'edit');
  await db.transaction((tx) =>
    // Above the layers before it, as in the publication tree.
    createLayer(tx, caller, map, { code, localized_name: true, name: { ...name }, sort: 0 }),
  );
  const layer = await findLayer(db, caller, { map: 'world', layer: code }, 'edit');
  let shown = 0;
  const stored = await fillLayer(
    services,
    { caller, layer, data: printData(code, signal) },
    {
      localized,
      signal,
      progress: ({ done: rows = 0 }) => {
        const percent = Math.floor((rows / objects) * 100);
        if (percent < shown + 20) return;
        shown = percent - (percent % 20);
        say(
          `Demo world: ${code} ${shown} % (${rows.toLocaleString('en')} of ${objects.toLocaleString('en')})`,
        );
      },
    },
  );
  const filled = await findLayer(db, caller, { map: 'world', layer: code }, 'edit');
  await nameColumns({ db }, { caller, layer: filled });
  await db.transaction((tx) => changeLayer(tx, caller, filled, { css_style: style(code) }));
  say(`Demo world: ${code} done, ${stored.toLocaleString('en')} objects`);
}
