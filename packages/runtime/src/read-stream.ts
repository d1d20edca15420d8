import { createReadStream, type ReadStream } from 'node:fs';

/**
 * A file as a stream that may be read later. A failure before anybody reads it, as where too many files are open, is met by who does:
 * without a listener it would be an error of the process.
 */
export const readStream = (...args: Parameters<typeof createReadStream>): ReadStream =>
  createReadStream(...args).on('error', () => {});
