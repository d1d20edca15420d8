import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Niceness of background work, as in nice(1). */
const niceness = 5;

/** Lowers the priority of a background process, so that processors serve requests first. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // The process has ended, or the system forbids it.
  }
}

/** Lowers the priority of the calling thread. Only Linux has priorities of threads: elsewhere nothing changes. */
export function lowerThreadPriority(): void {
  try {
    // `<process>/task/<thread>`
    lowerPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
  } catch {
    // The system has no /proc.
  }
}
