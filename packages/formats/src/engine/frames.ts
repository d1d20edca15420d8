import { writeSync } from 'node:fs';
import { frameHead, pipe } from './orders.js';

/** Most bytes of a frame: who reads it waits for the whole of it. */
const frameSize = 256 * 1024;

/** What the process of a job streams to who started it. */
export interface Frames {
  /** Adds bytes, a copy of which is kept. */
  send(bytes: Uint8Array): void;
  /** Sends what is left, and that this was all. */
  end(): void;
}

/** Writes frames to the pipe of a job, at the pace of its reader. */
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
      sendFrame(); // an empty one: the end
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
