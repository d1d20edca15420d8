import { encoded, importsOf, kinds, moduleSections, sectionIds, withSection } from './binary.js';

/** Modules of WebAssembly with memory shared between threads: PGlite's modules are compiled for memory of one thread. */

const pageBytes = 65_536;
/** PGlite 0.5.8 asks for no more. */
const maxPages = 32_768;
export const maxMemoryBytes = maxPages * pageBytes;

/** Flags of limits: shared, with a maximum. */
const sharedFlags = 3;

/** Changes the bytes of a module that imports a memory, so that it imports a shared one. Other modules are unchanged. */
function withSharedMemory(bytes: Uint8Array): Uint8Array {
  for (const section of moduleSections(bytes)) {
    if (section.id !== sectionIds.imports) continue;
    for (const { kind, limits } of importsOf(bytes, section)) {
      if (kind !== kinds.memory || !limits) continue;
      const shared = [sharedFlags, ...encoded(limits.min), ...encoded(limits.max ?? maxPages)];
      const parts = [bytes.subarray(section.start, limits.start), Uint8Array.from(shared)];
      return withSection(bytes, section, Buffer.concat([...parts, bytes.subarray(limits.end, section.end)]));
    }
  }
  return bytes;
}

/** Memory that has grown has another buffer. It can be sent to other threads. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
}

/** Parts of the global `WebAssembly`. */
interface Wasm {
  Module: new (bytes: Uint8Array) => object;
  Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => SharedMemory;
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

/** `initial`: pages. */
export const sharedMemory = (initial: number): SharedMemory =>
  new wasm.Memory({ initial, maximum: maxPages, shared: true });

export const moduleOf = (bytes: Uint8Array): object => new wasm.Module(bytes);
