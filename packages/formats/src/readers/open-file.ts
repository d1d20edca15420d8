import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The open files of the thread. */
const opened = new Set<number>();

/** Closes files that a finished or failed read has left open. */
export function closeFiles(): void {
  for (const file of opened) closeSync(file);
  opened.clear();
}

/** A file with random access. */
export interface OpenFile {
  /** Size in bytes. */
  readonly size: number;
  /** Reads bytes at an offset; returns fewer at the end of the file. */
  read(at: number, length: number): Buffer;
  close(): void;
}

/** Opens a file of the thread. `closeFiles` closes it in any case. */
export function openFile(path: string): OpenFile {
  const file = openSync(path, 'r');
  opened.add(file);
  const { size } = fstatSync(file);
  return {
    size,
    read(at, length) {
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - at)));
      let done = 0;
      while (done < bytes.length) {
        const got = readSync(file, bytes, done, bytes.length - done, at + done);
        if (!got) break;
        done += got;
      }
      return bytes.subarray(0, done);
    },
    close() {
      if (opened.delete(file)) closeSync(file);
    },
  };
}
