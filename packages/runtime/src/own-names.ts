import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/*
 * Names of what a process makes for itself alone, tables, folders and files, tell who made it: a sweep can tell what
 * a process left that was killed from what another one is working with.
 */

/** Stands for this machine: eight hexadecimal digits. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

const hexadecimal = (pid: number): string => pid.toString(16).padStart(8, '0');

/** A name that nobody else gives, of digits, letters a to f and one `_`: the time, s since 1970, the machine, the process, chance. */
export const ownName = (): string =>
  `${Math.floor(Date.now() / 1000)}_${machine}${hexadecimal(process.pid)}${randomBytes(6).toString('hex')}`;

interface Maker {
  /** s since 1970. */
  time: number;
  machine: string;
  pid: number;
}

/** Who made what has a name with one of `ownName` in it; of those of the first version only the time is known. */
function makerOf(name: string): Maker | undefined {
  const [, time, host = '', pid = '0'] =
    /(?<!\d)(\d+)_(?:([0-9a-f]{8})([0-9a-f]{8}))?[0-9a-f]{12}(?![0-9a-f])/.exec(name) ?? [];
  return time === undefined
    ? undefined
    : { time: Number(time), machine: host, pid: Number.parseInt(pid, 16) };
}

/** Whether this process made it. */
export function isOwn(name: string): boolean {
  const maker = makerOf(name);
  return maker?.machine === machine && maker.pid === process.pid && !hasEnded(maker);
}

/** s after which nobody needs what another machine has made, or a process whose number was used again. */
const longest = 24 * 3_600;

/** Whether nobody needs any more what has this name: its process was one of this machine and has ended, or it is a day old. */
export function isAbandoned(name: string): boolean {
  const maker = makerOf(name);
  if (!maker) return false;
  return (maker.machine === machine && hasEnded(maker)) || Date.now() / 1000 - maker.time > longest;
}

/** Whether no process of this machine has the number, or one that began later. */
function hasEnded({ pid, time }: Maker): boolean {
  if (pid !== process.pid && !isRunning(pid)) return true;
  const began = beginningOf(pid);
  return began !== undefined && began > time + 1;
}

/** Whether a process of this machine lives. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** When a process began, s since 1970; undefined where the system does not tell. */
function beginningOf(pid: number): number | undefined {
  const own = Date.now() / 1000 - process.uptime();
  if (pid === process.pid) return own;
  const [of, ofThis] = [ticksOf(pid), ticksOf(process.pid)];
  return of === undefined || ofThis === undefined ? undefined : own + (of - ofThis) / ticksPerSecond;
}

/** Of the times in /proc, on every system that Node runs on. */
const ticksPerSecond = 100;

/** The 22nd field of /proc/<pid>/stat (proc(5)), counted behind the name of the program, which may hold anything. */
function ticksOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return undefined;
  }
}

/**
 * Removes what nobody needs any more of what lies in a folder under names of a form: what `isAbandoned`, and what is a
 * day old by its own time. `all`: everything, where no other process can be at work.
 */
export async function removeAbandoned(
  folder: string,
  { form = /^/, all = false }: { form?: RegExp; all?: boolean } = {},
): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if (!form.test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: Date.now() };
    if (all || isAbandoned(name) || Date.now() - mtimeMs > longest * 1_000)
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
