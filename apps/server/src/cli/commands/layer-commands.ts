import { type Command, Option } from 'commander';
import { type Client, pathOf } from '../client/client.js';
import { withService } from '../client/session.js';
import { examples, print, projectOption } from '../command-line.js';
import { confirm } from '../confirm.js';
import { CommandFailure } from '../failure.js';
import { collect } from '../options.js';
import { printFields, printJson, printRows } from '../output.js';
import { type CliColumn, readColumn } from './column.js';
import { readText } from './input.js';
import { unlessThere } from './map-commands.js';
import { readStyleFile, type StyleFile, withStyle } from './style-file.js';
import { folderId, treeOf, treeRows } from './tree.js';

const one = (command: Command): Command => command.addOption(projectOption());

/** `cartulary layer …` */
export function layerCommands(program: Command): void {
  const layer = examples(
    program.command('layer').description('layers of a map'),
    'layer create parks gardens --project city --column name:string:required --column hectares:number',
    'layer create parks large --project city --type virtual --query large.sql',
    'layer list parks --project city',
    'layer show parks gardens --project city',
  );
  reading(layer);
  creation(layer);
  ending(layer);
}

function reading(layer: Command): void {
  one(layer.command('list <map>').description('all folders and layers of a map')).action(
    (map: string, _options, command: Command) =>
      withService(command, async ({ client, json }) => {
        const items = await treeOf(client, map);
        if (json) return printJson(items);
        const roots = new Set(items.map(({ id }) => id));
        const parents = [...new Set(items.map(({ parent_id }) => parent_id))].filter((id) => !roots.has(id));
        printRows(
          ['code', 'type', 'name', 'id'],
          parents.flatMap((parent) => treeRows(items, parent)),
        );
      }),
  );
  one(
    layer
      .command('show <map> <layer>')
      .description('a layer, its objects, bbox (west,south,east,north) and columns'),
  ).action((map: string, code: string, _options, command: Command) =>
    withService(command, async ({ client, json }) => {
      const query = { returnBbox: '1' };
      const found = await client.call<Record<string, unknown>>('GET', pathOf(map, 'layers', code), {
        query,
      });
      const columns = await client.call<ColumnView[]>('GET', pathOf(map, 'layers', code, 'structure'));
      const objects = await countOf(client, map, code, String(found.type));
      if (json) return printJson({ ...found, objects, structure: columns });
      const { id, type, name, bbox } = found;
      printFields({ id, type, code, name, objects, bbox: boxText(bbox as MapBox | null) });
      printRows(['column', 'type', 'name', 'required'], columnRows(columns));
    }),
  );
}

interface MapBox {
  /** Corners as [latitude, longitude], degrees. */
  sw: [number, number];
  ne: [number, number];
}

/** `west,south,east,north`, as `--raster-bbox` takes it. */
const boxText = (box: MapBox | null): string =>
  box ? [box.sw[1], box.sw[0], box.ne[1], box.ne[0]].join() : '';

const countOf = async (client: Client, map: string, layer: string, type: string): Promise<number | null> =>
  type === 'raster' || type === 'external'
    ? null
    : client.call('GET', pathOf(map, 'layers', layer, 'count'), { query: { precise: 'true' } });

export interface ColumnView {
  code: string;
  type: string;
  name: string;
  required: boolean;
}

export const columnRows = (columns: ColumnView[]): string[][] =>
  columns.map(({ code, type, name, required }) => [code, type, name, required ? 'required' : '']);

interface NewLayer {
  name?: string;
  type: string;
  in?: string;
  column?: CliColumn[];
  style?: string;
  query?: string;
  source?: string;
  ifMissing?: boolean;
}

function creation(layer: Command): void {
  examples(
    one(
      layer
        .command('create <map> <layer>')
        .description('make a layer, with its columns')
        .option('--name <name>', 'its name')
        .addOption(
          new Option('--type <type>', 'what it holds')
            .choices(['layer', 'virtual', 'material', 'raster', 'external'])
            .default('layer', 'layer: objects'),
        )
        .option('--in <folder>', 'the folder that it lies in')
        .option(
          '--column <code:type>',
          'a column, such as name:string, name:string:required or name:string:localized; may be repeated',
          collect(readColumn),
        )
        .option(
          '--style <file>',
          'CartoCSS, or as JSON a simple style or a visualization; - is standard input',
        )
        .option('--query <file>', 'of a virtual or material layer: a file with its SELECT')
        .option('--source <file>', 'of an external layer: a file with its settings (type, url …) as JSON')
        .option('--if-missing', 'go on where there is one with this code'),
    ),
    'layer create parks gardens --project city --column name:string:required --style gardens.mss',
    'layer create parks photo --project city --type raster',
  ).action(async (map: string, code: string, options: NewLayer, command: Command) => {
    const style = options.style === undefined ? undefined : await readStyleFile(options.style, 'layer');
    const settings = await settingsOf(options);
    await withService(
      command,
      async ({ client, json }) => {
        const made = await unlessThere(options.ifMissing, () =>
          createLayerCommand(client, { map, code, ...options, settings, style }),
        );
        if (json) return printJson(made ?? (await client.call('GET', pathOf(map, 'layers', code))));
        print(`The layer '${code}' is ${made ? 'made' : 'there already'}`);
      },
      { drawing: style !== undefined },
    );
  });
}

/** `json` of a layer: its query, or the source of an external layer. */
async function settingsOf({ type, query, source }: NewLayer): Promise<Record<string, unknown> | undefined> {
  if (query !== undefined) return { query: await readText(query) };
  if (source !== undefined) return JSON.parse(await readText(source));
  if (type === 'virtual' || type === 'material')
    throw new CommandFailure(`A ${type} layer needs its query`, 'Give --query <file>.', 2);
  if (type === 'external')
    throw new CommandFailure('An external layer needs its source', 'Give --source <file>.', 2);
  return undefined;
}

interface LayerOrder {
  map: string;
  code: string;
  name?: string;
  type: string;
  in?: string;
  column?: CliColumn[];
  settings?: Record<string, unknown> | undefined;
  style?: StyleFile | undefined;
}

/** Creates a layer with its columns. When a column cannot be created the layer is deleted again. */
export async function createLayerCommand(client: Client, order: LayerOrder): Promise<unknown> {
  const { map, code, name, type, column: columns = [], style } = order;
  const parent = order.in === undefined ? undefined : await folderId(client, map, order.in);
  const at = pathOf(map, 'layers', code);
  const body = { code, name, type, parent_id: parent, json: order.settings };
  // The style comes after the columns, which it may read.
  const made = await client.call('POST', pathOf(map, 'layers'), { json: body });
  try {
    for (const column of columns)
      await client.call('POST', pathOf(map, 'layers', code, 'structure'), { json: column });
    if (!style) return made;
    return await withStyle(style, () => client.call('PATCH', at, { json: style.body }));
  } catch (error) {
    await client.call('DELETE', at).catch(() => {});
    throw error;
  }
}

function ending(layer: Command): void {
  examples(
    one(
      layer
        .command('change <map> <layer>')
        .description('change the name, code or folder of a layer')
        .option('--name <name>', 'a new name')
        .option('--code <code>', 'a new code, by which addresses, styles and queries name it')
        .option('--in <folder>', 'the folder that it lies in'),
    ),
    'layer change parks gardens --project city --in green',
  ).action((map: string, code: string, { name, code: newCode, in: folder }, command: Command) =>
    withService(command, async ({ client, json }) => {
      const parent = folder === undefined ? undefined : await folderId(client, map, folder);
      const body = { name, code: newCode, parent_id: parent };
      const changed = await client.call<{ code: string }>('PATCH', pathOf(map, 'layers', code), {
        json: body,
      });
      if (json) return printJson(changed);
      print(`The layer '${changed.code}' is changed`);
    }),
  );
  one(
    layer.command('refresh <map> <layer>').description('run the query of a materialized layer again'),
  ).action((map: string, code: string, _options, command: Command) =>
    withService(command, async ({ client, json }) => {
      const changed = await client.call('POST', pathOf(map, 'layers', code, 'refresh'));
      if (json) return printJson(changed);
      print(`The layer '${code}' is as its query says now`);
    }),
  );
  one(
    layer
      .command('delete <map> <layer>')
      .description('delete a layer with all its objects')
      .option('--force', 'also where virtual layers read it')
      .option('--yes', 'do not ask'),
  ).action(
    async (map: string, code: string, options: { yes?: boolean; force?: boolean }, command: Command) => {
      await confirm(`The layer '${code}' with all its objects will be deleted`, options.yes);
      await withService(command, async ({ client, json }) => {
        const query = options.force ? { force: '1' } : {};
        await client.call('DELETE', pathOf(map, 'layers', code), { query });
        if (json) return printJson(true);
        print(`The layer '${code}' is deleted`);
      });
    },
  );
}
