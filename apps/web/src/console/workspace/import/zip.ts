/** The table of CRC-32 (IEEE 802.3). */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

async function crcOf(file: Blob): Promise<number> {
  let crc = 0xffffffff;
  const reader = file.stream().getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return (crc ^ 0xffffffff) >>> 0;
    for (const byte of value) crc = crcTable[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  }
}

/** Bytes of numbers, each [size in bytes, value], in little-endian order. */
function bytesOf(numbers: readonly (readonly [size: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(numbers.reduce((sum, [size]) => sum + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [size, value] of numbers) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return bytes;
}

/** Names are UTF-8. */
const utf8Flag = 0x800;
/** 1980-01-01: the archive has no times. */
const noDate = 0x21;

/** An archive of files as they are, without compression: the parts of one data set become one upload. At most 4 GiB. */
export async function zipOf(name: string, files: readonly File[]): Promise<File> {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let [offset, directorySize] = [0, 0];
  for (const file of files) {
    const path = new TextEncoder().encode(file.name);
    const shared = [
      [2, 20],
      [2, utf8Flag],
      [2, 0],
      [2, 0],
      [2, noDate],
      [4, await crcOf(file)],
      [4, file.size],
      [4, file.size],
      [2, path.length],
      [2, 0],
    ] as const;
    const head = bytesOf([[4, 0x04034b50], ...shared]);
    const entry = bytesOf([[4, 0x02014b50], [2, 20], ...shared, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]);
    parts.push(head, path, file);
    directory.push(entry, path);
    offset += head.length + path.length + file.size;
    directorySize += entry.length + path.length;
  }
  const end = bytesOf([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, directorySize],
    [4, offset],
    [2, 0],
  ]);
  return new File([...parts, ...directory, end], name, { type: 'application/zip' });
}
