import { createWriteStream, type WriteStream } from 'node:fs';

/** Bytes that may wait to be written. With the default of 16 KiB the sender waits for each piece. */
const waiting = 2 * 1024 * 1024;

/** A file that is written completely before it is read. */
export const spoolFile = (path: string): WriteStream => createWriteStream(path, { highWaterMark: waiting });
