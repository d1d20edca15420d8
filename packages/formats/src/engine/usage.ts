import { readFile } from 'node:fs/promises';

/** Resources that a process has used so far, and uses now. */
export interface ProcessUsage {
  /** Processor time of all its threads, ms. */
  cpuMs: number;
  /** Bytes that it has read, and bytes that it has written. */
  read: number;
  written: number;
  /** Bytes of memory that it occupies now. */
  resident: number;
}

export const noUsage: ProcessUsage = { cpuMs: 0, read: 0, written: 0, resident: 0 };

/** Clock ticks per second in which Linux reports processor time, on every architecture. */
const ticksPerSecond = 100;

/** Resources that a process has used; undefined if it has ended, and on systems other than Linux. */
export async function readUsage(pid: number): Promise<ProcessUsage | undefined> {
  try {
    const [stat, io, status] = await Promise.all(
      ['stat', 'io', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8')),
    );
    // The name before these fields may contain any character: utime and stime are fields 14 and 15 (proc(5)).
    const fields = stat!.slice(stat!.lastIndexOf(')') + 2).split(' ');
    const count = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(io!)?.[1]);
    return {
      cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond,
      read: count('rchar'),
      written: count('wchar'),
      resident: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status!)?.[1] ?? 0) * 1024,
    };
  } catch {
    return undefined;
  }
}
