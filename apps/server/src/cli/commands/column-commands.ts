import { Argument, type Command } from 'commander';
import { pathOf } from '../client/client.js';
import { withService } from '../client/session.js';
import { examples, print, projectOption } from '../command-line.js';
import { confirm } from '../confirm.js';
import { printJson, printRows } from '../output.js';
import { readType } from './column.js';
import { type ColumnView, columnRows } from './layer-commands.js';

const one = (command: Command): Command => command.addOption(projectOption());

interface NewColumn {
  name?: string;
  required?: boolean;
  localized?: boolean;
}

/** `cartulary column …` */
export function columnCommands(program: Command): void {
  const column = examples(
    program.command('column').description('columns of a layer'),
    'column list parks gardens --project city',
    'column add parks gardens opened datetime --project city --name "Opened in"',
    'column delete parks gardens opened --project city --yes',
  );
  one(column.command('list <map> <layer>').description('code, type, name of the columns')).action(
    (map: string, layer: string, _options, command: Command) =>
      withService(command, async ({ client, json }) => {
        const columns = await client.call<ColumnView[]>('GET', pathOf(map, 'layers', layer, 'structure'));
        if (json) return printJson(columns);
        printRows(['code', 'type', 'name', 'required'], columnRows(columns));
      }),
  );
  one(
    column
      .command('add')
      .description('add a column')
      .argument('<map>')
      .argument('<layer>')
      .argument('<code>', 'Latin letters, digits and _')
      .addArgument(
        new Argument('<type>', 'number, string, text, datetime, bool, file, json or title').argParser(
          readType,
        ),
      )
      .option('--name <name>', 'its name')
      .option('--required', 'objects must have a value')
      .option('--localized', 'a value per language'),
  ).action((map: string, layer: string, code: string, type: string, options: NewColumn, command: Command) =>
    withService(command, async ({ client, json }) => {
      const { name, required, localized } = options;
      const body = { code, type, name, required, localized_value: localized };
      const made = await client.call('POST', pathOf(map, 'layers', layer, 'structure'), { json: body });
      if (json) return printJson(made);
      print(`The column '${code}' is made`);
    }),
  );
  one(
    column
      .command('delete <map> <layer> <code>')
      .description('delete a column with its values')
      .option('--yes', 'do not ask'),
  ).action(async (map: string, layer: string, code: string, { yes }: { yes?: boolean }, command: Command) => {
    await confirm(`The column '${code}' with all its values will be deleted`, yes);
    await withService(command, async ({ client, json }) => {
      await client.call('DELETE', pathOf(map, 'layers', layer, 'structure', code));
      if (json) return printJson(true);
      print(`The column '${code}' is deleted`);
    });
  });
}
