/** Maximum content size of a record, bytes. */
const recordBytes = 8_224;
/** Numbers of the record SST and of its continuations. */
const [sst, continuation] = [0x00fc, 0x003c];

/** Whether a text has characters beyond Latin-1, and so two bytes each. */
const isWide = (text: string): boolean => /[\u0100-\uffff]/.test(text);

/**
 * Maximum length of a text in characters: two records. Excel reads 32,767 characters, but FreeXL, the reader of GDAL and
 * QGIS, fails on a text that continues in a third record.
 */
export const biff8TextLimit = (text: string): number => (isWide(text) ? 8_192 : 16_384);

/** Whether a UTF-16 unit is the first half of a surrogate pair. */
const isFirstHalf = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/**
 * The shared texts of a workbook ([MS-XLS] 2.4.265, SST): one record and its continuations. The header of a text and its
 * first character lie in one record. The other characters may continue in the next one, which begins with a byte for
 * their width.
 */
export class SharedTexts {
  readonly #indexes = new Map<string, number>();
  readonly #records: Buffer[] = [];
  #recordedBytes = 0;
  #content = Buffer.allocUnsafe(recordBytes);
  /** Used bytes of the content. The first record begins with two counts. */
  #used = 8;

  /** The index of a text; equal texts share one. */
  indexOf(text: string): number {
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    const index = this.#indexes.size;
    this.#indexes.set(text, index);
    this.#add(text);
    return index;
  }

  /** Size of the records so far, bytes. */
  get size(): number {
    return this.#recordedBytes + this.#used;
  }

  /** Returns the records; `uses` is the number of cells with a text. Nothing can be added afterwards. */
  end(uses: number): Buffer[] {
    this.#flush();
    const first = this.#records[0]!;
    first.writeUInt32LE(uses, 4);
    first.writeUInt32LE(this.#indexes.size, 8);
    return this.#records;
  }

  #flush(): void {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(this.#records.length ? continuation : sst);
    head.writeUInt16LE(this.#used, 2);
    this.#records.push(Buffer.concat([head, this.#content.subarray(0, this.#used)]));
    this.#recordedBytes += this.#used + 4;
    this.#content = Buffer.allocUnsafe(recordBytes);
    this.#used = 0;
  }

  #add(text: string): void {
    const wide = isWide(text);
    const bytes = Buffer.from(text, wide ? 'utf16le' : 'latin1');
    if (this.#used + 5 > recordBytes || this.#used + bytes.length > 2 * recordBytes - 8) this.#flush();
    this.#used = this.#content.writeUInt16LE(text.length, this.#used);
    this.#used = this.#content.writeUInt8(Number(wide), this.#used);
    for (let sent = 0; sent < bytes.length; ) {
      const free = recordBytes - this.#used;
      let length = Math.min(wide ? free - (free % 2) : free, bytes.length - sent);
      // Readers decode each record separately, so a surrogate pair must not be divided.
      if (wide && sent + length < bytes.length && isFirstHalf(bytes.readUInt16LE(sent + length - 2)))
        length -= 2;
      bytes.copy(this.#content, this.#used, sent, sent + length);
      this.#used += length;
      sent += length;
      if (sent === bytes.length) break;
      this.#flush();
      this.#used = this.#content.writeUInt8(Number(wide), this.#used);
    }
  }
}
