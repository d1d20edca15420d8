/** Modules of WebAssembly with memory shared between threads: PGlite's modules are compiled for memory of one thread. */

/** In pages of 64 KiB. */
export const maxPages = 32_768;

const importSection = 2;
const kinds = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const;
/** Flags of limits: shared, with a maximum. */
const sharedFlags = 3;

/**
 * Changes the bytes of a module that imports a memory, so that it imports a shared one. Other modules are unchanged.
 * https://webassembly.github.io/spec/core/binary/modules.html#import-section
 */
function withSharedMemory(bytes: Uint8Array): Uint8Array {
  const reader = readerOf(bytes, 8);
  while (reader.at < bytes.length) {
    const id = reader.byte();
    const sizeAt = reader.at;
    const size = reader.number();
    const start = reader.at;
    if (id !== importSection) {
      reader.at = start + size;
      continue;
    }
    const found = memoryLimits(reader);
    if (!found) return bytes;
    const limits = [sharedFlags, ...encoded(found.min), ...encoded(found.max)];
    const grown = size + limits.length - (found.end - found.start);
    return Buffer.concat([
      bytes.subarray(0, sizeAt),
      Uint8Array.from(encoded(grown)),
      bytes.subarray(start, found.start),
      Uint8Array.from(limits),
      bytes.subarray(found.end),
    ]);
  }
  return bytes;
}

interface Reader {
  at: number;
  byte(): number;
  /** LEB128. */
  number(): number;
  skip(bytes: number): void;
}

function readerOf(bytes: Uint8Array, at: number): Reader {
  return {
    at,
    byte() {
      return bytes[this.at++]!;
    },
    number() {
      let value = 0;
      for (let shift = 0; ; shift += 7) {
        const byte = this.byte();
        value |= (byte & 127) << shift;
        if (byte < 128) return value >>> 0;
      }
    },
    skip(count) {
      this.at += count;
    },
  };
}

function encoded(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...encoded(value >>> 7)];
}

interface Limits {
  start: number;
  end: number;
  /** Pages. */
  min: number;
  max: number;
}

/** Limits of the imported memory, and their offsets. */
function memoryLimits(reader: Reader): Limits | undefined {
  for (let left = reader.number(); left > 0; left--) {
    for (const _ of ['module', 'name']) reader.skip(reader.number());
    const kind = reader.byte();
    if (kind === kinds.table || kind === kinds.tag) reader.skip(1);
    if (kind === kinds.global) reader.skip(2);
    else if (kind === kinds.function || kind === kinds.tag) reader.number();
    else {
      const start = reader.at;
      const hasMax = (reader.byte() & 1) === 1;
      const min = reader.number();
      const max = hasMax ? reader.number() : maxPages;
      if (kind === kinds.memory) return { start, end: reader.at, min, max };
    }
  }
  return undefined;
}

/** Parts of the global `WebAssembly`. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (limits: {
    initial: number;
    maximum: number;
    shared: boolean;
  }) => { buffer: SharedArrayBuffer };
  instantiate(source: Uint8Array | object, imports: unknown): Promise<unknown>;
}

const wasm = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;

/** Makes this thread compile all later modules for shared memory. */
export function compileForSharedMemory(): void {
  const { Module, instantiate } = wasm;
  const bytesOf = (source: Uint8Array | ArrayBuffer): Uint8Array =>
    withSharedMemory(source instanceof Uint8Array ? source : new Uint8Array(source));
  wasm.Module = new Proxy(Module, { construct: (target, [source]) => new target(bytesOf(source)) });
  wasm.instantiate = (source, imports) =>
    instantiate(source instanceof Module ? source : bytesOf(source as Uint8Array), imports);
}

export const sharedMemory = (initial: number): { buffer: SharedArrayBuffer } =>
  new wasm.Memory({ initial, maximum: maxPages, shared: true });

export const moduleOf = (bytes: Uint8Array): object => new wasm.Module(bytes);
