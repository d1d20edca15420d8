/** Subset of the tar format (POSIX ustar): archives of plain files. */

export interface TarFile {
  name: string;
  data: Buffer;
}

const blockBytes = 512;
const roundUp = (size: number): number => Math.ceil(size / blockBytes) * blockBytes;

const textAt = (header: Buffer, start: number, length: number): string => {
  const field = header.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
};

/** Plain files of an archive; folders, links and names longer than 255 bytes are left out. */
export function* readTar(archive: Buffer): Generator<TarFile> {
  let at = 0;
  while (at + blockBytes <= archive.length && archive[at] !== 0) {
    const header = archive.subarray(at, at + blockBytes);
    const size = Number.parseInt(textAt(header, 124, 12), 8) || 0;
    const prefix = textAt(header, 257, 5) === 'ustar' ? textAt(header, 345, 155) : '';
    const name = (prefix ? `${prefix}/` : '') + textAt(header, 0, 100);
    const isFile = header[156] === 0 || header[156] === '0'.charCodeAt(0);
    if (isFile) yield { name, data: archive.subarray(at + blockBytes, at + blockBytes + size) };
    at += blockBytes + roundUp(size);
  }
}

/** An archive of files. Throws RangeError for a name longer than 100 bytes. */
export function writeTar(files: Iterable<TarFile>): Buffer {
  const parts: Buffer[] = [];
  for (const { name, data } of files) {
    parts.push(headerOf(name, data.length), data, Buffer.alloc(roundUp(data.length) - data.length));
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * blockBytes)]);
}

function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100) throw new RangeError(`the name is too long for the archive: ${name}`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, at: number, length: number): void => {
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  };
  header.write(name, 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  header.write('0', 156, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}
