import { createReadStream, type ReadStream } from 'node:fs';
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { companions } from '@cartulary/formats/companions';
import { ZipFile } from 'yazl';
import { CommandFailure } from '../failure.js';

/** The input of a command: a file, several files as one archive, or the standard input. */
export interface CommandInput {
  name: string | undefined;
  /** Bytes; undefined when the size is not known in advance. */
  size: number | undefined;
  /** For display. */
  shown: string;
  stream: Readable;
}

interface Named {
  /** Bytes when the name is not UTF-8. */
  path: string | Buffer;
  name: string;
}

/**
 * Opens the input that the user named: `-` is the standard input. A single file is sent unchanged, several as
 * an archive.
 */
export async function openCommandInput(paths: string[], stdinName?: string): Promise<CommandInput> {
  if (paths.includes('-')) {
    if (paths.length > 1) throw new CommandFailure('- cannot be read beside other files', '', 2);
    return { name: stdinName, size: undefined, shown: 'the standard input', stream: process.stdin };
  }
  const named = await Promise.all(paths.map(find));
  const files = named.length === 1 ? [named[0]!, ...(await besides(named[0]!))] : named;
  const shown = named.map(({ name }) => name).join(', ');
  if (files.length > 1) return { name: 'files.zip', size: undefined, shown, stream: await archive(files) };
  const { size, stream } = await openFile(files[0]!);
  return { name: stdinName ?? files[0]!.name, size, shown, stream };
}

/** Reads a text file, or the standard input. */
export async function readText(path: string): Promise<string> {
  const bytes = path === '-' ? await buffer(process.stdin) : await readWhole(await find(path));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandFailure(`${path} is no text in UTF-8`);
  }
}

const readWhole = ({ path, name }: Named): Promise<Buffer> =>
  readFile(path).catch((error) => Promise.reject(cannotRead({ path, name }, error)));

/** The character by which Node replaces invalid UTF-8 in arguments. */
const replacement = '\ufffd';

/** A file by its path. A name that is not UTF-8 is searched in its folder by its replaced form. */
async function find(path: string): Promise<Named> {
  const name = basename(path);
  if (!name.includes(replacement)) return { path, name };
  const folder = Buffer.from(dirname(path));
  const entries = await readdir(folder, { encoding: 'buffer' }).catch((): Buffer[] => []);
  const fitting = entries.filter((entry) => entry.toString() === name);
  if (fitting.length > 1)
    throw new CommandFailure(
      `${path} may be ${fitting.length} files, whose names are no UTF-8`,
      'Rename it.',
    );
  return { path: fitting[0] ? Buffer.concat([folder, Buffer.from('/'), fitting[0]]) : path, name };
}

async function besides({ path, name }: Named): Promise<Named[]> {
  if (typeof path !== 'string') return [];
  const extension = extname(name);
  const wanted = companions[extension.slice(1).toLowerCase()];
  if (!wanted) return [];
  const stem = name.slice(0, -extension.length);
  const entries = await readdir(dirname(path)).catch((): string[] => []);
  const isWanted = (entry: string): boolean =>
    entry !== name &&
    wanted.some((other) => entry.toLowerCase() === `${stem}.${other}`.toLowerCase()) &&
    entry.startsWith(stem);
  return entries.filter(isWanted).map((entry) => ({ path: join(dirname(path), entry), name: entry }));
}

async function openFile({ path, name }: Named): Promise<{ size: number | undefined; stream: ReadStream }> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path);
    const stats = await handle.stat();
    if (stats.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    const stream = handle.createReadStream({ highWaterMark: 256 * 1024 });
    // The size of a pipe is not known in advance.
    return { size: stats.isFile() ? stats.size : undefined, stream };
  } catch (error) {
    await handle?.close();
    throw cannotRead({ path, name }, error as Error);
  }
}

/** Files as a zip archive that is made while it is sent. */
async function archive(files: Named[]): Promise<Readable> {
  const zip = new ZipFile();
  for (const file of files) {
    const { stream } = await openFile(file);
    stream.destroy();
    zip.addReadStreamLazy(file.name, { compress: false }, (give) =>
      give(null, createReadStream(file.path, { highWaterMark: 256 * 1024 })),
    );
  }
  zip.end();
  return zip.outputStream as Readable;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read by this user',
  EISDIR: 'it is a folder',
};

const cannotRead = ({ path, name }: Named, error: NodeJS.ErrnoException): CommandFailure =>
  new CommandFailure(
    `Cannot read ${typeof path === 'string' ? path : name}: ${reasons[error.code ?? ''] ?? error.message}`,
  );

/** A stream that counts its bytes. */
export const counting = (count: (bytes: number) => void): Transform => {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      count(bytes);
      done(null, chunk);
    },
  });
};
