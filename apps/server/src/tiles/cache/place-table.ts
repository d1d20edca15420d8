/** The place of a tile: number of its segment, first byte and number of bytes. */
export interface SegmentPlace {
  segment: number;
  start: number;
  length: number;
}

/** Numbers of a row: bits of the name, segment (0: the row is free), start, length. */
const rowNumbers = 4;
const minRows = 1_024;
/** Maximum share of used rows; a fuller table makes lookups longer. */
const maxLoad = 0.7;

const bitsOf = (name: string): number =>
  (name.charCodeAt(0) |
    (name.charCodeAt(1) << 8) |
    (name.charCodeAt(2) << 16) |
    (name.charCodeAt(3) << 24)) >>>
  0;

/**
 * Places by the first 32 bits of names, which are hashes: a hash table with linear probing. Two names with equal bits are rare; the later
 * replaces the earlier, so readers must compare the name of the tile. A row takes 16 bytes, about half of the rows are used;
 * a map of objects takes five times as much. Places in deleted segments leave when the table grows.
 */
export class PlaceTable {
  readonly #exists: (segment: number) => boolean;
  #rows = minRows;
  #used = 0;
  #table = new Uint32Array(minRows * rowNumbers);

  constructor(exists: (segment: number) => boolean) {
    this.#exists = exists;
  }

  get(name: string): SegmentPlace | undefined {
    const at = this.#find(bitsOf(name));
    const table = this.#table;
    const segment = table[at + 1]!;
    return segment ? { segment, start: table[at + 2]!, length: table[at + 3]! } : undefined;
  }

  set(name: string, place: SegmentPlace): void {
    if (this.#used >= this.#rows * maxLoad) this.#grow();
    this.#put(bitsOf(name), place);
  }

  /** Index of the row of the bits, or of the free row for them. */
  #find(bits: number): number {
    const table = this.#table;
    const mask = this.#rows - 1;
    let at = bits & mask;
    while (table[at * rowNumbers + 1] && table[at * rowNumbers] !== bits) at = (at + 1) & mask;
    return at * rowNumbers;
  }

  #put(bits: number, { segment, start, length }: SegmentPlace): void {
    const at = this.#find(bits);
    if (!this.#table[at + 1]) this.#used += 1;
    this.#table.set([bits, segment, start, length], at);
  }

  #grow(): void {
    const old = this.#table;
    let live = 0;
    for (let at = 1; at < old.length; at += rowNumbers) if (old[at] && this.#exists(old[at]!)) live += 1;
    this.#rows = minRows;
    while (this.#rows * maxLoad < 2 * live) this.#rows *= 2;
    this.#table = new Uint32Array(this.#rows * rowNumbers);
    this.#used = 0;
    for (let at = 0; at < old.length; at += rowNumbers) {
      const [bits, segment, start, length] = old.subarray(at, at + rowNumbers) as unknown as number[];
      if (segment && this.#exists(segment)) this.#put(bits!, { segment, start: start!, length: length! });
    }
  }
}
