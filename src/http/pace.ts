import type { Socket } from 'node:net';

/** How fast a client is over the time in which it was waited for. */
export interface Pace {
  /**
   * Adds the time that it was waited for since the last call. Whether fewer bytes than the least rate have passed in a whole
   * window of such time, which then begins anew.
   */
  isTooSlow(waitedMs: number, passed: () => number): boolean;
}

/** `rate`: bytes per s, 0: none is too slow; `window`: ms. */
export function createPace(rate: number, window: number): Pace {
  const least = (rate * window) / 1000;
  let waitedMs = 0;
  let before = 0;
  return {
    isTooSlow(ms, passed) {
      if (!ms || !rate) return false;
      if (!waitedMs) before = passed();
      waitedMs += ms;
      if (waitedMs < window) return false;
      waitedMs = 0;
      return passed() - before < least;
    },
  };
}

/** What libuv knows of a socket. */
interface Handle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

/**
 * Bytes that the kernel has taken of a socket. `bytesWritten` counts a write when it begins, and `writableLength` until it is
 * complete, which of an answer of many MB takes a slow reader minutes; the handle's queue shrinks with each packet.
 */
export function drainedBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: Handle | null };
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined)
    return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - handle.writeQueueSize;
}
