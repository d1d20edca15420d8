import { createWriteStream, type WriteStream } from 'node:fs';

/** Bytes that may wait to be written: with the usual 16 KiB whoever brings them waits for each piece. */
const waiting = 2 * 1024 * 1024;

/** A file that is written as a whole, and read afterwards. */
export const spoolFile = (path: string): WriteStream => createWriteStream(path, { highWaterMark: waiting });
