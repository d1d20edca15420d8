import { createReadStream, type ReadStream } from 'node:fs';

/**
 * A file as a stream that may be read later. It has a listener for errors before its first reader, such as too many open files: without
 * one they would end the process. The reader gets the error as well.
 */
export const readStream = (...args: Parameters<typeof createReadStream>): ReadStream =>
  createReadStream(...args).on('error', () => {});
