import { ServiceError } from '@cartulary/errors';
import { noUsage, type ProcessUsage, readUsage } from './usage.js';

export interface Endlessness {
  /** Processor time that a conversion may use in addition to the time that its size allows, ms. */
  stallMs: number;
  /** Size of the input, bytes. */
  bytes: number;
  /** Memory limit of the conversion, MiB. */
  memory: number;
  /** Whether the program reads and writes while it works, instead of holding everything in memory. */
  isSteady: boolean;
  /** What the process has used for other work before. */
  before?: ProcessUsage;
}

/** Processor time allowed per byte: 1 s per MiB, three to ten times what the formats need. */
const msPerByte = 1000 / 1024 ** 2;

/** Minimum number of bytes that count as progress of reading and writing: a process always moves some bytes. */
const step = 64 * 1024;

/** Interval between two checks, ms: a process fills about 1 GiB of memory in a second. */
const period = 250;

/** Most bytes that a process of a conversion occupies: its program, and twice its limit, since it frees memory late. */
const mostResident = (memory: number): number => (256 + 2 * memory) * 1024 ** 2;

const size = (bytes: number): string =>
  bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.round(bytes / 1024 ** 2)} MiB`;

const ended = (why: string, data: Record<string, unknown>): ServiceError =>
  new ServiceError(
    'import_failed',
    `The conversion was ended: ${why}. The file asks for work without end, such as a view that calls itself, or blocks that hold each other many times`,
    { limit: 'CARTULARY_CONVERTER_STALL', ...data },
  );

const tooMuchMemory = (): ServiceError =>
  new ServiceError(
    'import_failed',
    'The conversion was ended: the file needs more memory than an import may have, or is damaged',
    { limit: 'CARTULARY_CONVERTER_MEMORY' },
  );

/**
 * Watches the resource use of a conversion, and reports one that does not end: its processor time exceeds what the sizes
 * of input and output allow, or it neither reads nor writes for long. Also reports one with too much memory: the limits of
 * its program hold for its heap alone. It counts processor time, because a busy machine
 * or a slow client is not the file's fault. On systems that do not report resource use nothing is watched. Returns a
 * function that stops the watch.
 */
export function watchEndless(
  pid: number | undefined,
  { stallMs, bytes, memory, isSteady, before = noUsage }: Endlessness,
  tell: (error: ServiceError) => void,
): () => void {
  let moved = noUsage;
  const judge = (now: ProcessUsage): ServiceError | undefined => {
    if (now.resident > mostResident(memory)) return tooMuchMemory();
    if (now.read + now.written > moved.read + moved.written + step) moved = now;
    const silent = now.cpuMs - moved.cpuMs;
    const seconds = Math.round(stallMs / 1000);
    if (isSteady && silent > stallMs)
      return ended(`it neither read nor wrote anything in ${seconds} s of processor time`, { seconds });
    const allowed = stallMs + (bytes + now.written) * msPerByte;
    if (now.cpuMs <= allowed) return undefined;
    const most = Math.round(allowed / 1000);
    return ended(`${most} s of processor time are not enough for ${size(bytes)}`, { seconds: most });
  };
  const look = async (): Promise<void> => {
    const now = pid === undefined ? undefined : await readUsage(pid);
    const error = now && judge(since(before, now));
    if (error) tell(error);
  };
  const timer = setInterval(() => void look(), period).unref();
  return () => clearInterval(timer);
}

const since = (before: ProcessUsage, now: ProcessUsage): ProcessUsage => ({
  ...now,
  cpuMs: now.cpuMs - before.cpuMs,
  read: now.read - before.read,
  written: now.written - before.written,
});
