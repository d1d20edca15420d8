import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/**
 * Niceness of work beside the serving thread, as in nice(1), above that with which the service was started. Processors serve requests
 * first, then drawing, which people wait for, then conversions. Linux gives a process at 5 a third, and one at 10 a tenth, of what one
 * at 0 gets. At 15, work ran out of its time on a busy machine.
 */
const niceness = { database: 0, drawing: 5, conversion: 10 } as const;

export type WorkBeside = keyof typeof niceness;

/** Tells threads of the niceness with which the service was started. */
const startedKey = 'niceness of the start';

const startedWith = (): number => (getEnvironmentData(startedKey) as number | undefined) ?? getPriority();

/**
 * Raises the priority of the calling thread, the one that serves, by so many levels. What runs beside it keeps its own: processes and
 * threads that it starts must set theirs (`setPriorityOf`, `setThreadPriority`). Nothing changes where the system forbids it.
 */
export function raisePriority(levels: number): void {
  if (!levels) return;
  const started = getPriority();
  setEnvironmentData(startedKey, started);
  try {
    setPriority(Math.max(constants.priority.PRIORITY_HIGHEST, started - levels));
  } catch {
    // Linux permits it to root, and to others by RLIMIT_NICE.
  }
}

/** Sets the priority of a process beside the one that serves. */
export function setPriorityOf(pid: number | undefined, work: WorkBeside): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, startedWith() + niceness[work]));
  } catch {
    // The process has ended, or the system forbids it.
  }
}

/** Sets the priority of the calling thread. Only Linux has priorities of threads: elsewhere nothing changes. */
export function setThreadPriority(work: WorkBeside): void {
  try {
    // `<process>/task/<thread>`
    setPriorityOf(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), work);
  } catch {
    // The system has no /proc.
  }
}
