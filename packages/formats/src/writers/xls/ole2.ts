/*
 * Writes a compound file, the container of old Office files, with one stream: [MS-CFB],
 * https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-cfb/
 */

const sector = 512;
/** Shorter streams belong into the "mini stream", which is not written, so they are padded. */
const shortestStream = 4096;
/** Sector numbers per sector of the allocation table, and sectors of that table that the header lists. */
const perSector = sector / 4;
const inHeader = 109;

const free = 0xffffffff;
const endOfChain = 0xfffffffe;
const isTable = 0xfffffffd;
const isTableList = 0xfffffffc;

/** Returns a file with one stream: the bytes before and after the stream, whose size is in bytes. */
export function ole2(name: string, size: number): { before: Buffer; after: Buffer } {
  const padded = Math.max(shortestStream, Math.ceil(size / sector) * sector);
  const content = padded / sector;
  const { tables, lists } = tableSectors(content + 1);
  const after = Buffer.concat([
    Buffer.alloc(padded - size),
    directory(name, padded),
    allocation(content, tables, lists),
    tableLists(content + 1, tables, lists),
  ]);
  return { before: header(content, tables, lists), after };
}

/** Numbers of sectors of the allocation table, and of its additional lists. The table also covers these sectors. */
function tableSectors(others: number): { tables: number; lists: number } {
  let [tables, lists] = [1, 0];
  for (;;) {
    const needed = Math.ceil((others + tables + lists) / perSector);
    const named = Math.max(0, Math.ceil((needed - inHeader) / (perSector - 1)));
    if (needed === tables && named === lists) return { tables, lists };
    [tables, lists] = [Math.max(needed, tables), named];
  }
}

/** Order of the sectors: the stream, one directory sector, the allocation table, its additional lists. */
function header(content: number, tables: number, lists: number): Buffer {
  const bytes = Buffer.alloc(sector);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(0x3e, 24); // version
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28); // byte order
  bytes.writeUInt16LE(9, 30); // 2^9 bytes per sector
  bytes.writeUInt16LE(6, 32);
  bytes.writeUInt32LE(tables, 44);
  bytes.writeUInt32LE(content, 48); // the directory
  bytes.writeUInt32LE(shortestStream, 56);
  bytes.writeUInt32LE(endOfChain, 60); // no mini stream
  bytes.writeUInt32LE(lists ? content + 1 + tables : endOfChain, 68);
  bytes.writeUInt32LE(lists, 72);
  for (let i = 0; i < inHeader; i++) bytes.writeUInt32LE(i < tables ? content + 1 + i : free, 76 + 4 * i);
  return bytes;
}

function directory(name: string, size: number): Buffer {
  const bytes = Buffer.alloc(sector);
  const entry = (index: number, title: string, kind: number): Buffer => {
    const own = bytes.subarray(128 * index, 128 * (index + 1));
    own.write(title, 'utf16le');
    own.writeUInt16LE(title ? 2 * (title.length + 1) : 0, 64);
    own[66] = kind;
    own[67] = 1; // black
    own.fill(0xff, 68, 80); // no neighbours, no children
    return own;
  };
  const root = entry(0, 'Root Entry', 5);
  root.writeUInt32LE(1, 76);
  root.writeUInt32LE(endOfChain, 116);
  entry(1, name, 2).writeUInt32LE(size, 120);
  entry(2, '', 0);
  entry(3, '', 0);
  return bytes;
}

function allocation(content: number, tables: number, lists: number): Buffer {
  const bytes = Buffer.alloc(tables * sector, 0xff);
  for (let i = 0; i < content - 1; i++) bytes.writeUInt32LE(i + 1, 4 * i);
  bytes.writeUInt32LE(endOfChain, 4 * (content - 1));
  bytes.writeUInt32LE(endOfChain, 4 * content);
  for (let i = 0; i < tables; i++) bytes.writeUInt32LE(isTable, 4 * (content + 1 + i));
  for (let i = 0; i < lists; i++) bytes.writeUInt32LE(isTableList, 4 * (content + 1 + tables + i));
  return bytes;
}

function tableLists(first: number, tables: number, lists: number): Buffer {
  const bytes = Buffer.alloc(lists * sector, 0xff);
  for (let i = inHeader; i < tables; i++) {
    const place = i - inHeader;
    const list = Math.floor(place / (perSector - 1));
    bytes.writeUInt32LE(first + i, list * sector + 4 * (place % (perSector - 1)));
  }
  for (let i = 0; i < lists; i++) {
    const next = i + 1 < lists ? first + tables + i + 1 : endOfChain;
    bytes.writeUInt32LE(next, i * sector + 4 * (perSector - 1));
  }
  return bytes;
}
