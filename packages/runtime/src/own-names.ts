import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/*
 * Names of temporary tables, folders and files contain the machine and process that made them. So a sweep can tell leftovers of a
 * killed process from those that a running one uses.
 */

/** Identifies this machine: eight hexadecimal digits. */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

const hexadecimal = (pid: number): string => pid.toString(16).padStart(8, '0');

/** A unique name of digits, letters a to f and one `_`: the time (s since 1970), the machine, the process, random digits. */
export const ownName = (): string =>
  `${Math.floor(Date.now() / 1000)}_${machine}${hexadecimal(process.pid)}${randomBytes(6).toString('hex')}`;

interface Maker {
  /** s since 1970. */
  time: number;
  machine: string;
  pid: number;
}

/** Maker in a name that contains one of `ownName`. Names of the oldest format contain the time alone. */
function makerOf(name: string): Maker | undefined {
  const [, time, host = '', pid = '0'] =
    /(?<!\d)(\d+)_(?:([0-9a-f]{8})([0-9a-f]{8}))?[0-9a-f]{12}(?![0-9a-f])/.exec(name) ?? [];
  return time === undefined
    ? undefined
    : { time: Number(time), machine: host, pid: Number.parseInt(pid, 16) };
}

/** Whether this process made the name. */
export function isOwnName(name: string): boolean {
  const maker = makerOf(name);
  return maker?.machine === machine && maker.pid === process.pid && !hasEnded(maker);
}

/** Age after which a name counts as abandoned whatever its maker is, s. */
const maxAgeS = 24 * 3_600;

/** Whether a name is abandoned: its process was on this machine and has ended, or it is a day old. */
export function isAbandoned(name: string): boolean {
  const maker = makerOf(name);
  if (!maker) return false;
  return (maker.machine === machine && hasEnded(maker)) || Date.now() / 1000 - maker.time > maxAgeS;
}

/** Whether no process of this machine has the number, it has ended and waits for its parent, or a later one has the number. */
function hasEnded({ pid, time }: Maker): boolean {
  if (pid !== process.pid && (!isRunning(pid) || isZombie(pid))) return true;
  const start = startOf(pid);
  // The time is in whole seconds, and the start is known to some tenths of one on a busy machine.
  return start !== undefined && start > time + 2;
}

/** Whether a process of this machine runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** Start of a process, s since 1970; undefined where the system does not provide it. */
function startOf(pid: number): number | undefined {
  const own = Date.now() / 1000 - process.uptime();
  if (pid === process.pid) return own;
  const [other, current] = [ticksOf(pid), ticksOf(process.pid)];
  return other === undefined || current === undefined ? undefined : own + (other - current) / ticksPerSecond;
}

/** Unit of times in /proc, the same on every system that Node supports. */
const ticksPerSecond = 100;

/** Field of /proc/<pid>/stat (proc(5)), counted behind the program's name, which may contain any character. */
function statField(pid: number, field: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[field - 3];
  } catch {
    return undefined;
  }
}

/** Start time: field 22. */
function ticksOf(pid: number): number | undefined {
  const ticks = statField(pid, 22);
  return ticks === undefined ? undefined : Number(ticks);
}

/** State: field 3. A container without an init process never collects orphans, so they stay zombies. */
const isZombie = (pid: number): boolean => /^[ZX]/.test(statField(pid, 3) ?? '');

/**
 * Removes abandoned files and folders from a folder: those with a name that `isAbandoned`, and those a day old. `form`: pattern of the
 * names to look at. `all`: removes all of them, for when no other process uses the folder.
 */
export async function removeAbandoned(
  folder: string,
  { form = /^/, all = false }: { form?: RegExp; all?: boolean } = {},
): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    if (!form.test(name)) continue;
    const path = join(folder, name);
    const { mtimeMs } = (await stat(path).catch(() => undefined)) ?? { mtimeMs: Date.now() };
    if (all || isAbandoned(name) || Date.now() - mtimeMs > maxAgeS * 1_000)
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
