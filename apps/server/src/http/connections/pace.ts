import type { Socket } from 'node:net';

/** Measures the rate of a client over the time that the service waits for it. */
export class Pace {
  readonly #minBytes: number;
  readonly #windowMs: number;
  #waitedMs = 0;
  #bytesBefore = 0;

  /** `minRate`: bytes per s, 0 accepts every rate. */
  constructor(minRate: number, windowMs: number) {
    this.#minBytes = (minRate * windowMs) / 1000;
    this.#windowMs = windowMs;
  }

  /**
   * Adds `waitedMs`, the waiting time since the last call. Whether fewer bytes than the least rate asks for have passed in a
   * whole window of waiting time; the next window starts then. `passedBytes` gives the count of the connection so far.
   */
  isTooSlow(waitedMs: number, passedBytes: () => number): boolean {
    if (!waitedMs || !this.#minBytes) return false;
    if (!this.#waitedMs) this.#bytesBefore = passedBytes();
    this.#waitedMs += waitedMs;
    if (this.#waitedMs < this.#windowMs) return false;
    this.#waitedMs = 0;
    return passedBytes() - this.#bytesBefore < this.#minBytes;
  }
}

/** The counters of libuv for a socket. */
interface Handle {
  bytesWritten?: number;
  writeQueueSize?: number;
}

/**
 * Bytes that the kernel has taken from a socket. `bytesWritten` counts a write when it starts, and `writableLength` counts it
 * until it is complete. For a response of many MB and a slow reader that takes minutes. The queue of the handle shrinks with
 * each packet.
 */
export function drainedBytes(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: Handle | null };
  if (handle?.bytesWritten === undefined || handle.writeQueueSize === undefined)
    return socket.bytesWritten - socket.writableLength;
  return handle.bytesWritten - handle.writeQueueSize;
}
