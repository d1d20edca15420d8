import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';

const folder = fileURLToPath(new URL('../../../test/pictures', import.meta.url));
const actualFolder = join(folder, 'actual');

/** Share of the pixels that may differ: versions of PostGIS simplify shapes slightly differently. */
const tolerance = 0.002;

/**
 * Compares a PNG with the stored `test/pictures/<name>.png`. When they differ, it writes the actual picture and the
 * difference to `test/pictures/actual/`. `UPDATE_PICTURES=1` stores the actual picture: look at each one before you
 * commit it.
 */
export function assertPicture(name: string, bytes: Buffer): void {
  const file = join(folder, `${name}.png`);
  if (process.env.UPDATE_PICTURES === '1') writeFileSync(file, bytes);
  assert.ok(existsSync(file), `there is no ${file}: UPDATE_PICTURES=1 stores it`);
  const actual = PNG.sync.read(bytes);
  const expected = PNG.sync.read(readFileSync(file));
  const { width, height } = expected;
  assert.deepEqual([actual.width, actual.height], [width, height], `${name}: size`);
  const difference = new PNG({ width, height });
  const wrong = pixelmatch(actual.data, expected.data, difference.data, width, height, { threshold: 0.1 });
  if (wrong <= tolerance * width * height) return;
  mkdirSync(actualFolder, { recursive: true });
  writeFileSync(join(actualFolder, `${name}.png`), bytes);
  writeFileSync(join(actualFolder, `${name}.difference.png`), PNG.sync.write(difference));
  assert.fail(`${name}: ${wrong} pixels differ; see ${actualFolder}/${name}.png and ${name}.difference.png`);
}

/** Red, green, blue, alpha of a pixel. */
export function pixel(bytes: Buffer, x: number, y: number): [number, number, number, number] {
  const { data, width } = PNG.sync.read(bytes);
  const at = 4 * (y * width + x);
  return [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]!];
}

/** `#rrggbb` of a pixel; `clear` for a transparent one. */
export function colorAt(bytes: Buffer, x = 128, y = 128): string {
  const [red, green, blue, alpha] = pixel(bytes, x, y);
  if (alpha === 0) return 'clear';
  return `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Pictures side by side, as raw pixels. */
export function beside(pictures: readonly Buffer[]): PNG {
  const parts = pictures.map((bytes) => PNG.sync.read(bytes));
  const height = parts[0]!.height;
  const whole = new PNG({ width: parts.reduce((sum, part) => sum + part.width, 0), height });
  let x = 0;
  for (const part of parts) {
    PNG.bitblt(part, whole, 0, 0, part.width, height, x, 0);
    x += part.width;
  }
  return whole;
}
