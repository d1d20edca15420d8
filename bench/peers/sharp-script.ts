/**
 * Resizes an image repeatedly with sharp: `node sharp-script.js FILE WIDTH SECONDS AT_ONCE`. Prints images per second.
 */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';

const [file, width, seconds, atOnce] = process.argv.slice(2);
sharp.cache(false);
sharp.concurrency(1);

const resized = async (): Promise<Buffer> =>
  sharp(await readFile(file!))
    .autoOrient()
    .resize({ width: Number(width), height: Math.round((Number(width) * 3) / 4), fit: 'fill' })
    .jpeg({ quality: 85 })
    .toBuffer();

await resized();
let done = 0;
const start = performance.now();
const end = start + Number(seconds) * 1000;
const worker = async (): Promise<void> => {
  while (performance.now() < end) {
    if (!(await resized()).length) throw new Error('an empty picture');
    done += 1;
  }
};
await Promise.all(Array.from({ length: Number(atOnce) }, worker));
process.stdout.write(`${(done * 1000) / (performance.now() - start)}\n`);
