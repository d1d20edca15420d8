import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceError } from '@cartulary/errors';
import { setPriorityOf } from '@cartulary/runtime';
import { watchEndless } from '../engine/endless.js';

export interface Decoding {
  /** Maximum duration, ms. */
  time: number;
  /** Processor time in addition to that for the pixels, ms. */
  stallMs: number;
  /** Size of the pixels in bytes. */
  bytes: number;
  /** Memory limit, MiB. */
  memory: number;
  signal: AbortSignal;
}

/** The last message of the process: the reason of a failure, or nothing. */
export type DecodingReport = { error: string } | { error: null };

const failed = (why: string): ServiceError =>
  /ENOSPC|EDQUOT|disk/.test(why)
    ? new ServiceError('busy', 'The disk of the service has no room for this')
    : new ServiceError('import_failed', `The TIFF could not be unpacked: ${why}`);

/**
 * Decompresses a TIFF whose compression GDAL does not support, in a process of its own. Returns the name of the new file
 * in the folder. Throws `import_failed`, `timeout`.
 */
export function decodeTiff(
  folder: string,
  file: string,
  { time, signal, ...size }: Decoding,
): Promise<string> {
  const target = 'decoded.tif';
  const script = fileURLToPath(new URL('./decode-process.js', import.meta.url));
  const child = fork(script, [join(folder, file), join(folder, target)], {
    execArgv: ['--no-warnings', `--max-old-space-size=${size.memory}`],
    env: { PATH: process.env.PATH, MALLOC_ARENA_MAX: '2', VIPS_CONCURRENCY: '1' },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  setPriorityOf(child.pid, 'conversion');
  return new Promise((resolve, reject) => {
    const end = (reason: unknown): void => {
      child.kill('SIGKILL');
      reject(reason);
    };
    const late = new ServiceError('timeout', `The conversion took longer than ${Math.round(time / 1000)} s`);
    const timer = setTimeout(() => end(late), time);
    const unwatch = watchEndless(child.pid, { ...size, isSteady: false }, end);
    const left = (): void => end(signal.reason);
    signal.addEventListener('abort', left, { once: true });
    if (signal.aborted) left();
    child.once('message', ({ error }: DecodingReport) =>
      error === null ? resolve(target) : reject(failed(error)),
    );
    child.on('error', () => reject(failed('its process could not be started')));
    child.once('exit', () => {
      clearTimeout(timer);
      unwatch();
      signal.removeEventListener('abort', left);
      reject(failed('it needs too much memory, or is damaged'));
    });
  });
}
