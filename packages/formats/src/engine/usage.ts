import { readFile } from 'node:fs/promises';

/** What a process has used so far. */
export interface Usage {
  /** Processor time of all its threads, ms. */
  cpuMs: number;
  /** Bytes that it has read, and that it has written, whatever to. */
  read: number;
  written: number;
}

/** Ticks of the clock in a second in which Linux tells processor time, on every architecture. */
const ticksPerSecond = 100;

/** What a process has used; undefined where it has ended, or the system does not tell (all but Linux). */
export async function readUsage(pid: number): Promise<Usage | undefined> {
  try {
    const [stat, io] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/io`, 'utf8'),
    ]);
    // Behind its name, which may hold anything: utime and stime are the fields 14 and 15 (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const count = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1]);
    return {
      cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond,
      read: count('rchar'),
      written: count('wchar'),
    };
  } catch {
    return undefined;
  }
}
