import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { ObjectRow } from '@cartulary/columns';
import { badRequest, ServiceError } from '@cartulary/errors';
import { createJobFolder, type JobFolder, readStream } from '@cartulary/runtime';
import yazl from 'yazl';

import type { Engine, EngineJob } from '../engine/engine.js';
import { writeFailure } from '../engine/failure.js';
import { partTypes } from '../geometry-parts.js';
import { ownDescription } from '../own-exports/own-archive.js';
import { createCodePageFinder, pages, spool } from './code-pages.js';
import { Declared } from './declared.js';
import { exportFields, idField, type OutField, shortNames, type WriterOptions } from './fields.js';
import type { FgbColumn } from './flatgeobuf.js';
import { type GdalInput, GdalInputWriter, temporaryPrefix } from './gdal-input.js';
import { watchGrowth } from './growth.js';
import { checkColumnCount } from './record-widths.js';
import type { FormatTarget } from './targets.js';

export interface Conversion {
  engine: Engine;
  dataFolder: string;
  /** Maximum total size of the files of one export, bytes. */
  limit: number;
  signal: AbortSignal;
  /** The code of the layer, for file names. */
  code: string;
  /** The given encoding of texts; undefined: none is given. */
  encoding: string | undefined;
  options: WriterOptions;
}

export interface ConvertedFile {
  file: Readable;
  /** Number of values that the format changes. */
  changed: number;
}

interface Made {
  files: string[];
  changed: number;
}

/**
 * Exports objects in a format that GDAL writes: one file, or a zip archive with several files and a list of changed
 * values. All files are complete and checked before the first byte is sent. Their folder is removed after the last byte
 * is sent.
 */
export async function writeGdalFile(
  rows: AsyncIterable<ObjectRow[]>,
  target: FormatTarget,
  conversion: Conversion,
): Promise<ConvertedFile> {
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

/** Converts an error of the engine, which is worded for imports, to one of the export. */
function exportFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'import_failed') return error;
  const why = 'limit' in error.data ? 'the conversion took too long' : 'the conversion broke down';
  return new ServiceError('export_failed', `The export could not be written: ${why}`, error.data);
}

async function madeFiles(
  given: AsyncIterable<ObjectRow[]>,
  target: FormatTarget,
  conversion: Conversion,
  folder: JobFolder,
): Promise<Made> {
  const fields = [idField, ...exportFields(conversion.options)];
  checkColumnCount(target, fields.length);
  const { encoding, rows } = await encoded(given, { target, conversion, folder, fields });
  const names = shortNames(
    fields.map(({ key }) => key),
    target.nameLimit,
  );
  const titles = distinctTitles(fields);
  const columns = fields.map(
    ({ key, type, title }, i): FgbColumn => ({
      name: names[i]!,
      type: key === 'svc_id' ? target.idType : (target.types[type] ?? 'string'),
      title: titles[i]!,
      description: ownDescription(title, type, names[i] === key ? undefined : key),
    }),
  );
  const whole: string[] = [];
  const declared = new Declared(target, fields, { names, encoding, sink: (line) => whole.push(line) });
  const inputs = await new GdalInputWriter({
    target,
    folder: folder.path,
    code: conversion.code,
    limitBytes: conversion.limit,
    fields,
    columns,
    declared,
    encoding,
    whole,
  }).write(rows);
  await convertAll(inputs, { target, conversion, folder: folder.path, encoding });
  if (target.textLimit !== undefined) {
    for (const { name, text } of declared.files()) await writeFile(join(folder.path, name), text);
  }
  const files = (await readdir(folder.path)).filter((name) => !name.startsWith(temporaryPrefix)).sort();
  return { files, changed: declared.changed() };
}

/** Titles that differ, as a GeoPackage needs them: a title that a column before has is followed by the code. */
function distinctTitles(fields: readonly OutField[]): string[] {
  const taken = new Set<string>();
  return fields.map(({ key, title }) => {
    let own = title;
    while (taken.has(own)) own = `${own} (${key})`;
    taken.add(own);
    return own;
  });
}

/** Lets GDAL write a file from each input, and limits the size of its output. */
async function convertAll(
  inputs: ReadonlyMap<string, GdalInput>,
  {
    target,
    conversion,
    folder,
    encoding,
  }: { target: FormatTarget; conversion: Conversion; folder: string; encoding: string },
): Promise<void> {
  const growth = watchGrowth(folder, { beside: temporaryPrefix, limit: conversion.limit });
  try {
    const signal = AbortSignal.any([conversion.signal, growth.signal]);
    const job = await conversion.engine.start(folder, signal);
    try {
      for (const [kind, input] of inputs) {
        const stem = inputs.size === 1 ? conversion.code : `${conversion.code}_${kind}`;
        const file = `${stem}.${target.extension}`;
        await convert(job, { input, kind, target, file, layer: stem, encoding, folder });
      }
      await growth.look();
    } finally {
      job.end();
    }
  } finally {
    growth.end();
  }
}

interface EncodingSearch {
  target: FormatTarget;
  conversion: Conversion;
  folder: JobFolder;
  fields: readonly OutField[];
}

/**
 * The rows, and the encoding of their texts: the given one, else that of the format, else the code page that represents
 * most texts.
 */
async function encoded(
  rows: AsyncIterable<ObjectRow[]>,
  { target, conversion, folder, fields }: EncodingSearch,
): Promise<{ encoding: string; rows: AsyncIterable<ObjectRow[]> }> {
  const known = encodingFor(target, conversion.encoding);
  if (known) return { encoding: known, rows };
  const page = createCodePageFinder();
  const seen = ({ values }: ObjectRow): void => {
    for (const field of fields) {
      const value = field.value(values);
      if (typeof value === 'string') page.look(value);
    }
  };
  const path = join(folder.path, `${temporaryPrefix}rows`);
  const again = await spool(rows, { path, limit: conversion.limit, seen });
  return { encoding: page.best(), rows: again() };
}

function encodingFor(target: FormatTarget, given: string | undefined): string | undefined {
  if (given === undefined || target.textLimit === undefined) return target.encoding;
  const possible = target.encoding === 'utf-8' ? ['utf-8', ...windowsPages] : pages;
  if (possible.includes(given)) return given;
  throw badRequest(`encoding: this format is written in ${possible.join(', ')}`, {
    parameters: ['encoding'],
  });
}

const windowsPages = Array.from({ length: 9 }, (_, i) => `windows-${1250 + i}`);

interface FileConversion {
  input: GdalInput;
  kind: string;
  target: FormatTarget;
  file: string;
  layer: string;
  encoding: string;
  folder: string;
}

/** The name of a layer in a file: GDAL refuses tables of a GeoPackage that begin with a hyphen. */
const tableNameOf = (layer: string, { driver }: FormatTarget): string =>
  driver === 'GPKG' && layer.startsWith('-') ? `_${layer}` : layer;

/** Lets GDAL write a file, and compares the number of objects, because GDAL may report success for an incomplete file. */
async function convert(job: EngineJob, order: FileConversion): Promise<void> {
  const { input, kind, target, file, layer, encoding, folder } = order;
  const hasHeights = input.hasHeights && target.heights;
  // GDAL first converts to this type: multi-geometries lose their heights if it has none, whatever -dim says.
  const suffix = hasHeights ? '25D' : '';
  const type = kind in partTypes ? ['-nlt', `${partTypes[kind as keyof typeof partTypes]}${suffix}`] : [];
  const dimensions = ['-dim', hasHeights ? 'XYZ' : 'XY'];
  const index = target.driver === 'FlatGeobuf' && input.hasNone ? ['-lco', 'SPATIAL_INDEX=NO'] : [];
  const args = [
    '-f',
    target.driver,
    '-nln',
    tableNameOf(layer, target),
    ...type,
    ...dimensions,
    ...index,
    ...target.args(encoding),
  ];
  const data = { file: input.file, driver: 'FlatGeobuf' };
  const report = await job.ask({ kind: 'convert', data, target: file, args });
  const check = await job.ask({ kind: 'inspect', data: { file, driver: target.driver } });
  const count = check.layers?.[0]?.count ?? -1;
  if (report.failed || report.errors.length || count !== input.rows)
    throw await writeFailure(report, folder, `${count} of ${input.rows} objects arrived`);
}

function zippedFiles(folder: string, names: readonly string[]): Readable {
  const zip = new yazl.ZipFile();
  for (const name of names) zip.addFile(join(folder, name), name);
  const output = zip.outputStream as Readable;
  zip.on('error', (error) => output.destroy(error as Error));
  zip.end();
  return output;
}
