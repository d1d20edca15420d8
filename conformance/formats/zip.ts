import { inflateRawSync } from 'node:zlib';

const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 as in zip and PNG (ISO 3309). */
export function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ remainders[(value ^ byte) & 0xff]!;
  return ~value >>> 0;
}

const little = (...values: [value: number, bytes: 2 | 4][]): Buffer =>
  Buffer.concat(
    values.map(([value, bytes]) => {
      const part = Buffer.alloc(bytes);
      part.writeUIntLE(value, 0, bytes);
      return part;
    }),
  );

/** A zip archive of files by name, without compression (APPNOTE 6.3, sections 4.3.7 to 4.3.16). */
export function writeZip(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const [bodies, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const [data, title] = [Buffer.from(content), Buffer.from(name)];
    const size: [number, 4] = [data.length, 4];
    // Version 2.0, no flags, stored; 1 January 1980.
    const common = [
      little(
        [20, 2],
        [0, 2],
        [0, 2],
        [0, 2],
        [33, 2],
        [crc32(data), 4],
        size,
        size,
        [title.length, 2],
        [0, 2],
      ),
    ];
    const body = Buffer.concat([little([0x04034b50, 4]), ...common, title, data]);
    bodies.push(body);
    directory.push(
      little([0x02014b50, 4], [20, 2]),
      ...common,
      little([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]),
      title,
    );
    at += body.length;
  }
  const list = Buffer.concat(directory);
  const count: [number, 2] = [bodies.length, 2];
  const end = little([0x06054b50, 4], [0, 2], [0, 2], count, count, [list.length, 4], [at, 4], [0, 2]);
  return Buffer.concat([...bodies, list, end]);
}

/** The files of a zip archive by name. Throws for other files. */
export function readZip(bytes: Buffer): Record<string, Buffer> {
  const end = bytes.lastIndexOf(little([0x06054b50, 4]));
  if (end < 0) throw new Error('the answer is no zip archive');
  const files: Record<string, Buffer> = {};
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength!);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
    files[name] = bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(data) : data;
    at += 46 + nameLength! + extra! + comment!;
  }
  return files;
}
