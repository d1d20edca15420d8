import type { Command } from 'commander';
import { pathOf } from '../client/client.js';
import { withService } from '../client/session.js';
import { examples, print, projectOption } from '../command-line.js';
import { confirm } from '../confirm.js';
import { printJson } from '../output.js';
import { unlessThere } from './map-commands.js';
import { folderId } from './tree.js';

const one = (command: Command): Command => command.addOption(projectOption());

/** `cartulary folder …` */
export function folderCommands(program: Command): void {
  const folder = examples(
    program.command('folder').description('folders of a map'),
    'folder create parks green --project city --name "Green places"',
    'folder create parks small --project city --in green',
    'folder delete parks green --project city --yes',
  );
  one(
    folder
      .command('create <map> <folder>')
      .description('make a folder')
      .option('--name <name>', 'its name')
      .option('--in <folder>', 'the folder that it lies in')
      .option('--if-missing', 'go on where there is one with this code'),
  ).action(
    (map: string, code: string, options: { name?: string; in?: string; ifMissing?: boolean }, command) =>
      withService(command, async ({ client, json }) => {
        const parent = options.in === undefined ? undefined : await folderId(client, map, options.in);
        const body = { code, name: options.name, parent_id: parent };
        const made = await unlessThere(options.ifMissing, () =>
          client.call('POST', pathOf(map, 'folders'), { json: body }),
        );
        if (json) return printJson(made ?? (await client.call('GET', pathOf(map, 'folders', code))));
        print(`The folder '${code}' is ${made ? 'made' : 'there already'}`);
      }),
  );
  one(
    folder
      .command('delete <map> <folder>')
      .description('delete a folder with all its layers')
      .option('--yes', 'do not ask'),
  ).action(async (map: string, code: string, { yes }: { yes?: boolean }, command: Command) => {
    await confirm(`The folder '${code}' with all layers in it will be deleted`, yes);
    await withService(command, async ({ client, json }) => {
      await client.call('DELETE', pathOf(map, 'folders', code));
      if (json) return printJson(true);
      print(`The folder '${code}' is deleted`);
    });
  });
}
