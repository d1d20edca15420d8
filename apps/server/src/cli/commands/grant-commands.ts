import { type Command, InvalidArgumentError } from 'commander';
import type { Database } from '../db/pool.js';
import { sql } from '../db/sql.js';
import { ServiceError } from '../errors.js';
import { exactlyOne, examples, print, type Run, usage } from './command-line.js';
import { explainRight, type GrantTarget, listGrants, putGrants } from './grants.js';
import { findProject } from './projects.js';
import { type Level, levels } from './rights.js';

function level(text: string): Level | null {
  if (text === 'inherit') return null;
  if (Object.hasOwn(levels, text)) return text as Level;
  throw new InvalidArgumentError(`Give one of ${Object.keys(levels).join(', ')} or inherit.`);
}

/** Options that say what a grant is on. */
interface On {
  project: string;
  map?: string;
  layer?: string;
}
const on = (command: Command): Command =>
  command
    .requiredOption('--project <code>', 'the project')
    .option('--map <code>', 'a map of it')
    .option('--layer <code>', 'a layer of the map')
    .hook('preAction', (given) => {
      const { map, layer } = given.opts();
      if (layer !== undefined && map === undefined)
        given.error('error: --layer needs --map beside it', { exitCode: usage });
    });

async function targetOf(db: Database, at: On): Promise<GrantTarget & { publish: boolean }> {
  const { id: projectId } = await findProject(db, at.project);
  if (at.map === undefined) return { projectId, mapId: null, layerId: null, publish: true };
  const [map] = await db.query<{ id: number; publish: boolean }>(sql`
    select id, publish from cartulary.container where project_id = ${projectId} and type = 'map' and code = ${at.map}`);
  if (!map) throw new ServiceError('map_not_found', `The map '${at.map}' does not exist`);
  if (at.layer === undefined) return { projectId, mapId: map.id, layerId: null, publish: map.publish };
  const [layer] = await db.query<{ id: number }>(sql`
    select id from cartulary.container where map_id = ${map.id} and code = ${at.layer} and type not in ('map', 'folder')`);
  if (!layer) throw new ServiceError('layer_not_found', `The layer '${at.layer}' does not exist`);
  return { projectId, mapId: map.id, layerId: layer.id, publish: map.publish };
}

/** To whom a grant is, in words. */
const nameOf = ({ user: login, group: name }: { user?: string; group?: string }): string =>
  name === undefined ? `user ${login}` : `group ${name}`;

/** `cartulary grant …` */
export function grantCommands(program: Command, run: Run): void {
  const grant = examples(
    program.command('grant').description('rights on a project, a map or a layer'),
    'grant list --project parks',
    'grant set edit --project parks --map gardens --group staff',
    'grant set none --project parks --map gardens --layer plans --user public',
    'grant explain bob --project parks --map gardens',
  );
  on(grant.command('list').description('the grants on a target itself')).action((options: On) =>
    run(async (db) => {
      for (const one of await listGrants(db, await targetOf(db, options))) print(nameOf(one), one.right!);
    }),
  );
  exactlyOne(
    on(
      grant
        .command('set')
        .description('grant none, view, edit or administer; inherit takes the grant away')
        .argument('<right>', 'none, view, edit, administer or inherit', level)
        .option('--user <login>', 'to a user (public: everybody)')
        .option('--group <name>', 'to a group'),
    ),
    'user',
    'group',
  ).action(
    (right: Level | null, { user: login, group: name, ...at }: On & { user?: string; group?: string }) =>
      run(async (db) => {
        const target = await targetOf(db, at);
        const who = login === undefined ? { group: name! } : { user: login };
        await db.transaction((tx) => putGrants(tx, target, [{ ...who, right }]));
        print('Done');
      }),
  );
  on(
    grant
      .command('explain <login>')
      .description('the effective right of a user (or public) and the grant that decides it'),
  ).action((login: string, options: On) =>
    run(async (db) => {
      const { right, grant: decisive } = await explainRight(db, await targetOf(db, options), login);
      print(
        login,
        right,
        decisive ? `granted to ${nameOf(decisive)} on the ${decisive.on}` : 'no grant decides it',
      );
    }),
  );
}
