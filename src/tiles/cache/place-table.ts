/** Where a tile lies: the number of a segment, its first byte there and how many it has. */
export interface Place {
  segment: number;
  start: number;
  length: number;
}

/**
 * Places by the first 32 bits of names, which are hashes. Two names of the same bits are rare, and the later takes the place of
 * the other: who reads must look whether the tile is the one that is meant.
 */
export interface PlaceTable {
  get(name: string): Place | undefined;
  set(name: string, place: Place): void;
}

/** A row: the bits of the name, segment (0: the row is free), start and length. */
const row = 4;
const fewestRows = 1_024;
/** The part of the rows that is used at most: the more, the longer is the way to the one that is looked for. */
const fullest = 0.7;

const bitsOf = (name: string): number =>
  (name.charCodeAt(0) |
    (name.charCodeAt(1) << 8) |
    (name.charCodeAt(2) << 16) |
    (name.charCodeAt(3) << 24)) >>>
  0;

/** 16 bytes for a row of which about half are used: a map of objects takes five times as much. Places in segments that are gone leave when it grows. */
export function createPlaceTable(isThere: (segment: number) => boolean): PlaceTable {
  let rows = fewestRows;
  let used = 0;
  let table = new Uint32Array(rows * row);

  /** The row of the bits, or the free one where they would be. */
  function find(bits: number): number {
    let at = bits & (rows - 1);
    while (table[at * row + 1] && table[at * row] !== bits) at = (at + 1) & (rows - 1);
    return at * row;
  }

  function put(bits: number, { segment, start, length }: Place): void {
    const at = find(bits);
    if (!table[at + 1]) used += 1;
    table.set([bits, segment, start, length], at);
  }

  function grow(): void {
    const old = table;
    let live = 0;
    for (let at = 1; at < old.length; at += row) if (old[at] && isThere(old[at]!)) live += 1;
    rows = fewestRows;
    while (rows * fullest < 2 * live) rows *= 2;
    table = new Uint32Array(rows * row);
    used = 0;
    for (let at = 0; at < old.length; at += row) {
      const [bits, segment, start, length] = old.subarray(at, at + row) as unknown as number[];
      if (segment && isThere(segment)) put(bits!, { segment, start: start!, length: length! });
    }
  }

  return {
    get(name) {
      const at = find(bitsOf(name));
      const segment = table[at + 1]!;
      return segment ? { segment, start: table[at + 2]!, length: table[at + 3]! } : undefined;
    },
    set(name, place) {
      if (used >= rows * fullest) grow();
      put(bitsOf(name), place);
    },
  };
}
