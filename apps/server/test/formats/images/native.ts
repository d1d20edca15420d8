import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ImageCase, run } from './case.js';

/** A tile by its numbers, rows from the north. */
export interface Tile {
  z: number;
  x: number;
  y: number;
}

export const tileSide = 256;

/** Half the side of the square of EPSG:3857, m. */
const half = 20_037_508.342_789_244;

function cornersOf({ z, x, y }: Tile): string[] {
  const side = (2 * half) / 2 ** z;
  return [-half + x * side, half - (y + 1) * side, -half + (x + 1) * side, half - y * side].map(String);
}

interface NativeInfo {
  bands: { colorInterpretation?: string; colorTable?: object }[];
  metadata: { IMAGE_STRUCTURE?: { MINISWHITE?: string } };
}

/** What GDAL's own programs draw of an image on a tile: red, green, blue and alpha of each pixel. */
export function nativeTile(
  folder: string,
  file: string,
  { white = 255, args = [] }: Pick<ImageCase, 'white' | 'args'>,
  tile: Tile,
): Float64Array {
  const { bands, metadata } = JSON.parse(run(folder, 'gdalinfo', ['-json', file])) as NativeInfo;
  const isAlpha = bands.at(-1)!.colorInterpretation === 'Alpha';
  const hasPalette = bands[0]!.colorTable || metadata.IMAGE_STRUCTURE?.MINISWHITE;
  const expand = bands.length === 1 && hasPalette ? ['-expand', 'rgba', '-ot', 'Byte'] : [];
  const three = bands.length === 4 && !isAlpha ? '-b 1 -b 2 -b 3'.split(' ') : [];
  run(folder, 'gdal_translate', ['-q', '-of', 'VRT', ...expand, ...three, ...args, file, 'native.vrt']);
  const size = String(tileSide);
  const place = ['-t_srs', 'EPSG:3857', '-te', ...cornersOf(tile), '-ts', size, size];
  const warp = [
    '-q',
    '-overwrite',
    '-r',
    'near',
    '-dstalpha',
    '-wo',
    'UNIFIED_SRC_NODATA=YES',
    '-ot',
    'Float64',
    '-of',
    'ENVI',
    '-co',
    'INTERLEAVE=BIP',
  ];
  run(folder, 'gdalwarp', [...warp, ...place, 'native.vrt', 'native.bin']);
  return colored(readFileSync(join(folder, 'native.bin')), white);
}

function colored(bytes: Buffer, white: number): Float64Array {
  const values = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  const count = tileSide ** 2;
  const bands = values.length / count;
  const result = new Float64Array(4 * count);
  for (let i = 0; i < count; i++) {
    const own = values.subarray(i * bands, (i + 1) * bands);
    const color =
      bands < 3 ? [own[0]!, own[0]!, own[0]!].map((value) => (value / white) * 255) : own.slice(0, 3);
    result.set([...color, own[bands - 1]! ? 255 : 0], 4 * i);
  }
  return result;
}

/** Pixels around each whose native colours must be equal for it to be compared: edges may lie a pixel aside. */
const reach = 2;

/** Compares the native pixels of a tile with those of a picture, away from edges. Returns what differs, in words. */
export function differences(
  native: Float64Array,
  ours: Uint8Array,
  { tolerance = 2, isStretched }: Pick<ImageCase, 'tolerance' | 'isStretched'>,
): string[] {
  const found: string[] = [];
  let compared = 0;
  for (let y = reach; y < tileSide - reach; y++) {
    for (let x = reach; x < tileSide - reach; x++) {
      if (!isEven(native, x, y)) continue;
      const at = 4 * (y * tileSide + x);
      const [expected, actual] = [native, ours].map((colors) => [...colors.slice(at, at + 4)]) as [
        number[],
        number[],
      ];
      if (expected[3]) compared++;
      const isSame = expected[3]
        ? actual[3] === 255 &&
          (isStretched || [0, 1, 2].every((i) => Math.abs(expected[i]! - actual[i]!) <= tolerance))
        : actual[3] === 0;
      if (!isSame) found.push(`${x} ${y}: ${actual} is not ${expected}`);
    }
  }
  return compared > 300 ? found : [`only ${compared} pixels to compare`];
}

function isEven(colors: Float64Array, x: number, y: number): boolean {
  const own = 4 * (y * tileSide + x);
  for (let i = -reach; i <= reach; i++) {
    for (let j = -reach; j <= reach; j++) {
      const at = own + 4 * (i * tileSide + j);
      for (let k = 0; k < 4; k++) if (Math.abs(colors[at + k]! - colors[own + k]!) > 1) return false;
    }
  }
  return true;
}
