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

/** Reports once that the memory is larger than its limit and nobody uses the database, or that it is critical. */
export function startRenewal({ server, memoryBytes, limitBytes, report, end, warn }: RenewalParts): Renewal {
  let isReported = false;
  const isDue = (): boolean => server.idleMs() >= idleAfterMs || memoryBytes() > criticalMemoryBytes;
  const timer = setInterval(() => {
    if (isReported || memoryBytes() <= Math.min(limitBytes, criticalMemoryBytes) || !isDue()) return;
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
