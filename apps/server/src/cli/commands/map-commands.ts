import type { Command } from 'commander';
import { type Client, pathOf } from '../client/client.js';
import { withService } from '../client/session.js';
import { examples, print, projectOption } from '../command-line.js';
import { confirm } from '../confirm.js';
import { ServerRefusal } from '../failure.js';
import { printFields, printJson, printRows } from '../output.js';
import { readStyleFile, withStyle } from './style-file.js';
import { treeOf, treeRows } from './tree.js';

/** A map in the form of the interface. */
export interface MapView {
  id: number;
  code: string;
  name: string;
  css_style: string;
  has_publication: boolean;
}

const one = (command: Command): Command => command.addOption(projectOption());

/** Creates something; with `ifMissing` an existing one is not an error. */
export const unlessThere = async <T>(
  ifMissing: boolean | undefined,
  make: () => Promise<T>,
): Promise<T | undefined> =>
  make().catch((error) => {
    if (ifMissing && error instanceof ServerRefusal && error.code === 'code_taken') return undefined;
    throw error;
  });

/** `cartulary map …` */
export function mapCommands(program: Command): void {
  const map = examples(
    program.command('map').description('maps of a project'),
    'map create parks --project city --name "Parks of Paris" --private',
    'map list --project city',
    'map publish parks --project city',
    'map delete parks --project city --yes',
  );
  listing(map);
  creation(map);
  changes(map);
}

function listing(map: Command): void {
  one(map.command('list').description('maps that you may view: code, name, public or private')).action(
    (_options, command: Command) =>
      withService(command, async ({ client, json }) => {
        const codes = await client.call<{ code: string }[]>('GET', pathOf('maps', 'available'));
        const maps = await inBatches(codes, ({ code }) => client.call<MapView>('GET', pathOf(code)));
        if (json) return printJson(maps.map(({ css_style, ...rest }) => rest));
        printRows(
          ['code', 'name', 'for'],
          maps.map(({ code, name, has_publication }) => [code, name, has_publication ? 'public' : 'private']),
        );
      }),
  );
  examples(
    one(map.command('show <map>').description('a map, with its folders and layers and where it is seen')),
    'map show parks --project city --json',
  ).action((code: string, _options, command: Command) =>
    withService(command, async ({ client, json }) => {
      const found = await client.call<MapView>('GET', pathOf(code));
      const items = await treeOf(client, code);
      if (json) return printJson({ ...found, layers: items });
      const { css_style, has_publication, ...rest } = found;
      printFields({ ...rest, for: has_publication ? 'public' : 'private', ...placesOf(client, code) });
      if (items.length) printRows(['code', 'type', 'name', 'id'], treeRows(items, found.id));
    }),
  );
}

/** The addresses of a map, where a server serves it. */
const placesOf = ({ address: { pages }, project }: Client, code: string): Record<string, string> =>
  pages === undefined
    ? {}
    : {
        page: `${pages}/maps/${project}/${code}/`,
        tiles: `${pages}/tms/${project}/${code}/?z={z}&x={x}&y={-y}`,
      };

/** Requests run in parallel, since a list of a thousand maps takes a thousand of them. */
async function inBatches<T, U>(all: T[], ask: (one: T) => Promise<U>): Promise<U[]> {
  const size = 8;
  const results: U[] = [];
  for (let at = 0; at < all.length; at += size)
    results.push(...(await Promise.all(all.slice(at, at + size).map(ask))));
  return results;
}

interface NewMap {
  name?: string;
  private?: boolean;
  style?: string;
  comment?: string;
  ifMissing?: boolean;
}

function creation(map: Command): void {
  examples(
    one(
      map
        .command('create <map>')
        .description('make a map; it is public unless --private')
        .option('--name <name>', 'its name')
        .option('--private', 'never public until it is published')
        .option('--style <file>', 'CartoCSS of its background; - is the standard input')
        .option('--comment <text>', 'a comment on it')
        .option('--if-missing', 'go on where there is one with this code'),
    ),
    'map create parks --project city --name "Parks of Paris"',
    'map create drafts --project city --private --if-missing',
  ).action(async (code: string, options: NewMap, command: Command) => {
    const style = options.style === undefined ? undefined : await readStyleFile(options.style, 'map');
    await withService(
      command,
      async ({ client, json }) => {
        const { name, comment } = options;
        const body = { code, name, comment, ...(options.private ? { has_publication: false } : {}) };
        const made = await unlessThere(options.ifMissing, () =>
          withStyle(style, () => client.call<MapView>('POST', '/', { json: { ...body, ...style?.body } })),
        );
        if (json) return printJson(made ?? (await client.call('GET', pathOf(code))));
        if (!made) return print(`The map '${code}' is there already`);
        print(`The map '${code}' is made, ${made.has_publication ? 'public' : 'private'}`);
      },
      { drawing: style !== undefined },
    );
  });
}

function changes(map: Command): void {
  for (const [verb, open, description] of [
    ['publish', true, 'let everybody view a map'],
    ['unpublish', false, 'let only those view a map who have the right themselves'],
  ] as const)
    one(map.command(`${verb} <map>`).description(description)).action(
      (code: string, _options, command: Command) =>
        withService(command, async ({ client, json }) => {
          const body = open ? { publish: true, has_publication: true } : { has_publication: false };
          const changed = await client.call<MapView>('PATCH', pathOf(code), { json: body });
          if (json) return printJson(changed);
          print(`The map '${code}' is ${open ? 'public' : 'private'}`);
          for (const place of Object.values(open ? placesOf(client, code) : {})) print(place);
        }),
    );
  examples(
    one(
      map
        .command('change <map>')
        .description('change the name, code or comment of a map')
        .option('--name <name>', 'a new name')
        .option('--code <code>', 'a new code, by which addresses name it')
        .option('--comment <text>', 'a new comment'),
    ),
    'map change parks --project city --name "Parks and gardens"',
  ).action((code: string, { name, code: newCode, comment }, command: Command) =>
    withService(command, async ({ client, json }) => {
      const body = { name, code: newCode, comment };
      const changed = await client.call<MapView>('PATCH', pathOf(code), { json: body });
      if (json) return printJson(changed);
      print(`The map '${changed.code}' is changed`);
    }),
  );
  one(
    map
      .command('delete <map>')
      .description('delete a map with all its folders, layers and objects')
      .option('--yes', 'do not ask'),
  ).action(async (code: string, { yes }: { yes?: boolean }, command: Command) => {
    await confirm(`The map '${code}' with all that it holds will be deleted`, yes);
    await withService(command, async ({ client, json }) => {
      await client.call('DELETE', pathOf(code));
      if (json) return printJson(true);
      print(`The map '${code}' is deleted`);
    });
  });
}
