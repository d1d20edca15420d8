import { randomBytes } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { Database } from '../db/pool.js';
import { exactlyOne, examples, list, print, type Run } from './command-line.js';
import { addToGroup, listGroups, removeFromGroup } from './groups.js';
import type { UsersOf } from './logins.js';
import { findProject } from './projects.js';
import { changeUser, createUser, deleteUser, listUsers } from './users.js';

/** Options that say whose users are meant. */
interface Whose {
  project?: string;
  admin?: boolean;
}
const whose = (command: Command): Command =>
  exactlyOne(
    command
      .option('--project <code>', 'users of this project')
      .option('--admin', 'administrators of the installation, who may do everything in every project'),
    'project',
    'admin',
  );

async function usersOf(db: Database, { project: code }: Whose): Promise<UsersOf> {
  return code === undefined ? null : (await findProject(db, code)).id;
}

const passwordOption = [
  '--password <password>',
  '8 characters or more; - reads it from the standard input, where others on this machine cannot see it; absent: one is made and printed',
] as const;

/** The password that an option means; `show` prints it when it was made here. */
async function passwordOf(option: string | undefined): Promise<{ password: string; show: () => void }> {
  if (option === '-')
    return { password: (await readAll(process.stdin)).replace(/\r?\n$/, ''), show: () => {} };
  if (option !== undefined) return { password: option, show: () => {} };
  const password = randomBytes(12).toString('base64url');
  return { password, show: () => print(`Password: ${password}`) };
}

interface NewUser extends Whose {
  password?: string;
  name?: string;
  email?: string;
  groups?: string[];
  publicAccess: boolean;
  guiAccess?: boolean;
}
/** `cartulary user …` */
export function userCommands(program: Command, run: Run): void {
  const user = examples(
    program
      .command('user')
      .description('users of a project (--project), or administrators of the installation (--admin)'),
    'user list --project parks',
    'user create bob --project parks --groups staff,guests',
    'user create root --admin --password - < secret.txt',
    'user passwd admin --admin',
  );
  whose(user.command('list').description('login, name, e-mail address and groups')).action((options: Whose) =>
    run(async (db) => {
      for (const { login, name, email, groups } of await listUsers(db, await usersOf(db, options)))
        print(login, name, email, groups.join(','));
    }),
  );

  whose(
    user
      .command('create <login>')
      .description('make a user')
      .option(...passwordOption)
      .option('--name <name>', 'full name')
      .option('--email <address>', 'e-mail address')
      .option('--groups <names>', 'groups of the project; made when new', list)
      .option('--no-public-access', 'rights of the public user do not count for this user')
      .option('--gui-access', 'may use the administration console'),
  ).action(async (login: string, { project: code, admin: _admin, password: option, ...rest }: NewUser) => {
    const { password, show } = await passwordOf(option);
    await run(async (db) => {
      await createUser(db, await usersOf(db, { project: code! }), { ...rest, login, password });
      print(`The user '${login}' is made`);
      show();
    });
  });
  whose(
    user
      .command('passwd <login>')
      .description('set a new password, which ends the sessions of the user')
      .option(...passwordOption),
  ).action(async (login: string, { password: option, ...options }: Whose & { password?: string }) => {
    const { password, show } = await passwordOf(option);
    await run(async (db) => {
      await changeUser(db, { of: await usersOf(db, options), login }, { password });
      print(`The password of '${login}' is set`);
      show();
    });
  });
  whose(
    user
      .command('delete <login>')
      .description('delete a user with sessions and grants; what the user made stays'),
  ).action((login: string, options: Whose) =>
    run(async (db) => {
      await deleteUser(db, { of: await usersOf(db, options), login });
      print(`The user '${login}' is deleted`);
    }),
  );
}

/** `cartulary group …` */
export function groupCommands(program: Command, run: Run): void {
  const group = examples(
    program.command('group').description('groups of a project'),
    'group list --project parks',
    'group add staff bob --project parks',
  );
  group
    .command('list')
    .description('groups with the logins of their members')
    .requiredOption('--project <code>', 'the project')
    .action((options: { project: string }) =>
      run(async (db) => {
        const { id } = await findProject(db, options.project);
        for (const { name, members } of await listGroups(db, id)) print(name, members.join(','));
      }),
    );
  for (const [verb, change, description] of [
    ['add', addToGroup, 'put a user into a group, which is made when new'],
    ['remove', removeFromGroup, 'take a user out of a group'],
  ] as const) {
    group
      .command(`${verb} <group> <login>`)
      .description(description)
      .requiredOption('--project <code>', 'the project')
      .action((name: string, login: string, options: { project: string }) =>
        run(async (db) => {
          const { id } = await findProject(db, options.project);
          await db.transaction((tx) => change(tx, { projectId: id, group: name, login }));
          print('Done');
        }),
      );
  }
}
