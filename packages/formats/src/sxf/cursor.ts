/** Thrown by a read beyond the end of the bytes. */
export class BeyondEnd extends Error {}

/** Reads little-endian numbers and bytes in sequence. A read beyond the end throws `BeyondEnd`. */
export interface ByteCursor {
  readonly place: number;
  readonly left: number;
  /** The unread bytes; they can still be read. */
  rest(): Buffer;
  skip(count: number): void;
  u8(): number;
  i8(): number;
  u16(): number;
  i16(): number;
  u32(): number;
  i32(): number;
  f32(): number;
  f64(): number;
  bytes(count: number): Buffer;
}

export function cursorOver(buffer: Buffer, start = 0): ByteCursor {
  let place = 0;
  const take = (count: number): number => {
    const from = place;
    if (count < 0 || count > buffer.length - from) throw new BeyondEnd();
    place = from + count;
    return from;
  };
  if (start) take(start);
  return {
    get place() {
      return place;
    },
    get left() {
      return buffer.length - place;
    },
    rest: () => buffer.subarray(place),
    skip: (count) => void take(count),
    u8: () => buffer.readUInt8(take(1)),
    i8: () => buffer.readInt8(take(1)),
    u16: () => buffer.readUInt16LE(take(2)),
    i16: () => buffer.readInt16LE(take(2)),
    u32: () => buffer.readUInt32LE(take(4)),
    i32: () => buffer.readInt32LE(take(4)),
    f32: () => buffer.readFloatLE(take(4)),
    f64: () => buffer.readDoubleLE(take(8)),
    bytes: (count) => {
      const from = take(count);
      return buffer.subarray(from, from + count);
    },
  };
}

/** Reads several numbers of a kind. */
export const several = (count: number, read: () => number): number[] => Array.from({ length: count }, read);

/** Reads a zero-terminated text, and trims it. */
export const untilZero = (text: string): string => text.split('\0', 1)[0]!.trim();
