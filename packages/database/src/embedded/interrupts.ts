/**
 * Statements of the embedded database that take too long are cancelled as PostgreSQL cancels them: its code looks at two
 * words of its memory every now and then (`CHECK_FOR_INTERRUPTS`, and GEOS by way of PostGIS). The engine's thread cannot
 * write them while it runs a statement, so its memory is shared with the thread that watches it.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Extension, PGliteOptions } from '@electric-sql/pglite';
import { compileForSharedMemory, moduleOf, sharedMemory } from './wasm-memory.js';
import type { Watch } from './wire-server.js';

/** PGlite's own beginning, pages. */
const initialPages = 2_048;
/** Where emscripten puts the data of the main module. */
const dataStart = 1_024;

/** The words of PostgreSQL that ask it to stop: in its memory, at these places. */
export interface Interrupts {
  memory: SharedArrayBuffer;
  interruptPending: number;
  queryCancelPending: number;
}

export interface InterruptibleOptions {
  options: Pick<PGliteOptions, 'pgliteWasmModule'>;
  extension: Extension;
}

interface Instance {
  exports: Record<'InterruptPending' | 'QueryCancelPending', { value: number }>;
}

/** What PGlite is opened with so that its statements can be cancelled. `report` is told how, once. */
export function interruptible(report: (interrupts: Interrupts) => void): InterruptibleOptions {
  compileForSharedMemory();
  const memory = sharedMemory(initialPages);
  const file = join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), 'pglite.wasm');
  const setup: Extension['setup'] = async (_pg, emscriptenOpts) => {
    const instantiate = emscriptenOpts.instantiateWasm;
    const instantiateWasm = (imports: unknown, done: (instance: Instance, module: unknown) => void) =>
      instantiate(imports, (instance: Instance, module: unknown) => {
        const { InterruptPending, QueryCancelPending } = instance.exports;
        report({
          memory: memory.buffer,
          interruptPending: InterruptPending.value + dataStart,
          queryCancelPending: QueryCancelPending.value + dataStart,
        });
        done(instance, module);
      });
    return { emscriptenOpts: { ...emscriptenOpts, wasmMemory: memory, instantiateWasm } };
  };
  return {
    options: { pgliteWasmModule: moduleOf(readFileSync(file)) as never },
    extension: { name: 'interruptible', setup },
  };
}

/** What both threads know of the running statement: when it must have ended, ms since 1970 (0: none runs, or for ever). */
export interface Overseen {
  deadline: BigInt64Array;
  /** 1 while the watching thread asks the statement to stop. */
  asking: Int32Array;
  /** The number of the connection that asked for it; 0: none, or it cannot be cancelled. */
  connection: Int32Array;
  /** Its text, as far as it has room, up to a zero. */
  text: Uint8Array;
}

export const overseenIn = (buffer: SharedArrayBuffer): Overseen => ({
  deadline: new BigInt64Array(buffer, 0, 1),
  asking: new Int32Array(buffer, 8, 1),
  connection: new Int32Array(buffer, 12, 1),
  text: new Uint8Array(buffer, 16),
});

export const overseenSize = 4_096;

/** The text of the statement that is running, or was the last. */
export function runningText({ text }: Overseen): string {
  const end = text.indexOf(0);
  return Buffer.from(text.slice(0, end < 0 ? text.length : end)).toString();
}

const set = ({ memory }: Interrupts, place: number, value: number): void =>
  void Atomics.store(new Int32Array(memory), place >> 2, value);

/** For the thread of the engine. */
export function watchOf(
  { deadline, asking, connection, text }: Overseen,
  interrupts: () => Interrupts | undefined,
): Watch {
  const words = Buffer.from(text.buffer, text.byteOffset, text.length);
  return {
    begin(limit, statement, number) {
      words[words.write(statement, 0, words.length - 1)] = 0;
      Atomics.store(deadline, 0, limit > 0 ? BigInt(Date.now() + Math.ceil(limit)) : 0n);
      Atomics.store(connection, 0, number);
    },
    end() {
      Atomics.store(deadline, 0, 0n);
      Atomics.store(connection, 0, 0);
      // What was asked of this statement must not hit the next.
      while (Atomics.load(asking, 0) === 1);
      const words = interrupts();
      if (words) set(words, words.queryCancelPending, 0);
    },
  };
}

/** For the thread that watches: asks the running statement to stop when it is late. Gives how late it is, ms; 0: it is not. */
export function stopWhenLate({ deadline, asking }: Overseen, interrupts: Interrupts | undefined): number {
  Atomics.store(asking, 0, 1);
  try {
    const end = Number(Atomics.load(deadline, 0));
    const late = end > 0 ? Math.max(0, Date.now() - end) : 0;
    if (late > 0) interrupt(interrupts);
    return late;
  } finally {
    Atomics.store(asking, 0, 0);
  }
}

/** For the thread that watches: asks the running statement to stop if it is one of this connection. */
export function stopStatementOf(
  number: number,
  { connection, asking }: Overseen,
  interrupts: Interrupts | undefined,
): void {
  Atomics.store(asking, 0, 1);
  if (Atomics.load(connection, 0) === number) interrupt(interrupts);
  Atomics.store(asking, 0, 0);
}

function interrupt(interrupts: Interrupts | undefined): void {
  if (!interrupts) return;
  set(interrupts, interrupts.queryCancelPending, 1);
  set(interrupts, interrupts.interruptPending, 1);
}
