import { randomBytes } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import type { Database } from '@cartulary/database';
import type { Command } from 'commander';
import type { UsersOf } from '../../access/sign-in/logins.js';
import { addToGroup, listGroups, removeFromGroup } from '../../access/users/groups.js';
import { findProject } from '../../access/users/projects.js';
import {
  changeUser,
  createUser,
  deleteUser,
  listUsers,
  type UserInput,
  type UserView,
} from '../../access/users/users.js';
import {
  type CommandRun,
  commaList,
  exactlyOne,
  examples,
  print,
  printList,
  projectOption,
} from '../command-line.js';

/** Options of the owner of users. */
export interface Whose {
  project?: string;
  admin?: boolean;
}
const whose = (command: Command): Command =>
  exactlyOne(
    command
      .addOption(projectOption('users of this project'))
      .option('--admin', 'administrators of the installation, who may do everything in every project'),
    'project',
    'admin',
  );

/** The operations on users, in the database or at the address of a service. */
export interface Users {
  list(): Promise<Pick<UserView, 'login' | 'name' | 'email' | 'groups'>[]>;
  create(user: UserInput & { login: string; password: string }): Promise<void>;
  setPassword(login: string, password: string): Promise<void>;
  delete(login: string): Promise<void>;
}

/** Runs work on the users that the options of a command name. */
export type RunOnUsers = (
  command: Command,
  options: Whose,
  work: (users: Users) => Promise<void>,
) => Promise<void>;

/** The users in the database. */
export const usersInDatabase =
  (run: CommandRun): RunOnUsers =>
  (_command, options, work) =>
    run(async (db) => {
      const of = await usersOf(db, options);
      await work({
        list: () => listUsers(db, of),
        create: async (user) => void (await createUser(db, of, user)),
        setPassword: (login, password) => changeUser(db, { of, login }, { password }),
        delete: (login) => deleteUser(db, { of, login }),
      });
    });

async function usersOf(db: Database, { project: code }: Whose): Promise<UsersOf> {
  return code === undefined ? null : (await findProject(db, code)).id;
}

const passwordOption = [
  '--password <password>',
  '8 characters or more; - reads it from the standard input, where others on this machine cannot see it; absent: one is made and printed',
] as const;

/** The password of an option. `show` prints a generated one. */
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
export function userCommands(program: Command, run: RunOnUsers): void {
  const user = examples(
    program
      .command('user')
      .description('users of a project (--project), or administrators of the installation (--admin)'),
    'user list --project parks',
    'user create bob --project parks --groups staff,guests',
    'user create root --admin --password - < secret.txt',
    'user passwd admin --admin',
  );
  whose(user.command('list').description('login, name, e-mail address and groups')).action(
    (options: Whose, command: Command) =>
      run(command, options, async (users) => {
        printList(command, await users.list(), ({ login, name, email, groups }) => [
          login,
          name,
          email,
          groups.join(','),
        ]);
      }),
  );
  creation(user, run);
  whose(
    user
      .command('passwd <login>')
      .description('set a new password, which ends the sessions of the user')
      .option(...passwordOption),
  ).action(async (login: string, options: Whose & { password?: string }, command: Command) => {
    const { password, show } = await passwordOf(options.password);
    await run(command, options, async (users) => {
      await users.setPassword(login, password);
      print(`The password of '${login}' is set`);
      show();
    });
  });
  whose(
    user
      .command('delete <login>')
      .description('delete a user with sessions and grants; what the user made stays'),
  ).action((login: string, options: Whose, command: Command) =>
    run(command, options, async (users) => {
      await users.delete(login);
      print(`The user '${login}' is deleted`);
    }),
  );
}

function creation(user: Command, run: RunOnUsers): void {
  whose(
    user
      .command('create <login>')
      .description('make a user')
      .option(...passwordOption)
      .option('--name <name>', 'full name')
      .option('--email <address>', 'e-mail address')
      .option('--groups <names>', 'groups of the project; made when new', commaList)
      .option('--no-public-access', 'rights of the public user do not count for this user')
      .option('--gui-access', 'may use the administration console'),
  ).action(async (login: string, options: NewUser, command: Command) => {
    const { project: _project, admin: _admin, password: given, ...rest } = options;
    const { password, show } = await passwordOf(given);
    await run(command, options, async (users) => {
      await users.create({ ...rest, login, password });
      print(`The user '${login}' is made`);
      show();
    });
  });
}

/** `cartulary group …` */
export function groupCommands(program: Command, run: CommandRun): void {
  const group = examples(
    program.command('group').description('groups of a project'),
    'group list --project parks',
    'group add staff bob --project parks',
  );
  group
    .command('list')
    .description('groups with the logins of their members')
    .addOption(projectOption().makeOptionMandatory())
    .action((options: { project: string }, command: Command) =>
      run(async (db) => {
        const { id } = await findProject(db, options.project);
        printList(command, await listGroups(db, id), ({ name, members }) => [name, members.join(',')]);
      }),
    );
  for (const [verb, change, description] of [
    ['add', addToGroup, 'put a user into a group, which is made when new'],
    ['remove', removeFromGroup, 'take a user out of a group'],
  ] as const) {
    group
      .command(`${verb} <group> <login>`)
      .description(description)
      .addOption(projectOption().makeOptionMandatory())
      .action((name: string, login: string, options: { project: string }) =>
        run(async (db) => {
          const { id } = await findProject(db, options.project);
          await db.transaction((tx) => change(tx, { projectId: id, group: name, login }));
          print('Done');
        }),
      );
  }
}
