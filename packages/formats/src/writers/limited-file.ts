import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { ServiceError } from '../../errors.js';

/** A file that is written in pieces, up to so many bytes; it is made by the first of them. */
export interface LimitedFile {
  /** Throws `too_large` above the limit, and what the disk says. */
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
  /** Leaves it as it is. */
  close(): void;
}

export function limitedFile(path: string, limit: number): LimitedFile {
  let stream: WriteStream | undefined;
  let size = 0;
  return {
    async write(bytes) {
      size += bytes.length;
      if (size > limit) throw new ServiceError('too_large', 'The export is larger than is allowed');
      // What goes wrong is met by the next write, or at the end.
      stream ??= createWriteStream(path).on('error', () => {});
      const goesOn = stream.write(bytes);
      if (stream.errored) throw stream.errored;
      if (!goesOn) await once(stream, 'drain');
    },
    async end() {
      if (!stream) return;
      stream.end();
      await finished(stream);
    },
    close: () => void stream?.destroy(),
  };
}
