import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Geometry } from 'geojson';
import yazl from 'yazl';
import { badRequest, ServiceError } from '../../errors.js';
import { createJobFolder, type JobFolder } from '../../jobs/folder.js';
import type { ObjectRow } from '../../objects/store.js';
import { readStream } from '../../read-stream.js';
import type { Engine, EngineJob } from '../engine/engine.js';
import { writeFailure } from '../engine/failure.js';
import type { WriterOptions } from '../geojson-writer.js';
import { diskFull } from '../incoming/input.js';
import { createDeclared, type Declared } from './declared.js';
import { idField, type OutField, outFields, shortNames } from './fields.js';
import { createFgbWriter, type FgbColumn, fgbHeader } from './flatgeobuf.js';
import { watchGrowth } from './growth.js';
import { hasHeight, kindOf, partTypes, takeApart } from './parts.js';
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

/** Objects of one file on their way to GDAL. */
interface Pipe {
  file: string;
  stream: WriteStream;
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
): Promise<Readable> {
  const folder = await createJobFolder(conversion.dataFolder);
  try {
    const made = await madeFiles(rows, target, conversion, folder);
    const isOne = target.textLimit === undefined;
    const file = isOne ? readStream(join(folder.path, made[0]!)) : zippedFiles(folder.path, made);
    file.once('close', () => void folder.remove());
    return file;
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
  rows: AsyncIterable<ObjectRow[]>,
  target: Target,
  conversion: Conversion,
  folder: JobFolder,
): Promise<string[]> {
  const encoding = encodingFor(target, conversion.encoding);
  const fields = [idField, ...outFields(conversion.options)];
  const names = shortNames(
    fields.map(({ key }) => key),
    target.nameLimit,
  );
  const columns = fields.map(
    ({ key, type }, i): FgbColumn => ({
      name: names[i]!,
      type: key === 'svc_id' ? target.idType : (target.types[type] ?? 'string'),
    }),
  );
  const declared = createDeclared(target, fields, { names, encoding });
  const pipes = await filled(rows, { target, conversion, folder, fields, columns, declared });
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
  return (await readdir(folder.path)).filter((name) => !name.startsWith(pipePrefix)).sort();
}

function encodingFor(target: Target, given: string | undefined): string {
  if (given === undefined || target.textLimit === undefined) return target.encoding;
  const isPossible = /^windows-125\d$/.test(given) || (given === 'utf-8' && target.encoding === 'utf-8');
  if (isPossible) return given;
  throw badRequest(
    `encoding: this format is written in windows-1250 to windows-1258${target.encoding === 'utf-8' ? ' or utf-8' : ''}`,
    {
      parameters: ['encoding'],
    },
  );
}

interface Filling {
  target: Target;
  conversion: Conversion;
  folder: JobFolder;
  fields: readonly OutField[];
  columns: readonly FgbColumn[];
  declared: Declared;
}

/** Writes the objects to files for GDAL, by kind of geometry where the format wants it so. */
async function filled(rows: AsyncIterable<ObjectRow[]>, filling: Filling): Promise<Map<string, Pipe>> {
  const { target, conversion, folder, columns } = filling;
  const pipes = new Map<string, Pipe>();
  const writer = createFgbWriter(columns);
  let size = 0;
  const pipeFor = (kind: string): Pipe => {
    const known = pipes.get(kind);
    if (known) return known;
    const file = `${pipePrefix}${kind}.fgb`;
    const stream = createWriteStream(join(folder.path, file));
    stream.on('error', () => {}); // met by the next write, or at the end
    stream.write(fgbHeader(conversion.code, columns));
    const pipe = { file, stream, rows: 0, hasHeights: false, hasNone: false };
    pipes.set(kind, pipe);
    return pipe;
  };
  const put = async (pipe: Pipe, geometry: Geometry | null, values: readonly unknown[]): Promise<void> => {
    const bytes = writer.write(geometry, values);
    size += bytes.length;
    if (size > conversion.limit) throw new ServiceError('too_large', 'The export is larger than is allowed');
    pipe.rows++;
    if (!geometry) pipe.hasNone = true;
    if (geometry && !pipe.hasHeights) pipe.hasHeights = hasHeight(geometry);
    const goesOn = pipe.stream.write(bytes);
    if (pipe.stream.errored) throw pipe.stream.errored;
    if (!goesOn) await once(pipe.stream, 'drain');
  };
  const shapeless: (readonly unknown[])[] = [];
  for await (const slice of rows) {
    for (const row of slice) {
      const values = valuesOf(row, filling);
      const geometry = row.geom === null ? null : (JSON.parse(row.geom) as Geometry);
      if (!target.textLimit || !geometry) {
        if (geometry || !target.split) await put(pipeFor('all'), geometry, values);
        else if (pipes.size) await put(pipes.values().next().value!, null, values);
        else shapeless.push(values);
        continue;
      }
      const parts = takeApart(geometry, target.apart);
      if (parts.length > 1) filling.declared.taken();
      for (const [i, part] of parts.entries()) {
        // One row stands for the object, the others are new to who imports them.
        const own = i ? values.with(0, null) : values;
        await put(pipeFor(target.split ? kindOf(part) : 'all'), part, own);
      }
    }
  }
  const first = pipes.values().next().value ?? pipeFor(target.split ? 'point' : 'all');
  for (const values of shapeless) await put(first, null, values);
  for (const { stream } of pipes.values()) {
    stream.end();
    await finished(stream);
  }
  return pipes;
}

function valuesOf({ id, values }: ObjectRow, { target, fields, columns, declared }: Filling): unknown[] {
  return fields.map((field, i) => {
    if (field === idField) return id;
    const value = field.value(values);
    const isText = columns[i]!.type === 'string' && value !== null;
    return isText && target.textLimit ? declared.fitted(id, field, String(value)) : value;
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
