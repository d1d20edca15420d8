import { createWriteStream } from 'node:fs';
import { access, constants, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { formats } from '@cartulary/formats';
import { type Command, Option } from 'commander';
import { type Client, pathOf } from '../client/client.js';
import { followJob, type JobView, keepingAlive } from '../client/job.js';
import { withService } from '../client/session.js';
import { examples, projectOption, usage } from '../command-line.js';
import { CommandFailure, interrupted } from '../failure.js';
import { withInterrupt } from '../interrupt.js';
import { createProgress, type ProgressLine, printJson, shownSize, tell } from '../output.js';
import { counting } from './input.js';

const written = formats.filter(({ exports }) => exports);

interface ExportOptions {
  format?: string;
  output?: string;
  zip?: boolean;
  ids?: string;
  langs?: string;
  box?: string;
  filter?: string;
  encoding?: string;
  dialect?: string;
  processed?: boolean;
}

/** `cartulary export` */
export function exportCommand(program: Command): void {
  examples(
    program
      .command('export <map> <layer>')
      .description('export a layer to a file, or to standard output')
      .addOption(projectOption())
      .addOption(
        new Option('--format <format>', 'of the file; else by the ending of --output').choices(
          written.map(({ code }) => code),
        ),
      )
      .option('-o, --output <file>', 'the file, which is replaced when it is complete; - is standard output')
      .option('--zip', 'pack it')
      .option('--ids <ids>', 'these objects alone, with commas')
      .option('--box <degrees>', 'objects that meet it: west,south,east,north')
      .option('--filter <expression>', 'objects that fulfil a CQL2-JSON expression')
      .option('--langs <codes>', 'languages of localized columns, with commas; else all')
      .option('--encoding <name>', 'csv, shp, mif and tab: encoding of the texts')
      .option('--dialect <name>', 'csv: semicolon (default), comma or tab')
      .option('--processed', 'geotif: the image in EPSG:3857 that is drawn, in place of the one that came'),
    'export parks gardens --project city -o gardens.gpkg',
    'export parks gardens --project city --format csv --dialect comma > gardens.csv',
    'export parks roads --project city --format shp --box 2.2,48.8,2.5,48.9 -o roads.zip',
  ).action(async (map: string, layer: string, options: ExportOptions, command: Command) => {
    const format = formatOf(options);
    const output = options.output === '-' ? undefined : options.output;
    if (output === undefined) refuseTerminal(format);
    else await demandWritable(output);
    await withService(command, async ({ client, json, progress: wanted }) => {
      const progress = createProgress(wanted);
      const run = { client, map, layer, format, options, progress };
      const file = await withInterrupt((signal) =>
        keepingAlive(client, () => exporting({ ...run, output, signal })).finally(() => progress.end()),
      );
      if (output === undefined) return;
      if (json) return printJson({ ...file, output });
      tell(`${output}: ${shownSize(file.size)}`);
    });
  });
}

function formatOf({ format, output = '-' }: ExportOptions): string {
  const extension = extname(output).slice(1).toLowerCase();
  const found =
    format === undefined
      ? (written.find(({ code }) => code === extension) ??
        written.find(({ extensions }) => extensions.includes(extension)))
      : written.find(({ code }) => code === format);
  if (found?.zip === 'always' && output !== '-' && extension !== 'zip')
    throw new CommandFailure(
      `${found.code} are several files, which come in one archive`,
      `Give --format ${found.code} --output ${basename(output, extname(output))}.zip.`,
      usage,
    );
  if (found) return found.code;
  throw new CommandFailure(
    extension ? `Which format is .${extension}?` : 'In which format?',
    `Give --format: ${written.map(({ code }) => code).join(', ')}.`,
    usage,
  );
}

const readable = ['geojson', 'geojsonl', 'csv', 'kml'];

function refuseTerminal(format: string): void {
  if (process.stdout.isTTY && !readable.includes(format))
    throw new CommandFailure(`${format} is not for a terminal`, 'Give --output <file>, or > file.', usage);
}

async function demandWritable(output: string): Promise<void> {
  if ((await stat(output).catch(() => undefined))?.isDirectory())
    throw new CommandFailure(`Cannot write ${output}: it is a folder`, 'Give the name of a file.');
  await access(dirname(output), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'there is no such folder' : 'nothing may be written there';
    throw new CommandFailure(`Cannot write ${output}: ${reason}`);
  });
}

interface Run {
  client: Client;
  map: string;
  layer: string;
  format: string;
  options: ExportOptions;
  /** undefined for the standard output. */
  output: string | undefined;
  signal: AbortSignal;
  progress: ProgressLine;
}

interface FileResult {
  name: string;
  size: number;
  changed_texts?: number;
}

async function exporting(run: Run): Promise<FileResult> {
  const { client, map, layer, signal, progress } = run;
  const started = await client.call<JobView>('GET', pathOf(map, 'layers', layer, 'export'), {
    query: queryOf(run),
  });
  const { result } = await followJob(client, started, { signal, progress });
  const file = result as FileResult;
  try {
    await fetchFile(run, started.id, file.size);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CommandFailure('Cancelled: the file is not complete', '', interrupted);
  } finally {
    // Nobody else needs the file of the job.
    await client.call('DELETE', pathOf('jobs', started.id)).catch(() => {});
  }
  if (file.changed_texts) tell(`${file.changed_texts} texts could not be written as they are in this format`);
  return file;
}

function queryOf({ format, options }: Run): Record<string, string | undefined> {
  const { zip, ids, langs, box, filter, encoding, dialect, processed } = options;
  return {
    async: '1',
    ...{ format, langs, filter, encoding, dialect },
    feature_ids: ids,
    fbbox: box === undefined ? undefined : latitudesFirst(box),
    zip: zip ? '1' : undefined,
    orig: processed ? '0' : undefined,
  };
}

/** The interface puts the latitude before the longitude. */
function latitudesFirst(box: string): string {
  const numbers = box.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [west, south, east, north] = numbers;
  if (numbers.length !== 4 || !numbers.every(Number.isFinite))
    throw new CommandFailure('--box must be west,south,east,north, such as 2.2,48.8,2.5,48.9', '', usage);
  return [south, west, north, east].join(',');
}

/** Writes to a temporary file and renames it, so that an interrupted export keeps the old file. */
async function fetchFile({ client, output, signal, progress }: Run, id: string, size: number): Promise<void> {
  const bytes = await client.open('GET', pathOf('jobs', id, 'file'), { signal });
  let received = 0;
  const counted = counting((count) => {
    received = count;
    progress.say(`receiving ${shownSize(count)} of ${shownSize(size)}`, 'receiving');
  });
  if (output === undefined) {
    await pipeline(bytes, counted, process.stdout, { signal, end: false }).catch(ofPipe);
    return;
  }
  // Devices and pipes are written to, never replaced.
  const isPlace = (await stat(output).catch(() => undefined))?.isFile() === false;
  const part = isPlace ? output : join(dirname(output), `.${basename(output)}.${process.pid}.part`);
  try {
    await pipeline(bytes, counted, createWriteStream(part), { signal });
    if (received !== size) throw new CommandFailure(`Only ${received} of ${size} bytes have come`);
    if (!isPlace) await rename(part, output);
  } catch (error) {
    if (!isPlace) await rm(part, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EISDIR' || code === 'EACCES' || code === 'EROFS')
      throw new CommandFailure(`Cannot write ${output}: ${message}`);
    throw error;
  }
}

/** The reader of the pipe, such as head, may end early. */
function ofPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
