import { extname } from 'node:path';
import type { Transform } from 'node:stream';
import { formats } from '@cartulary/formats';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Client, pathOf } from '../client/client.js';
import { followJob, type JobView, keepingAlive } from '../client/job.js';
import { withService } from '../client/session.js';
import { type ColumnOptions, columnOptions, columnsParameter } from '../column-choices.js';
import { examples, print, projectOption } from '../command-line.js';
import { CommandFailure, interrupted, ServerRefusal } from '../failure.js';
import { withInterrupt } from '../interrupt.js';
import { createProgress, type ProgressLine, printJson, shownSize, tell } from '../output.js';
import { type CommandInput, counting, openCommandInput } from './input.js';
import { createLayerCommand } from './layer-commands.js';

interface ImportOptions extends ColumnOptions {
  replace?: boolean;
  merge?: boolean;
  create?: boolean;
  name?: string;
  dryRun?: boolean;
  skipErrors?: boolean;
  detach?: boolean;
  rasterBbox?: string;
  srs?: string;
  encoding?: string;
  localized?: string;
  key?: string;
  delimiter?: string;
  header?: string;
  decimal?: string;
  x?: string;
  y?: string;
  wkt?: string;
  geometry?: boolean;
  sheet?: string;
}

/** `cartulary import` */
export function importCommand(program: Command): void {
  const command = program
    .command('import <map> <layer> <files...>')
    .description(
      'import a file into a layer, all or nothing: what lies beside a .shp, .mif, .tab or image goes with it; several files go as one archive; - is standard input',
    )
    .addOption(projectOption())
    .option('--create', 'make the layer when it is not there')
    .addOption(new Option('--replace', 'in place of all objects').conflicts('merge'))
    .option('--merge', 'a feature with the id of an object changes it, all others are added (default)')
    .addOption(
      new Option(
        '--key <columns>',
        'with commas: a feature changes the object with equal values in these columns, whatever its id',
      ).conflicts('replace'),
    )
    .option('--dry-run', 'store nothing, and say what would be stored')
    .option('--skip-errors', 'leave out features that cannot be stored, and list them')
    .option(
      '--srs <projection>',
      'of the coordinates: 3857, EPSG:2154, WKT or proj4; else what the file says, or 4326',
    )
    .option('--encoding <name>', 'of the texts: utf-8, windows-1251 …; else what the file says or looks like')
    .option('--localized <columns>', 'with commas: take name_ru, name:en … as values by language of name')
    .option('--raster-bbox <box>', 'where an image lies: west,south,east,north in --srs', readBox)
    .option('--name <file>', 'name of what comes by standard input');
  columnOptions(tableOptions(command)).option(
    '--detach',
    'print the id of the job and end, without waiting for it',
  );
  examples(
    command,
    'import parks gardens gardens.geojson --project city --create',
    'import parks roads roads.shp --project city --srs EPSG:2154 --encoding windows-1252 --replace',
    'import parks trees trees.csv --project city --x lon --y lat --dry-run',
    'import parks trees trees.csv --project city --key number --column NR=number:text --leave-out id,note',
    'import parks photo photo.png --project city --create --raster-bbox 2.2,48.8,2.5,48.9',
  );
  command.action(
    async (map: string, layer: string, files: string[], options: ImportOptions, self: Command) => {
      // Unreadable input is reported before a database is started.
      const input = await openCommandInput(files, options.name);
      await withService(self, async ({ client, json, progress: wanted }) => {
        const progress = createProgress(wanted);
        await withInterrupt(async (signal) => {
          const run = { client, map, layer, input, options, signal, progress };
          const job = await keepingAlive(client, () => importing(run)).finally(() => progress.end());
          if (json) return printJson(options.detach ? job : (job.result as { import: unknown }).import);
          if (options.detach) return print(job.id);
          report(job.result as ImportResult, options.dryRun);
        });
      });
    },
  );
}

const tableOptions = (command: Command): Command =>
  command
    .option('--delimiter <sign>', 'tables: the sign between cells')
    .option('--header <0|1>', 'tables: whether the first row holds the names of the columns')
    .option('--decimal <sign>', 'tables: the sign before fractions')
    .option('--x <column>', 'tables: the column of the longitude, or of x; with --y')
    .option('--y <column>', 'tables: the column of the latitude, or of y')
    .option('--wkt <column>', 'tables: the column of the geometry as WKT or GeoJSON')
    .option('--no-geometry', 'tables: take no column for a geometry')
    .option('--sheet <name>', 'spreadsheets: the name or number of a sheet');

function readBox(text: string): string {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  if (numbers.length !== 4 || !numbers.every(Number.isFinite))
    throw new InvalidArgumentError('It must be west,south,east,north, such as 2.2,48.8,2.5,48.9.');
  const [west, south, east, north] = numbers;
  return `BOX(${west} ${south},${east} ${north})`;
}

interface Run {
  client: Client;
  map: string;
  layer: string;
  input: CommandInput;
  options: ImportOptions;
  signal: AbortSignal;
  progress: ProgressLine;
}

async function importing(run: Run): Promise<JobView> {
  const { client, map, layer, options, signal, progress } = run;
  const made = options.create && (await createIfMissing(run));
  try {
    const job = await send(run).catch((error) => {
      if (!signal.aborted) throw error;
      throw new CommandFailure('Cancelled: nothing was stored', '', interrupted);
    });
    return options.detach ? job : await followJob(client, job, { signal, progress });
  } catch (error) {
    if (made) await client.call('DELETE', pathOf(map, 'layers', layer)).catch(() => {});
    throw inFile(error as Error, run);
  }
}

const extensions = formats.filter(({ imports }) => imports).flatMap((format) => format.extensions);
const containers = ['zip', 'gz'];
const styleExtensions = ['mss', 'css', 'carto', 'cartocss'];

/** Adds to an error about the content that the file is a style, or does not look like a known format. */
function inFile(error: Error, { input: { shown }, map, layer }: Run): Error {
  if (!(error instanceof ServerRefusal) || !['import_failed', 'format_invalid'].includes(error.code))
    return error;
  const extension = extname(shown).slice(1).toLowerCase();
  const set = `cartulary style set ${map} ${shown} --layer ${layer}`;
  const isUnknown = extension !== '' && ![...extensions, ...containers].includes(extension);
  const hint = styleExtensions.includes(extension)
    ? `A style is set by: ${set}`
    : extension === 'json'
      ? `If it is a style: ${set}`
      : isUnknown
        ? `.${extension} is none of the formats: ${[...extensions, 'zip'].join(', ')}.`
        : '';
  return new ServerRefusal(error.status, error.code, `${shown}: ${error.message}`, error.data, hint);
}

const images = ['.tif', '.tiff', '.geotif', '.png', '.jpg', '.jpeg'];

/** Whether the layer was created. */
async function createIfMissing({ client, map, layer, input, options }: Run): Promise<boolean> {
  const isImage = input.shown.split(', ').some((name) => images.includes(extname(name).toLowerCase()));
  try {
    await client.call('GET', pathOf(map, 'layers', layer));
    return false;
  } catch (error) {
    if (!(error instanceof ServerRefusal) || error.code !== 'layer_not_found') throw error;
  }
  if (options.dryRun)
    throw new CommandFailure('--dry-run makes no layer', 'Make it first: cartulary layer create.');
  await createLayerCommand(client, { map, code: layer, type: isImage ? 'raster' : 'layer' });
  return true;
}

const flag = (value: boolean | undefined): string | undefined => (value ? '1' : undefined);

function send({ client, map, layer, input, options, signal, progress }: Run): Promise<JobView> {
  const { srs, encoding, localized, key, delimiter, header, decimal, x, y, wkt, sheet } = options;
  const { size, name, stream } = input;
  const query = {
    async: '1',
    action: options.replace ? '1' : '2',
    dry_run: flag(options.dryRun),
    skip_errors: flag(options.skipErrors),
    raster_bbox: options.rasterBbox,
    geometry: options.geometry === false ? 'none' : undefined,
    columns: columnsParameter(options),
    ...{ srs, encoding, localized, key, delimiter, header, decimal, x, y, wkt, sheet },
  };
  const count = (sent: number): void => {
    const share = size ? `, ${Math.floor((100 * sent) / size)} %` : '';
    progress.say(`sending ${shownSize(sent)}${size ? ` of ${shownSize(size)}` : ''}${share}`, 'sending');
  };
  const bytes = stream.once('error', () => {}).pipe(counting(count));
  // A source that fails must not look like the end of the file.
  stream.once('error', ({ message }) =>
    bytes.destroy(new CommandFailure(`Cannot read ${input.shown}: ${message}`)),
  );
  return client.call('POST', pathOf(map, 'layers', layer, 'import'), {
    ...{ query, bytes, size, signal: whileSending(bytes, signal) },
    headers: {
      'content-type': 'application/octet-stream',
      ...(name === undefined ? {} : { 'x-filename': encodeURIComponent(name.replaceAll('\ufffd', '_')) }),
    },
  });
}

/**
 * Aborted with the signal until the whole file is sent. After that a job may exist, and its id is needed to
 * cancel it.
 */
function whileSending(bytes: Transform, signal: AbortSignal): AbortSignal {
  const sending = new AbortController();
  const stop = (): void => sending.abort(signal.reason);
  signal.addEventListener('abort', stop);
  bytes.once('end', () => signal.removeEventListener('abort', stop));
  return sending.signal;
}

interface ImportResult {
  code: string;
  import: {
    read: number;
    stored: number;
    added?: number;
    changed?: number;
    refused: number;
    errors: { feature: number; code: string; message: string }[];
    format: string;
    encoding: string | null;
    projection: string | null;
    notes: string[];
    columns?: { code: string; type: string; new: boolean }[];
  };
}

function report({ code, import: told }: ImportResult, isDry: boolean | undefined): void {
  const { read, stored, changed = 0, refused, format, encoding, projection, notes, errors, columns } = told;
  const how = [format, projection, encoding].filter(Boolean).join(', ');
  const verb = isDry ? 'would be stored' : 'stored';
  print(
    `${isDry ? read - refused : stored} of ${read} features ${verb} in ${code} (${how})${changed ? `, of which ${changed} change objects` : ''}${refused ? `, ${refused} left out` : ''}`,
  );
  for (const column of columns ?? []) print('', column.code, column.type, column.new ? 'new' : '');
  for (const note of notes) tell(note);
  for (const { feature, message } of errors) tell(`feature ${feature}: ${message}`);
}
