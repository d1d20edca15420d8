import { type Command, InvalidArgumentError } from 'commander';
import { type Level, levels } from '../../access/rights.js';
import { type Client, pathOf } from '../client/client.js';
import { withService } from '../client/session.js';
import { exactlyOne, examples, print, projectOption, usage } from '../command-line.js';
import { printJson } from '../output.js';

function level(text: string): Level | null {
  if (text === 'inherit') return null;
  if (Object.hasOwn(levels, text)) return text as Level;
  throw new InvalidArgumentError(`Give one of ${Object.keys(levels).join(', ')} or inherit.`);
}

/** Options of the target of a grant. */
interface On {
  map?: string;
  layer?: string;
}
const on = (command: Command): Command =>
  command
    .addOption(projectOption())
    .option('--map <code>', 'a map of it')
    .option('--layer <code>', 'a layer of the map')
    .hook('preAction', (given) => {
      const { map, layer } = given.opts();
      if (layer !== undefined && map === undefined)
        given.error('error: --layer needs --map beside it', { exitCode: usage });
    });

/** The path of the grants of a target. */
const rightsOf = ({ map, layer }: On): string => {
  if (map === undefined) return pathOf('rights');
  return layer === undefined ? pathOf(map, 'rights') : pathOf(map, 'layers', layer, 'rights');
};

interface Grantee {
  user?: string;
  group?: string;
}

/** The principal of a grant in words. */
const nameOf = ({ user: login, group: name }: Grantee): string =>
  name === undefined ? `user ${login}` : `group ${name}`;

/** `cartulary grant …` */
export function grantCommands(program: Command): void {
  const grant = examples(
    program.command('grant').description('rights on a project, a map or a layer'),
    'grant list --project parks',
    'grant set edit --project parks --map gardens --group staff',
    'grant set none --project parks --map gardens --layer plans --user public',
    'grant explain bob --project parks --map gardens',
  );
  on(grant.command('list').description('the grants on a target itself')).action((at: On, command: Command) =>
    withService(command, async ({ client, json }) => {
      const grants = await client.call<(Grantee & { right: Level })[]>('GET', rightsOf(at));
      if (json) return printJson(grants);
      for (const one of grants) print(nameOf(one), one.right);
    }),
  );
  setting(grant);
  on(
    grant
      .command('explain <login>')
      .description('the effective right of a user (or public) and the grant that decides it'),
  ).action((login: string, at: On, command: Command) =>
    withService(command, async ({ client, json }) => {
      const explained = await explain(client, login, at);
      if (json) return printJson(explained);
      const { right, grant: decisive } = explained;
      print(
        login,
        right,
        decisive ? `granted to ${nameOf(decisive)} on the ${decisive.on}` : 'no grant decides it',
      );
    }),
  );
}

function setting(grant: Command): void {
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
  ).action((right: Level | null, { user, group, ...at }: On & Grantee, command: Command) =>
    withService(command, async ({ client, json }) => {
      const grants = await client.call('PUT', rightsOf(at), { json: { user, group, right } });
      if (json) return printJson(grants);
      print('Done');
    }),
  );
}

interface Explained {
  right: Level;
  grant: (Grantee & { on: string }) | null;
}

const explain = (client: Client, login: string, { map, layer }: On): Promise<Explained> =>
  client.call('GET', pathOf('rights', 'explain'), { query: { login, map, layer } });
