import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { setPriorityOf } from '@cartulary/runtime';

/** A layer of the demo world as GeoJSON. */
export interface PrintedData {
  stream: Readable;
  /** Rejects when the process that prints it was aborted. */
  ended: Promise<unknown>;
}

/** The output of `data.js` for a name. */
export function printData(name: string, signal: AbortSignal): PrintedData {
  const printer = spawn(process.execPath, [fileURLToPath(new URL('./data.js', import.meta.url)), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
    signal,
  });
  setPriorityOf(printer.pid, 'conversion');
  const ended = once(printer, 'close');
  ended.catch(() => {}); // the import reports an abort
  return { stream: printer.stdout, ended };
}

/** Prints each name once and keeps it: the maps of visualizations share a few layers, and each print takes most of a second. */
export class KeptData {
  readonly #kept = new Map<string, Promise<Buffer>>();

  constructor(readonly signal: AbortSignal) {}

  async print(name: string): Promise<PrintedData> {
    let printed = this.#kept.get(name);
    if (!printed) {
      const { stream, ended } = printData(name, this.signal);
      printed = Promise.all([buffer(stream), ended]).then(([all]) => all);
      this.#kept.set(name, printed);
    }
    return { stream: Readable.from([await printed]), ended: Promise.resolve() };
  }
}
