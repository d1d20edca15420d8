import { run } from '../stage.js';

const script = new URL('./sharp-script.js', import.meta.url).pathname;

/** Images per second that sharp resizes in a separate process. */
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
