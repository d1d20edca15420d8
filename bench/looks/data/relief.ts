import { join } from 'node:path';
import sharp from 'sharp';
import { folderOf, type Stage } from '../../stage.js';
import type { DataSet, Position } from './data-set.js';
import { roughLine } from './fractal.js';
import { randomOf } from './towns.js';

/** Degrees: west, south, east, north. */
const box = [-10, 35, 30, 60] as const;
/** Pixels. */
const [width, height] = [3_072, 2_688];

/** A picture of hills, as of an aerial photograph, with its box in degrees. */
export const reliefBox = `BOX(${box[0]} ${box[1]},${box[2]} ${box[3]})`;

/** The image; its objects are positions only. */
export const relief: DataSet = {
  code: 'relief',
  geometry: 'RASTER',
  columns: {},
  *rows(features) {
    for (let i = 0; i < Math.min(features, 2_000); i++) {
      const next = randomOf(i, 6);
      const [east, north] = [next(), next()];
      const at: Position = [
        box[0] + (0.05 + 0.9 * east) * (box[2] - box[0]),
        box[1] + (0.05 + 0.9 * north) * (box[3] - box[1]),
      ];
      yield { shape: '', values: [], at };
    }
  },
};

/** Rough heights along a line, 0 to 1. */
function heights(count: number, seed: number): Float64Array {
  const line = roughLine([0, 0], [4_096, 0], { levels: 12, roughness: 0.35, next: randomOf(seed, 7) });
  const values = Float64Array.from({ length: count }, (_, i) => line[i % line.length]![1]);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => (value - least) / (most - least));
}

/** Writes the picture once. Returns its file. */
export const reliefFile = (stage: Stage): Promise<string> =>
  stage.once('relief', async () => {
    const file = join(await folderOf(stage, 'relief'), 'relief.png');
    const [across, down, diagonal] = [heights(width, 1), heights(height, 2), heights(width + height, 3)];
    const pixels = Buffer.alloc(width * height * 3);
    for (let y = 0, at = 0; y < height; y++)
      for (let x = 0; x < width; x++, at += 3) {
        const value = (across[x]! + down[y]! + diagonal[x + y]!) / 3;
        const grain = ((x * 31 + y * 17) % 13) - 6;
        pixels[at] = 70 + 130 * value + grain;
        pixels[at + 1] = 110 + 90 * Math.sin(value * 6) * value + grain;
        pixels[at + 2] = 60 + 60 * value + grain;
      }
    await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png({ compressionLevel: 1 })
      .toFile(file);
    return file;
  });
