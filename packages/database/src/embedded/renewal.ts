import { criticalMemoryBytes } from './interrupts.js';
import { checkPeriodMs, idleAfterMs } from './upkeep.js';
import type { WireServer } from './wire/wire-server.js';

export interface RenewalParts {
  server: Pick<WireServer, 'idleMs' | 'exclusively'>;
  /** Bytes of the engine's memory, which never shrinks. */
  memoryBytes(): number;
  limitBytes: number;
  /** Tells whether the process is to be replaced. */
  report(isLarge: boolean): void;
  /** Closes the folder and ends the process. */
  end(): Promise<never>;
  warn(text: string): void;
}

export interface Renewal {
  /** Ends the process, unless statements wait by now; then it is reported again later. */
  renew(): void;
  stop(): void;
}

/** Memory of a database that has done ordinary work only, and time without statements after which it is to have no more. */
const modest = { bytes: 192 * 1024 * 1024, afterMs: 15_000 };

/** Reports once that the memory is larger than is due for the time without statements, or that it is critical. */
export function startRenewal({ server, memoryBytes, limitBytes, report, end, warn }: RenewalParts): Renewal {
  let isReported = false;
  const isDue = (): boolean => {
    const [bytes, idleMs] = [memoryBytes(), server.idleMs()];
    if (bytes > criticalMemoryBytes) return true;
    return (
      (bytes > limitBytes && idleMs >= idleAfterMs) || (bytes > modest.bytes && idleMs >= modest.afterMs)
    );
  };
  const timer = setInterval(() => {
    if (isReported || !isDue()) return;
    isReported = true;
    report(true);
  }, checkPeriodMs);
  return {
    renew: () => {
      server
        .exclusively(async () => {
          if (server.idleMs() || memoryBytes() > criticalMemoryBytes) await end();
          isReported = false;
          report(false);
        })
        .catch((error) => warn(error.message));
    },
    stop: () => clearInterval(timer),
  };
}
