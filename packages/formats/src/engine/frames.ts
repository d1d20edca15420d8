import { writeSync } from 'node:fs';
import { frameHead, pipe } from './orders.js';

/** Maximum size of a frame in bytes; the receiver reads a frame as a whole. */
const frameSize = 256 * 1024;

/** The stream from the process of a job to its parent. */
export interface Frames {
  /** Appends a copy of the bytes. */
  send(bytes: Uint8Array): void;
  /** Sends the remaining bytes and the end mark. */
  end(): void;
}

/** Writes frames to the pipe of a job with backpressure. */
export function createFrames(): Frames {
  let waiting: Buffer[] = [];
  let size = 0;
  const sendFrame = (): void => {
    const head = Buffer.alloc(frameHead);
    head.writeUInt32BE(size);
    writeAll(Buffer.concat([head, ...waiting]));
    waiting = [];
    size = 0;
  };
  return {
    send(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const part = Buffer.from(bytes.subarray(at, at + frameSize - size));
        waiting.push(part);
        at += part.length;
        size += part.length;
        if (size === frameSize) sendFrame();
      }
    },
    end() {
      if (size) sendFrame();
      sendFrame(); // an empty frame marks the end
    },
  };
}

function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(pipe, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
