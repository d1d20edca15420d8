import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { ServiceError } from '@cartulary/errors';

/** A file that is written in pieces up to a limit in bytes. The first piece creates it. */
export interface LimitedFile {
  /** Throws `too_large` above the limit, and errors of the disk. */
  write(bytes: Buffer): Promise<void>;
  end(): Promise<void>;
  /** Closes the file without completing it. */
  close(): void;
}

export function limitedFile(path: string, limit: number): LimitedFile {
  let stream: WriteStream | undefined;
  let size = 0;
  return {
    async write(bytes) {
      size += bytes.length;
      if (size > limit) throw new ServiceError('too_large', 'The export is larger than is allowed');
      // The next write, or `end`, throws the error.
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
