import { ServiceError } from '../../errors.js';
import { readUsage, type Usage } from './usage.js';

export interface Endlessness {
  /** Processor time that a conversion may take beyond what its size explains, ms. */
  stallMs: number;
  /** Bytes that it works on. */
  bytes: number;
  /** Whether it reads and writes while it works, and does not have all in memory. */
  isSteady: boolean;
}

/** Processor time that a byte explains: 1 s each MiB, three to ten times what the formats take. */
const msPerByte = 1000 / 1024 ** 2;

/** Bytes from which on reading and writing is progress: some are moved by whatever a process does. */
const step = 64 * 1024;

/** ms between two looks. */
const period = 1_000;

const size = (bytes: number): string =>
  bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.round(bytes / 1024 ** 2)} MiB`;

const ended = (why: string, data: Record<string, unknown>): ServiceError =>
  new ServiceError(
    'import_failed',
    `The conversion was ended: ${why}. The file asks for work without end, such as a view that calls itself, or blocks that hold each other many times`,
    { limit: 'CARTULARY_CONVERTER_STALL', ...data },
  );

/**
 * Watches what a conversion uses, and tells when it goes on without an end: it takes more processor time than its size and
 * what it gives explain, or neither reads nor writes for long. Processor time, as a busy machine and a slow reader of
 * the rows are no fault of the file. Where the system does not tell it nothing is watched. Gives the end of the watch.
 */
export function watchEndless(
  pid: number | undefined,
  { stallMs, bytes, isSteady }: Endlessness,
  tell: (error: ServiceError) => void,
): () => void {
  let moved: Usage = { cpuMs: 0, read: 0, written: 0 };
  const judge = (now: Usage): ServiceError | undefined => {
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
    const error = now && judge(now);
    if (error) tell(error);
  };
  const timer = setInterval(() => void look(), period).unref();
  return () => clearInterval(timer);
}
