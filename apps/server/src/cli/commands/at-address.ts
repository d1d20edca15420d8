import type { Command } from 'commander';
import type { ProjectInput } from '../../access/users/projects.js';
import { type Client, pathOf } from '../client/client.js';
import { type Globals, withService } from '../client/session.js';
import { usage } from '../command-line.js';
import { CommandFailure } from '../failure.js';
import type { RunOnUsers, Users } from './user-commands.js';

/** Creates a project by the interface at the given address; false when no address is given. */
export async function createProjectAt(command: Command, project: ProjectInput): Promise<boolean> {
  const { url } = command.optsWithGlobals<Globals>();
  if (!url) return false;
  // The function is above the projects, so a session of any project will do.
  await withService(command, ({ client }) => client.call('POST', '', { json: project }), {
    project: project.code,
  });
  return true;
}

/** The users at the given address; without one, those of `local`. */
export const usersAt =
  (local: RunOnUsers): RunOnUsers =>
  async (command, options, work) => {
    const { url } = command.optsWithGlobals<Globals>();
    if (!url) return local(command, options, work);
    if (options.admin)
      throw new CommandFailure(
        `Administrators of the installation are managed on its database, not at ${url.shown}`,
        'Leave --url and CARTULARY_URL out, on the machine of the server.',
        usage,
      );
    await withService(command, ({ client }) => work(usersOf(client)));
  };

const usersOf = (client: Client): Users => ({
  async list() {
    const logins = await client.call<string[]>('GET', pathOf('users', 'list'));
    const query = (login: string) => ({ query: { login } });
    return Promise.all(
      logins.map((login) => client.call<never>('GET', pathOf('users', 'info'), query(login))),
    );
  },
  create: (user) => client.call('POST', pathOf('users'), { json: user }),
  setPassword: (login, password) => client.call('PATCH', pathOf('users', login), { json: { password } }),
  delete: (login) => client.call('DELETE', pathOf('users', login)),
});
