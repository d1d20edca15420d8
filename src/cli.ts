#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { text as readAll } from 'node:stream/consumers';
import { Command, InvalidArgumentError } from 'commander';
import { pino } from 'pino';
import { explainRight, type GrantTarget, listGrants, putGrants } from './access/grants.js';
import { createProject, deleteProject, findProject, listProjects } from './access/projects.js';
import { type Level, levels } from './access/rights.js';
import {
  addToGroup,
  createUser,
  deleteAccount,
  listGroups,
  listUsers,
  removeFromGroup,
  setPassword,
} from './access/users.js';
import { type Config, parseConfig, settings, settingsTable } from './config.js';
import { findRunningEmbedded, startEmbedded } from './db/embedded.js';
import { lockDataFolder } from './db/lock.js';
import { migrate } from './db/migrate.js';
import { type Database, openDatabase, parseDatabaseUrl } from './db/pool.js';
import { sql } from './db/sql.js';
import { ServiceError } from './errors.js';

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Runs `work` on the configured database: PostgreSQL, the embedded one of the server that runs, or the embedded one started for the while. */
async function withDatabase(work: (db: Database) => Promise<void>): Promise<void> {
  const config = parseConfig(process.env);
  const { db, end } = await connect(config);
  try {
    await migrate(db);
    await work(db);
  } finally {
    await db.close();
    await end();
  }
}

async function connect(config: Config): Promise<{ db: Database; end: () => Promise<void> }> {
  const options = { maxConnections: 2, statementTimeoutMs: 3_600_000 };
  if (config.databaseUrl) {
    return {
      db: await openDatabase(parseDatabaseUrl(config.databaseUrl), 'postgres', options),
      end: async () => {},
    };
  }
  const running = await findRunningEmbedded(config.dataFolder);
  if (running) return { db: await openDatabase(running, 'embedded', options), end: async () => {} };
  mkdirSync(config.dataFolder, { recursive: true });
  const lock = await lockDataFolder(config.dataFolder);
  const embedded = await startEmbedded({
    dataFolder: config.dataFolder,
    log: pino({ level: 'error' }, pino.destination(2)),
  });
  const end = async (): Promise<void> => {
    await embedded.stop();
    await lock.release();
  };
  return { db: await openDatabase(embedded.target, 'embedded', options), end };
}

/** The password: the option, the standard input for `-`, or a new one that is printed. */
async function passwordOf(option: string | undefined): Promise<string> {
  if (option === '-') return (await readAll(process.stdin)).replace(/\r?\n$/, '');
  if (option !== undefined) return option;
  const made = randomBytes(12).toString('base64url');
  print(`Password: ${made}`);
  return made;
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

function level(text: string): Level | null {
  if (text === 'inherit') return null;
  if (text in levels) return text as Level;
  throw new InvalidArgumentError(`give one of ${Object.keys(levels).join(', ')} or inherit`);
}

/** What a grant is on, by codes. */
async function targetOf(
  db: Database,
  at: { project: string; map?: string; layer?: string },
): Promise<GrantTarget & { publish: boolean }> {
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

const program = new Command('cartulary')
  .description('Manages what the REST interface of Cartulary has no function for.')
  .showHelpAfterError()
  .configureHelp({ showGlobalOptions: true })
  .addHelpText(
    'after',
    `
The database is that of the server: DATABASE_URL, or the embedded one in CARTULARY_DATA (./data), whether the server runs or not.

Examples:
  cartulary project create parks --name "Parks of Paris" --languages en,fr
  cartulary user create bob --project parks --groups staff
  cartulary grant set edit --project parks --map gardens --group staff
  cartulary grant explain bob --project parks --map gardens
  cartulary user passwd admin --password -  < secret.txt`,
  );

program
  .command('migrate')
  .description('bring the database to the form that this version needs')
  .action(() =>
    withDatabase(async () => {
      print('The database is up to date');
    }),
  );

program
  .command('settings')
  .description('print every setting with its default')
  .option('--markdown', 'as the page docs/settings.md')
  .action(({ markdown }: { markdown?: boolean }) => {
    if (markdown) return void process.stdout.write(settingsTable());
    for (const { env, default: initial, unit, meaning } of Object.values(settings)) {
      print(
        `${env}=${initial === '' ? '' : Number(initial === true) || (initial === false ? 0 : initial)}  (${unit})\n    ${meaning}`,
      );
    }
  });

const project = program.command('project').description('projects (catalogs)');
project
  .command('list')
  .description('all projects')
  .action(() =>
    withDatabase(async (db) => {
      for (const { code, name, languages } of await listProjects(db))
        print(`${code}\t${name}\t${languages.join(',')}`);
    }),
  );
project
  .command('create <code>')
  .description('make a project')
  .option('--name <name>', 'its name', '')
  .option('--languages <codes>', 'language codes, the main one first', list, ['en'])
  .action((code: string, options: { name: string; languages: string[] }) =>
    withDatabase(async (db) => {
      await db.transaction((tx) => createProject(tx, { code, ...options }));
      print(`The project '${code}' is made`);
    }),
  );
project
  .command('delete <code>')
  .description('delete a project with all its maps, users and data')
  .requiredOption('--yes', 'confirm: this cannot be undone')
  .action((code: string) =>
    withDatabase(async (db) => {
      await db.transaction((tx) => deleteProject(tx, code));
      print(`The project '${code}' is deleted`);
    }),
  );

/** The id of the project of an option; null where none is given. */
const projectId = async (db: Database, code: string | undefined): Promise<number | null> =>
  code === undefined ? null : (await findProject(db, code)).id;

const user = program
  .command('user')
  .description('users of a project, and administrators of the installation (without --project)');
user
  .command('list')
  .description('logins with their names and groups')
  .option('--project <code>', 'of this project')
  .action((options: { project?: string }) =>
    withDatabase(async (db) => {
      const users = await listUsers(db, await projectId(db, options.project));
      for (const { login, name, groups } of users) print(`${login}\t${name}\t${groups.join(',')}`);
    }),
  );
user
  .command('create <login>')
  .description('make a user of a project; without --project an administrator of the installation')
  .option('--project <code>', 'the project')
  .option(
    '--password <password>',
    '8 characters or more; - reads it from the standard input; one is made and printed when absent',
  )
  .option('--name <name>', 'full name')
  .option('--email <address>')
  .option('--groups <names>', 'groups of the project; made when new', list)
  .action(
    (
      login: string,
      { project: code, password, ...rest }: { project?: string; password?: string; groups?: string[] },
    ) =>
      withDatabase(async (db) => {
        const id = await projectId(db, code);
        await createUser(db, id, { login, password: await passwordOf(password), ...rest });
        print(`The user '${login}' is made`);
      }),
  );
user
  .command('passwd <login>')
  .description('set a new password and end the sessions of the user')
  .option('--project <code>', 'the project; absent: an administrator of the installation')
  .option('--password <password>', 'see user create')
  .action((login: string, { project: code, password }: { project?: string; password?: string }) =>
    withDatabase(async (db) => {
      await setPassword(db, await projectId(db, code), login, await passwordOf(password));
      print(`The password of '${login}' is set`);
    }),
  );
user
  .command('delete <login>')
  .description('delete a user with sessions and grants; data stays')
  .option('--project <code>', 'the project; absent: an administrator of the installation')
  .action((login: string, { project: code }: { project?: string }) =>
    withDatabase(async (db) => {
      await deleteAccount(db, await projectId(db, code), login);
      print(`The user '${login}' is deleted`);
    }),
  );

const group = program.command('group').description('groups of a project');
group
  .command('list')
  .description('groups with their members')
  .requiredOption('--project <code>', 'the project')
  .action((options: { project: string }) =>
    withDatabase(async (db) => {
      const { id } = await findProject(db, options.project);
      for (const { name, members } of await listGroups(db, id)) print(`${name}\t${members.join(',')}`);
    }),
  );
for (const [verb, change] of [
  ['add', addToGroup],
  ['remove', removeFromGroup],
] as const) {
  group
    .command(`${verb} <group> <login>`)
    .description(
      verb === 'add' ? 'put a user into a group, which is made when new' : 'take a user out of a group',
    )
    .requiredOption('--project <code>', 'the project')
    .action((name: string, login: string, options: { project: string }) =>
      withDatabase(async (db) => {
        const { id } = await findProject(db, options.project);
        await db.transaction((tx) => change(tx, { projectId: id, group: name, login }));
        print('Done');
      }),
    );
}

interface On {
  project: string;
  map?: string;
  layer?: string;
}
const on = (command: Command): Command =>
  command
    .requiredOption('--project <code>', 'the project')
    .option('--map <code>', 'a map of it')
    .option('--layer <code>', 'a layer of the map');

const grant = program.command('grant').description('rights on a project, a map or a layer');
on(grant.command('list').description('the grants on a target itself')).action((options: On) =>
  withDatabase(async (db) => {
    for (const one of await listGrants(db, await targetOf(db, options))) {
      print(`${one.user === undefined ? `group ${one.group}` : `user ${one.user}`}\t${one.right}`);
    }
  }),
);
on(
  grant
    .command('set')
    .description('grant none, view, edit or administer; inherit takes the grant away')
    .argument('<right>', 'none, view, edit, administer or inherit', level)
    .option('--user <login>', 'to a user (public: everybody)')
    .option('--group <name>', 'to a group'),
).action((right: Level | null, { user: login, group: name, ...at }: On & { user?: string; group?: string }) =>
  withDatabase(async (db) => {
    const target = await targetOf(db, at);
    const who = {
      ...(login === undefined ? {} : { user: login }),
      ...(name === undefined ? {} : { group: name }),
    };
    await db.transaction((tx) => putGrants(tx, target, [{ ...who, right }]));
    print('Done');
  }),
);
on(
  grant
    .command('explain <login>')
    .description('the effective right of a user (or public) and the grant that decides it'),
).action((login: string, options: On) =>
  withDatabase(async (db) => {
    const { right, grant: decisive } = await explainRight(db, await targetOf(db, options), login);
    const by = decisive
      ? `granted to ${decisive.user === undefined ? `group ${decisive.group}` : decisive.user} on the ${decisive.on}`
      : 'no grant decides it';
    print(`${login}: ${right} (${by})`);
  }),
);

program.parseAsync().catch((error: Error) => {
  process.stderr.write(`cartulary: ${error.message}\n`);
  process.exitCode = 1;
});
