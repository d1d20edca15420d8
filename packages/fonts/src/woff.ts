import { inflateSync } from 'node:zlib';

/** Bytes of a header and of a directory entry, in WOFF 1.0 (W3C, sections 3 and 4) and OpenType. */
const woffHeader = 44;
const woffEntry = 20;
const sfntHeader = 12;
const sfntEntry = 16;

/**
 * Converts a WOFF 1.0 font to TrueType or OpenType; returns other bytes unchanged. The PDF library reads WOFF, but
 * inflates its tables a hundred times as slowly.
 */
export function plainFont(bytes: Buffer): Buffer {
  if (bytes.toString('latin1', 0, 4) !== 'wOFF') return bytes;
  const count = bytes.readUInt16BE(12);
  const head = Buffer.alloc(sfntHeader + sfntEntry * count);
  bytes.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  const parts: Buffer[] = [head];
  let at = head.length;
  for (let i = 0; i < count; i++) {
    const entry = bytes.subarray(woffHeader + i * woffEntry);
    const offset = entry.readUInt32BE(4);
    const stored = bytes.subarray(offset, offset + entry.readUInt32BE(8));
    const length = entry.readUInt32BE(12);
    const table = stored.length < length ? inflateSync(stored) : stored;
    const place = sfntHeader + i * sfntEntry;
    entry.copy(head, place, 0, 4);
    head.writeUInt32BE(entry.readUInt32BE(16), place + 4);
    head.writeUInt32BE(at, place + 8);
    head.writeUInt32BE(length, place + 12);
    const padding = Buffer.alloc((4 - (length % 4)) % 4);
    parts.push(table, padding);
    at += table.length + padding.length;
  }
  return Buffer.concat(parts);
}
