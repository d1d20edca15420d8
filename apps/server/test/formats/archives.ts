import { inflateRawSync } from 'node:zlib';
import yazl from 'yazl';

/** A zip archive of files by their names. */
export async function zipOf(files: Record<string, Buffer | string>): Promise<Buffer> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content as string), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Files of a zip archive that yazl or zip made, by reading its central directory with the service's own reader. */
export function filesOf(archive: Buffer): Record<string, Buffer> {
  const files: Record<string, Buffer> = {};
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = archive.readUInt32LE(end + 16);
  for (let i = archive.readUInt16LE(end + 10); i > 0; i--) {
    const [size, name, extra, comment] = [20, 28, 30, 32].map((offset) =>
      offset === 20 ? archive.readUInt32LE(at + offset) : archive.readUInt16LE(at + offset),
    ) as [number, number, number, number];
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(start, start + size);
    files[archive.toString('utf8', at + 46, at + 46 + name)] =
      archive.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed;
    at += 46 + name + extra + comment;
  }
  return files;
}
