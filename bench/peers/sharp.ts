import { run } from '../stage.js';

const script = new URL('./sharp-script.js', import.meta.url).pathname;

/** Pictures in a second that a script of sharp alone resizes, in a process of its own. */
export async function sharpAlone(
  file: string,
  { width, seconds, atOnce }: { width: number; seconds: number; atOnce: number },
): Promise<number> {
  const { stdout } = await run(process.execPath, [
    script,
    file,
    String(width),
    String(seconds),
    String(atOnce),
  ]);
  return Number(stdout);
}
