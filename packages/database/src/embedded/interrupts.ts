/**
 * Statements of the embedded database are cancelled as in PostgreSQL, whose code regularly checks two words of its memory
 * (`CHECK_FOR_INTERRUPTS`, and GEOS through PostGIS). The engine's thread cannot write them while it runs a statement, so its
 * memory is shared with a watching thread.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Extension, PGliteOptions } from '@electric-sql/pglite';
import {
  compileForSharedMemory,
  maxMemoryBytes,
  moduleOf,
  type SharedMemory,
  sharedMemory,
} from './wasm/shared-memory.js';
import type { StatementWatch } from './wire/wire-server.js';

/** Initial memory of PGlite, pages. */
const initialPages = 2_048;
/** Address at which emscripten puts the data of the main module. */
const dataStart = 1_024;

/** Memory beyond which no statement may take more, so that the engine can end in order. */
export const criticalMemoryBytes = 0.75 * maxMemoryBytes;

/** Addresses of PostgreSQL's interrupt flags in its memory. */
export interface Interrupts {
  memory: SharedMemory;
  interruptPending: number;
  queryCancelPending: number;
}

export interface InterruptibleOptions {
  options: Pick<PGliteOptions, 'pgliteWasmModule'>;
  extension: Extension;
  /** Size of the engine's memory, which never shrinks. */
  memoryBytes(): number;
}

interface Instance {
  exports: Record<'InterruptPending' | 'QueryCancelPending', { value: number }>;
}

/** Options of PGlite that make its statements cancellable. `report` receives the addresses of the flags, once. */
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
          memory,
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
    memoryBytes: () => memory.buffer.byteLength,
  };
}

/** State of the running statement, shared by both threads. */
export interface SharedStatement {
  /** `process.hrtime`, ns, which no change of the clock moves; 0: none runs, or it has no limit. */
  deadline: BigInt64Array;
  /** 1 while the watching thread sets the interrupt flags. */
  interrupting: Int32Array;
  /** Number of its connection; 0: none runs, or it is not cancellable. */
  connection: Int32Array;
  /** Size of the engine's memory when it began; infinity: none runs. */
  memoryBytes: Float64Array;
  /** Its text, truncated, ended by a zero. */
  text: Uint8Array;
}

export const sharedStatementIn = (buffer: SharedArrayBuffer): SharedStatement => ({
  deadline: new BigInt64Array(buffer, 0, 1),
  interrupting: new Int32Array(buffer, 8, 1),
  connection: new Int32Array(buffer, 12, 1),
  memoryBytes: new Float64Array(buffer, 16, 1),
  text: new Uint8Array(buffer, 24),
});

export const sharedStatementBytes = 4_096;

/** Text of the running statement, or of the last one. */
export function runningText({ text }: SharedStatement): string {
  const end = text.indexOf(0);
  return Buffer.from(text.slice(0, end < 0 ? text.length : end)).toString();
}

const nanoseconds = (ms: number): bigint => BigInt(Math.ceil(ms)) * 1_000_000n;

const setFlag = ({ memory }: Interrupts, address: number, value: number): void =>
  void Atomics.store(new Int32Array(memory.buffer), address >> 2, value);

/** Watch for the engine's thread. */
export function statementWatch(
  { deadline, interrupting, connection, memoryBytes, text }: SharedStatement,
  interrupts: () => Interrupts | undefined,
): StatementWatch {
  const textBuffer = Buffer.from(text.buffer, text.byteOffset, text.length);
  return {
    begin(limitMs, statement, number) {
      textBuffer[textBuffer.write(statement, 0, textBuffer.length - 1)] = 0;
      memoryBytes[0] = interrupts()?.memory.buffer.byteLength ?? 0;
      Atomics.store(deadline, 0, limitMs > 0 ? process.hrtime.bigint() + nanoseconds(limitMs) : 0n);
      Atomics.store(connection, 0, number);
    },
    end() {
      Atomics.store(deadline, 0, 0n);
      Atomics.store(connection, 0, 0);
      memoryBytes[0] = Number.POSITIVE_INFINITY;
      // An interrupt of this statement must not hit the next one.
      while (Atomics.load(interrupting, 0) === 1);
      Atomics.store(deadline, 0, 0n);
      const flags = interrupts();
      if (flags) setFlag(flags, flags.queryCancelPending, 0);
    },
  };
}

/**
 * For the watching thread: interrupts a statement after its deadline, or when it takes the last of the memory, without which the engine
 * ends. Gives the time since the deadline, ms; 0: it has not passed.
 */
export function interruptLate(
  { deadline, interrupting, memoryBytes }: SharedStatement,
  interrupts: Interrupts | undefined,
): number {
  Atomics.store(interrupting, 0, 1);
  try {
    const end = Atomics.load(deadline, 0);
    const lateMs = end > 0n ? Math.max(0, Number(process.hrtime.bigint() - end) / 1e6) : 0;
    const bytes = interrupts?.memory.buffer.byteLength ?? 0;
    const isTooLarge = bytes > criticalMemoryBytes && bytes > memoryBytes[0]!;
    if (lateMs > 0 || isTooLarge) interrupt(interrupts);
    return lateMs;
  } finally {
    Atomics.store(interrupting, 0, 0);
  }
}

/** Time after which a statement that was cancelled by its client, and does not stop, counts as late, ms. */
const cancelGraceMs = 5_000;

/** For the watching thread: interrupts the running statement if it is of this connection, and leaves it little time. */
export function interruptConnection(
  number: number,
  { connection, interrupting, deadline }: SharedStatement,
  interrupts: Interrupts | undefined,
): void {
  Atomics.store(interrupting, 0, 1);
  if (Atomics.load(connection, 0) === number) {
    const [last, end] = [process.hrtime.bigint() + nanoseconds(cancelGraceMs), Atomics.load(deadline, 0)];
    if (end === 0n || end > last) Atomics.store(deadline, 0, last);
    interrupt(interrupts);
  }
  Atomics.store(interrupting, 0, 0);
}

function interrupt(interrupts: Interrupts | undefined): void {
  if (!interrupts) return;
  setFlag(interrupts, interrupts.queryCancelPending, 1);
  setFlag(interrupts, interrupts.interruptPending, 1);
}
