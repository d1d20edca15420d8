/** Reading the binary format of WebAssembly: https://webassembly.github.io/spec/core/binary/modules.html */

export const sectionIds = { imports: 2, exports: 7, code: 10 } as const;
export const kinds = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const;

export interface ModuleSection {
  id: number;
  /** Offset of its size, which comes before `start`. */
  sizeAt: number;
  start: number;
  end: number;
}

export class Reader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    return this.#bytes[this.at++]!;
  }

  /** LEB128, unsigned, of 32 bits. */
  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }

  text(): string {
    const size = this.number();
    this.skip(size);
    return Buffer.from(this.#bytes.subarray(this.at - size, this.at)).toString();
  }

  skip(bytes: number): void {
    this.at += bytes;
  }
}

/** LEB128. */
export function encoded(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encoded(value >>> 7)];
}

export function* moduleSections(bytes: Uint8Array): Generator<ModuleSection> {
  for (const reader = new Reader(bytes, 8); reader.at < bytes.length; ) {
    const id = reader.byte();
    const sizeAt = reader.at;
    const size = reader.number();
    yield { id, sizeAt, start: reader.at, end: reader.at + size };
    reader.skip(size);
  }
}

/** A module whose section has another content. */
export function withSection(bytes: Uint8Array, { sizeAt, end }: ModuleSection, content: Uint8Array): Buffer {
  return Buffer.concat([
    bytes.subarray(0, sizeAt),
    Uint8Array.from(encoded(content.length)),
    content,
    bytes.subarray(end),
  ]);
}

export interface Import {
  /** `module.name` */
  name: string;
  kind: number;
  /** Of a memory or a table. */
  limits?: Limits;
}

export interface Limits {
  start: number;
  end: number;
  min: number;
  max?: number;
}

/** Imports of a module, in the order of their indexes. */
export function* importsOf(bytes: Uint8Array, section: ModuleSection): Generator<Import> {
  const reader = new Reader(bytes, section.start);
  for (let left = reader.number(); left > 0; left--) {
    const name = `${reader.text()}.${reader.text()}`;
    const kind = reader.byte();
    if (kind === kinds.table || kind === kinds.tag) reader.skip(1);
    if (kind === kinds.global) reader.skip(2);
    else if (kind === kinds.function || kind === kinds.tag) reader.number();
    else {
      yield { name, kind, limits: limitsAt(reader) };
      continue;
    }
    yield { name, kind };
  }
}

function limitsAt(reader: Reader): Limits {
  const start = reader.at;
  const hasMax = (reader.byte() & 1) === 1;
  const min = reader.number();
  const max = hasMax ? reader.number() : undefined;
  return { start, end: reader.at, min, ...(max !== undefined && { max }) };
}
