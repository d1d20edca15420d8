import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Niceness of background work, as in nice(1), above that of the service. Processors serve requests first, then drawing, which
 * people wait for, then conversions. Linux gives a process at 5 a third, and one at 10 a tenth, of what one at 0 gets. At 15,
 * work ran out of its time on a busy machine.
 */
const niceness = { drawing: 5, conversion: 10 } as const;

export type BackgroundWork = keyof typeof niceness;

/** Lowers the priority of a background process. */
export function lowerPriority(pid: number | undefined, work: BackgroundWork): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness[work]));
  } catch {
    // The process has ended, or the system forbids it.
  }
}

/** Lowers the priority of the calling thread. Only Linux has priorities of threads: elsewhere nothing changes. */
export function lowerThreadPriority(work: BackgroundWork): void {
  try {
    // `<process>/task/<thread>`
    lowerPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), work);
  } catch {
    // The system has no /proc.
  }
}
