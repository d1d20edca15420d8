import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An image with a trait that is met in the world, to be drawn as GDAL's own programs draw it. */
export interface ImageCase {
  what: string;
  /** Makes it in a folder that holds the sources; returns its name there. */
  make(folder: string): string;
  /** What becomes of it; a pattern: it is refused with this message. */
  becomes: 'picture' | 'values' | RegExp;
  /** A pattern that the notes of the report must match. */
  notes?: RegExp;
  /** Values: the value that is white, where 0 is black. */
  white?: number;
  /** Largest difference of colours: compression that loses some, and conversions. */
  tolerance?: number;
  /** Query of the import, and arguments of `gdal_translate` that mean the same. */
  query?: string;
  args?: readonly string[];
  /** Names of files that are sent beside it, in a zip archive. */
  beside?: readonly string[];
  /** Only the place is compared: colours are stretched. */
  isStretched?: boolean;
}

/** Size of the sources, pixels. */
export const [columns, rows] = [16, 12];

/** Colours that differ from those of all neighbours, none of them black. */
const colorOf = (column: number, row: number): number[] => [
  40 + ((column * 53) % 200),
  40 + ((row * 71) % 200),
  (column + row) % 2 ? 230 : 30,
];

const cells = <T>(makeOne: (column: number, row: number) => T): T[] =>
  Array.from({ length: columns * rows }, (_, i) => makeOne(i % columns, Math.floor(i / columns)));

const pnm = (kind: string, most: number, bytes: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from(`${kind} ${columns} ${rows} ${most}\n`), Buffer.from(bytes)]);

/** Values from 0 to `most`, each unlike its neighbours. */
export const valueAt = (column: number, row: number, most: number): number =>
  (column * 5 + row * 3) % (most + 1);

const sources: Readonly<Record<string, () => Buffer>> = {
  'rgb.ppm': () => pnm('P6', 255, cells(colorOf).flat()),
  'gray.pgm': () =>
    pnm(
      'P5',
      255,
      cells((column, row) => 60 + valueAt(column, row, 12) * 15),
    ),
  ...Object.fromEntries(
    [1, 3, 15, 127].map((most) => [
      `to${most}.pgm`,
      () =>
        pnm(
          'P5',
          255,
          cells((column, row) => valueAt(column, row, most)),
        ),
    ]),
  ),
};

/** Red, green, blue and alpha, which leaves some cells out. */
const withHoles = cells((column, row) => [
  ...colorOf(column, row),
  (column * 2 + row * 3) % 7 === 0 ? 0 : 255,
]).flat();
const ofEnvi = `ENVI
samples = ${columns}
lines = ${rows}
bands = 4
data type = 1
interleave = bip
`;

export function writeSources(folder: string): void {
  for (const [name, bytes] of Object.entries(sources)) writeFileSync(join(folder, name), bytes());
  writeFileSync(join(folder, 'rgba.raw'), Buffer.from(withHoles));
  writeFileSync(join(folder, 'rgba.hdr'), ofEnvi);
}

/** The usual place: EPSG:32637. */
export const usualPlace = placeOf('EPSG:32637', '410000 6174800 416400 6170000');

/** Arguments for a place by its projection and its corners. */
export function placeOf(srs: string, corners: string): string[] {
  return ['-a_srs', srs, '-a_ullr', ...corners.split(' ')];
}

/** Runs a program in a folder. Throws with what it says. */
export function run(folder: string, program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, GDAL_PAM_ENABLED: 'NO' },
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** A step that makes an image of a source by `gdal_translate`. */
export const translated =
  (source: string, args: string, place = usualPlace) =>
  (folder: string): string => {
    run(folder, 'gdal_translate', ['-q', '-of', 'GTiff', ...place, ...wordsOf(args), source, 'made.tif']);
    return 'made.tif';
  };

const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean);

/** The same by way of a description of the source in XML (VRT) that is changed. */
export const described =
  (source: string, change: (vrt: string) => string, args = '', place = usualPlace) =>
  (folder: string): string => {
    run(folder, 'gdal_translate', ['-q', '-of', 'VRT', ...place, source, 'source.vrt']);
    const path = join(folder, 'source.vrt');
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    return translated('source.vrt', args, [])(folder);
  };

/** A step behind another that runs a program on the image. */
export const completed =
  (make: ImageCase['make'], program: string, args: string) =>
  (folder: string): string => {
    const name = make(folder);
    run(folder, program, wordsOf(args));
    return name;
  };

/** A step behind another that changes its bytes. */
export const changed =
  (make: ImageCase['make'], change: (bytes: Buffer) => Buffer | undefined) =>
  (folder: string): string => {
    const name = make(folder);
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, name), change(bytes) ?? bytes);
    return name;
  };

/** An image of the colours, or of values, at the usual place. */
export const picture = (what: string, args: string, rest: Partial<ImageCase> = {}): ImageCase => ({
  what,
  make: translated('rgb.ppm', args),
  becomes: 'picture',
  ...rest,
});

export const values = (
  what: string,
  source: string,
  args: string,
  rest: Partial<ImageCase> = {},
): ImageCase => ({
  what,
  make: translated(source, args),
  becomes: 'values',
  ...rest,
});

/** A step behind another that writes texts beside the image, by the names of their files. */
export const withFiles =
  (make: ImageCase['make'], files: Record<string, string>): ImageCase['make'] =>
  (folder) => {
    const made = make(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return made;
  };
