import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Geometry } from 'geojson';
import yazl from 'yazl';
import { badRequest, ServiceError } from '../../errors.js';
import { createJobFolder, type JobFolder } from '../../jobs/folder.js';
import type { ObjectRow } from '../../objects/store.js';
import { readStream } from '../../read-stream.js';
import type { Engine, EngineJob } from '../engine/engine.js';
import { writeFailure } from '../engine/failure.js';
import type { WriterOptions } from '../geojson-writer.js';
import { hasHeight, kindOf, partTypes, takeApart } from '../geometry-parts.js';
import { diskFull } from '../incoming/input.js';
import { ownDescription, wholeFile } from '../readers/own-archive.js';
import { findPage, pages, spool } from './code-pages.js';
import { createDeclared, type Declared } from './declared.js';
import { idField, type OutField, outFields, shortNames } from './fields.js';
import { createFgbWriter, type FgbColumn, fgbHeader } from './flatgeobuf.js';
import { watchGrowth } from './growth.js';
import { type LimitedFile, limitedFile } from './limited-file.js';
import type { Target } from './targets.js';

export interface Conversion {
  engine: Engine;
  dataFolder: string;
  /** Bytes of the files of one export. */
  limit: number;
  signal: AbortSignal;
  /** Of the files: the layer's. */
  code: string;
  /** Of the texts, where it was given. */
  encoding: string | undefined;
  options: WriterOptions;
}

export interface Converted {
  file: Readable;
  /** Values that the format could not hold as they are. */
  changed: number;
}

interface Made {
  files: string[];
  changed: number;
}

/** Objects of one file on their way to GDAL. */
interface Pipe {
  file: string;
  out: LimitedFile;
  rows: number;
  hasHeights: boolean;
  /** Some have no geometry, which an index cannot take. */
  hasNone: boolean;
}

/** Of the files for GDAL; no code of a layer begins with a digit. */
const pipePrefix = '0.';

/**
 * Objects in a format that GDAL writes: its one file, or a zip archive of its files with what they cannot hold beside
 * them. They are complete, and were counted, before the first byte is sent; their folder goes when they were.
 */
export async function converted(
  rows: AsyncIterable<ObjectRow[]>,
  target: Target,
  conversion: Conversion,
): Promise<Converted> {
  const folder = await createJobFolder(conversion.dataFolder);
  try {
    const { files, changed } = await madeFiles(rows, target, conversion, folder);
    const isOne = target.textLimit === undefined;
    const file = isOne ? readStream(join(folder.path, files[0]!)) : zippedFiles(folder.path, files);
    file.once('close', () => void folder.remove());
    return { file, changed };
  } catch (error) {
    await folder.remove();
    throw exportFailure(error);
  }
}

/** In the words of an export: the process of a conversion does not know what for it works. */
function exportFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'import_failed') return diskFull(error);
  const why = 'limit' in error.data ? 'the conversion took too long' : 'the conversion broke down';
  return new ServiceError('export_failed', `The export could not be written: ${why}`, error.data);
}

async function madeFiles(
  given: AsyncIterable<ObjectRow[]>,
  target: Target,
  conversion: Conversion,
  folder: JobFolder,
): Promise<Made> {
  const fields = [idField, ...outFields(conversion.options)];
  const { encoding, rows } = await encoded(given, { target, conversion, folder, fields });
  const names = shortNames(
    fields.map(({ key }) => key),
    target.nameLimit,
  );
  const columns = fields.map(
    ({ key, type, title }, i): FgbColumn => ({
      name: names[i]!,
      type: key === 'svc_id' ? target.idType : (target.types[type] ?? 'string'),
      title,
      description: ownDescription(title, type),
    }),
  );
  const whole: string[] = [];
  const declared = createDeclared(target, fields, { names, encoding, sink: (line) => whole.push(line) });
  const pipes = await filled(rows, { target, conversion, folder, fields, columns, declared, whole });
  const growth = watchGrowth(folder.path, { beside: pipePrefix, limit: conversion.limit });
  try {
    const signal = AbortSignal.any([conversion.signal, growth.signal]);
    const job = await conversion.engine.start(folder.path, signal);
    try {
      for (const [kind, pipe] of pipes) {
        const stem = pipes.size === 1 ? conversion.code : `${conversion.code}_${kind}`;
        const file = `${stem}.${target.extension}`;
        await convert(job, { pipe, kind, target, file, layer: stem, encoding, folder: folder.path });
      }
      await growth.look();
    } finally {
      job.end();
    }
  } finally {
    growth.end();
  }
  if (target.textLimit !== undefined) {
    for (const { name, text } of declared.files()) await writeFile(join(folder.path, name), text);
  }
  const files = (await readdir(folder.path)).filter((name) => !name.startsWith(pipePrefix)).sort();
  return { files, changed: declared.changed() };
}

/** The rows, and the encoding of their texts: as it was given, else what the format knows, else the code page that holds most of the texts. */
async function encoded(
  rows: AsyncIterable<ObjectRow[]>,
  { target, conversion, folder, fields }: Pick<Filling, 'target' | 'conversion' | 'folder' | 'fields'>,
): Promise<{ encoding: string; rows: AsyncIterable<ObjectRow[]> }> {
  const known = encodingFor(target, conversion.encoding);
  if (known) return { encoding: known, rows };
  const page = findPage();
  const seen = ({ values }: ObjectRow): void => {
    for (const field of fields) {
      const value = field.value(values);
      if (typeof value === 'string') page.look(value);
    }
  };
  const path = join(folder.path, `${pipePrefix}rows`);
  const again = await spool(rows, { path, limit: conversion.limit, seen });
  return { encoding: page.best(), rows: again() };
}

function encodingFor(target: Target, given: string | undefined): string | undefined {
  if (given === undefined || target.textLimit === undefined) return target.encoding;
  const possible = target.encoding === 'utf-8' ? ['utf-8', ...windowsPages] : pages;
  if (possible.includes(given)) return given;
  throw badRequest(`encoding: this format is written in ${possible.join(', ')}`, {
    parameters: ['encoding'],
  });
}

const windowsPages = Array.from({ length: 9 }, (_, i) => `windows-${1250 + i}`);

interface Filling {
  target: Target;
  conversion: Conversion;
  folder: JobFolder;
  fields: readonly OutField[];
  columns: readonly FgbColumn[];
  declared: Declared;
  /** Lines of the list of whole values that are still to be written. */
  whole: string[];
}

/** Writes the objects to files for GDAL, by kind of geometry where the format wants it so. */
async function filled(rows: AsyncIterable<ObjectRow[]>, filling: Filling): Promise<Map<string, Pipe>> {
  const { target, conversion, folder, columns } = filling;
  const pipes = new Map<string, Pipe>();
  const writer = createFgbWriter(columns);
  let size = 0;
  const pipeFor = async (kind: string): Promise<Pipe> => {
    const known = pipes.get(kind);
    if (known) return known;
    const file = `${pipePrefix}${kind}.fgb`;
    const out = limitedFile(join(folder.path, file), conversion.limit);
    const pipe = { file, out, rows: 0, hasHeights: false, hasNone: false };
    pipes.set(kind, pipe);
    await out.write(fgbHeader(conversion.code, columns));
    return pipe;
  };
  const put = async (pipe: Pipe, geometry: Geometry | null, values: readonly unknown[]): Promise<void> => {
    const bytes = writer.write(geometry, values);
    size += bytes.length;
    if (size > conversion.limit) throw new ServiceError('too_large', 'The export is larger than is allowed');
    pipe.rows++;
    if (!geometry) pipe.hasNone = true;
    if (geometry && !pipe.hasHeights) pipe.hasHeights = hasHeight(geometry);
    await pipe.out.write(bytes);
  };
  const list = limitedFile(join(folder.path, wholeFile), conversion.limit);
  const flush = async (): Promise<void> => {
    const text = filling.whole.splice(0).join('');
    if (text) await list.write(Buffer.from(text));
  };
  const shapeless: (readonly unknown[])[] = [];
  try {
    for await (const slice of rows) {
      for (const row of slice) {
        const values = valuesOf(row, filling);
        const geometry = row.geom === null ? null : (JSON.parse(row.geom) as Geometry);
        if (!target.textLimit || !geometry) {
          if (geometry || !target.split) await put(await pipeFor('all'), geometry, values);
          else if (pipes.size) await put(pipes.values().next().value!, null, values);
          else shapeless.push(values);
          continue;
        }
        const parts = takeApart(geometry, target.apart);
        const hasLost = parts.length > 1 || parts[0] !== geometry || isFlattened(geometry, target);
        if (hasLost) filling.declared.reshaped(row.id, row.geom!);
        for (const [i, part] of parts.entries()) {
          // One row stands for the object; the others have its id with a minus, which makes them new to who imports them alone.
          const own = i ? values.with(0, -row.id) : values;
          await put(await pipeFor(target.split ? kindOf(part) : 'all'), part, own);
        }
      }
      await flush();
    }
    await list.end();
    const first = pipes.values().next().value ?? (await pipeFor(target.split ? 'point' : 'all'));
    for (const values of shapeless) await put(first, null, values);
    for (const { out } of pipes.values()) await out.end();
    return pipes;
  } finally {
    for (const file of [list, ...[...pipes.values()].map(({ out }) => out)]) file.close();
  }
}

/** Whether a geometry has heights that will not be there, or that cannot be told from none. */
const isFlattened = (geometry: Geometry, { heights }: Target): boolean =>
  hasHeight(geometry) && (!heights || !hasHeight(geometry, (height) => height !== 0));

function valuesOf({ id, values }: ObjectRow, { target, fields, declared }: Filling): unknown[] {
  return fields.map((field) => {
    if (field === idField) return id;
    const value = field.value(values);
    return target.textLimit ? declared.fitted(id, field, value) : value;
  });
}

interface Order {
  pipe: Pipe;
  kind: string;
  target: Target;
  file: string;
  layer: string;
  encoding: string;
  folder: string;
}

/** Has GDAL write a file, and counts what is in it: that a call succeeds proves nothing. */
async function convert(job: EngineJob, order: Order): Promise<void> {
  const { pipe, kind, target, file, layer, encoding, folder } = order;
  const type = kind in partTypes ? ['-nlt', partTypes[kind as keyof typeof partTypes]] : [];
  const dimensions = ['-dim', pipe.hasHeights && target.heights ? 'XYZ' : 'XY'];
  const index = target.driver === 'FlatGeobuf' && pipe.hasNone ? ['-lco', 'SPATIAL_INDEX=NO'] : [];
  const args = [
    '-f',
    target.driver,
    '-nln',
    layer,
    ...type,
    ...dimensions,
    ...index,
    ...target.args(encoding),
  ];
  const data = { file: pipe.file, driver: 'FlatGeobuf' };
  const report = await job.ask({ kind: 'convert', data, target: file, args });
  const check = await job.ask({ kind: 'inspect', data: { file, driver: target.driver } });
  const count = check.layers?.[0]?.count ?? -1;
  if (report.failed || report.errors.length || count !== pipe.rows)
    throw await writeFailure(report, folder, `${count} of ${pipe.rows} objects arrived`);
}

function zippedFiles(folder: string, names: readonly string[]): Readable {
  const zip = new yazl.ZipFile();
  for (const name of names) zip.addFile(join(folder, name), name);
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error as Error));
  zip.end();
  return output;
}
