/** Most bytes of the content of a record. */
const longest = 8_224;
const [first, next] = [0x00fc, 0x003c];

/** Whether a text has characters beyond Latin-1, and so two bytes each. */
const isWide = (text: string): boolean => /[\u0100-\uffff]/.test(text);

/**
 * Most characters of a text: what two records hold, where Excel takes 32,767. FreeXL, by which GDAL and QGIS read, loses its way in
 * texts that go on in a third record, and so the whole file.
 */
export const biff8TextLimit = (text: string): number => (isWide(text) ? 8_192 : 16_384);

export interface Texts {
  /** The number of a text, the same for the same text. */
  index(text: string): number;
  /** Bytes so far. */
  size(): number;
  /** The records; `uses` is how many cells name a text. */
  end(uses: number): Buffer[];
}

/** Whether a UTF-16 unit is the first half of a character. */
const isHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/**
 * The table of the texts of a workbook (SST), a record and its continuations. The head of a text and its first character
 * stand in one record; its other characters may go on in the next, which begins with a byte that tells their width.
 */
export function createTexts(): Texts {
  const numbers = new Map<string, number>();
  const records: Buffer[] = [];
  let size = 0;
  let content = Buffer.allocUnsafe(longest);
  let used = 8;
  const flush = (): void => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(records.length ? next : first);
    head.writeUInt16LE(used, 2);
    records.push(Buffer.concat([head, content.subarray(0, used)]));
    size += used + 4;
    content = Buffer.allocUnsafe(longest);
    used = 0;
  };
  const add = (text: string): void => {
    const wide = isWide(text);
    const bytes = Buffer.from(text, wide ? 'utf16le' : 'latin1');
    if (used + 5 > longest || used + bytes.length > 2 * longest - 8) flush();
    used = content.writeUInt16LE(text.length, used);
    used = content.writeUInt8(Number(wide), used);
    for (let sent = 0; sent < bytes.length; ) {
      const room = longest - used;
      let length = Math.min(wide ? room - (room % 2) : room, bytes.length - sent);
      // Readers decode each record by itself: no character beyond 16 bits goes on in the next.
      if (wide && sent + length < bytes.length && isHalf(bytes.readUInt16LE(sent + length - 2))) length -= 2;
      bytes.copy(content, used, sent, sent + length);
      used += length;
      sent += length;
      if (sent === bytes.length) break;
      flush();
      used = content.writeUInt8(Number(wide), used);
    }
  };
  return {
    index(text) {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      const index = numbers.size;
      numbers.set(text, index);
      add(text);
      return index;
    },
    size: () => size + used,
    end(uses) {
      flush();
      records[0]!.writeUInt32LE(uses, 4);
      records[0]!.writeUInt32LE(numbers.size, 8);
      return records;
    },
  };
}
