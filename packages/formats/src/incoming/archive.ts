import { join } from 'node:path';
import { Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { readStream } from '@cartulary/runtime';
import iconv from 'iconv-lite';
import { type Entry, open, type ZipFile } from 'yauzl';
import { spoolFile } from './spool.js';

export interface ArchiveLimits {
  entries: number;
  /** Maximum total size of all unpacked files, bytes. */
  bytes: number;
  /** Maximum ratio of the unpacked size to that of the archive, for large contents. */
  ratio: number;
}

/** An unpacked file of an archive, stored under a name that this service chose. */
export interface Unpacked {
  /** Name in the archive, for messages. */
  name: string;
  /** Extension in lower case, without the dot. */
  extension: string;
  /** Name in the folder: `<number of the stem>.<extension>`. */
  file: string;
  /** Equal for files that differ only in their extension. */
  stem: number;
}

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

/** Smaller contents are accepted at any ratio: the blanks of a DBF file compress very well. */
const harmless = 64 * 1024 * 1024;

/** Whether the ratio of sizes can only be that of a decompression bomb. */
export const isDecompressionBomb = (unpacked: number, packed: number, ratio: number): boolean =>
  unpacked > harmless && unpacked > packed * ratio;

/**
 * Unpacks the files with one of the extensions into a folder. Names in the archive never become paths; nevertheless an
 * archive with names that leave its folder is refused, and so are links and encrypted files. Throws `import_failed`,
 * `too_large`.
 */
export async function unpack(
  path: string,
  folder: string,
  {
    extensions,
    passedOver,
    limits,
    signal,
  }: {
    extensions: ReadonlySet<string>;
    /** Receives the names of the other files, without those that systems add beside them. */
    passedOver?: (name: string) => unknown;
    limits: ArchiveLimits;
    signal: AbortSignal;
  },
): Promise<Unpacked[]> {
  const stems = new Map<string, number>();
  const files: Unpacked[] = [];
  const budget = { left: limits.bytes, limits };
  try {
    await withEntries(path, limits, async (zip, entry) => {
      const name = nameOf(entry);
      if (isAdded(name)) return;
      const found = wanted(name, extensions);
      if (!found) {
        passedOver?.(name);
        return;
      }
      const stem = stems.get(found.stem) ?? stems.size + 1;
      stems.set(found.stem, stem);
      const file = `${stem}.${found.extension}`;
      if (files.some((other) => other.file === file)) throw failed(`The archive has two files '${name}'`);
      files.push({ name, extension: found.extension, file, stem });
      await extract(zip, entry, { path, target: spoolFile(join(folder, file)), name, budget, signal });
    });
    return files;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error;
  }
}

/** Lists the names of all files in an archive. Throws as `unpack` does. */
export async function namesIn(path: string, limits: ArchiveLimits): Promise<string[]> {
  const names: string[] = [];
  await withEntries(path, limits, async (_zip, entry) => void names.push(nameOf(entry)));
  return names;
}

/** Unpacks all files of an archive without storing them, to check the limits. Returns their bytes. Throws as `unpack` does. */
export async function checkUnpacked(
  path: string,
  { limits, signal }: { limits: ArchiveLimits; signal: AbortSignal },
): Promise<number> {
  const budget = { left: limits.bytes, limits };
  const check = async (zip: ZipFile, entry: Entry): Promise<void> => {
    const target = new Writable({ write: (_chunk, _encoding, done) => done() });
    await extract(zip, entry, { path, target, name: nameOf(entry), budget, signal });
  };
  try {
    await withEntries(path, limits, check);
    return limits.bytes - budget.left;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** Number of concurrently unpacked entries: the .shp and its .dbf. */
const atOnce = 2;

async function withEntries(
  path: string,
  limits: ArchiveLimits,
  work: (zip: ZipFile, entry: Entry) => Promise<void>,
): Promise<void> {
  const zip = await opened(path);
  const running = new Set<Promise<void>>();
  try {
    if (zip.entryCount > limits.entries) throw failed(`The archive has more than ${limits.entries} files`);
    for await (const entry of entriesOf(zip)) {
      const task = work(zip, entry);
      running.add(task);
      // A failed entry stays in the list, so that its error reaches the next wait.
      task.then(
        () => running.delete(task),
        () => {},
      );
      if (running.size >= atOnce) await Promise.race(running);
    }
    await Promise.all(running);
  } catch (error) {
    const isKnown =
      error instanceof ServiceError ||
      /^(ENOSPC|ABORT_ERR)$/.test((error as NodeJS.ErrnoException).code ?? '');
    throw isKnown ? error : failed(noteOf('noZip'));
  } finally {
    await Promise.allSettled(running);
    zip.close();
  }
}

const opened = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, decodeStrings: false, autoClose: false }, (error, zip) => {
      if (error) reject(failed(noteOf('zipCutOff')));
      else resolve(zip);
    });
  });

/** The entries one by one. The next one is read on demand. */
async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  let settle: { resolve(entry: Entry | undefined): void; reject(error: Error): void };
  zip.on('entry', (entry) => settle.resolve(entry));
  zip.on('end', () => settle.resolve(undefined));
  zip.on('error', (error) => settle.reject(error));
  for (;;) {
    const entry = await new Promise<Entry | undefined>((resolve, reject) => {
      settle = { resolve, reject };
      zip.readEntry();
    });
    if (!entry) return;
    yield entry;
  }
}

const utf8Flag = 0x800;
const encryptedFlag = 0x1;

/**
 * The name of an entry: UTF-8 if the flag or the bytes say so, else the code page of Russian DOS, which Windows uses.
 * Throws for refused names and kinds.
 */
function nameOf(entry: Entry): string {
  const { fileName } = entry;
  const utf8 = fileName.toString();
  const isUtf8 = (entry.generalPurposeBitFlag & utf8Flag) !== 0 || !utf8.includes('\ufffd');
  const name = (isUtf8 ? utf8 : iconv.decode(fileName, 'cp866')).replaceAll('\\', '/');
  const shown = name.slice(0, 100);
  if (/^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)|\0/.test(name)) {
    throw failed(`The archive has a file whose name leads out of it: '${shown}'`);
  }
  if (((entry.externalFileAttributes >>> 16) & 0xf000) === 0xa000)
    throw failed(`The archive has a link: '${shown}'`);
  if (entry.generalPurposeBitFlag & encryptedFlag) throw failed(noteOf('archiveEncrypted', { name: shown }));
  return name;
}

/** Whether an entry is a folder, or one that macOS adds beside each file. */
const isAdded = (name: string): boolean => name.endsWith('/') || /(?:^|\/)(?:__MACOSX\/|\._)/.test(name);

function wanted(
  name: string,
  extensions: ReadonlySet<string>,
): { stem: string; extension: string } | undefined {
  const match = /^(.*?)\.([^./]+)$/s.exec(name.toLowerCase());
  return match && extensions.has(match[2]!) && !match[1]!.includes('.shp')
    ? { stem: match[1]!, extension: match[2]! }
    : undefined;
}

/** Compression methods (APPNOTE.TXT 4.4.5). */
const stored = 0;
const deflated = 8;

/** Chunk sizes of reading and unpacking. With the defaults of 64 and 16 KiB it takes three times as long. */
const packedAtOnce = 512 * 1024;
const chunkSize = 1024 * 1024;

interface Extraction {
  /** Size of the archive. */
  path: string;
  target: Writable;
  name: string;
  budget: { left: number; limits: ArchiveLimits };
  signal: AbortSignal;
}

async function extract(
  zip: ZipFile,
  entry: Entry,
  { path, target, name, budget, signal }: Extraction,
): Promise<void> {
  const { compressionMethod, compressedSize, uncompressedSize } = entry;
  if (compressionMethod !== stored && compressionMethod !== deflated)
    throw failed(`The archive is packed in a way that is not known: '${name.slice(0, 100)}'`);
  const start = await new Promise<number>((resolve, reject) => {
    zip.readLocalFileHeader(entry, { minimal: true }, (error, head) =>
      error ? reject(error) : resolve(head.fileDataStart),
    );
  });
  const packed = compressedSize
    ? readStream(path, { start, end: start + compressedSize - 1, highWaterMark: packedAtOnce })
    : Readable.from([]);
  const damaged = (): ServiceError =>
    failed(`The archive is damaged: '${name.slice(0, 100)}' is not what was packed`);
  const tooMuch = (): ServiceError =>
    new ServiceError('too_large', noteOf('archiveTooLarge', { name: name.slice(0, 100) }));
  // The declared size suffices to refuse the archive before anything is unpacked.
  if (
    uncompressedSize > budget.left ||
    isDecompressionBomb(uncompressedSize, compressedSize, budget.limits.ratio)
  )
    throw tooMuch();
  let size = 0;
  let sum = 0;
  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      sum = crc32(chunk, sum);
      budget.left -= chunk.length;
      if (budget.left < 0 || isDecompressionBomb(size, compressedSize, budget.limits.ratio)) {
        done(tooMuch());
      } else if (size > uncompressedSize) done(damaged());
      else done(null, chunk);
    },
  });
  if (compressionMethod === stored) await pipeline(packed, counting, target, { signal });
  else await pipeline(packed, createInflateRaw({ chunkSize }), counting, target, { signal });
  if (size !== uncompressedSize || sum !== entry.crc32) throw damaged();
}
