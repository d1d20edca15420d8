import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { serviceOf } from '../service.js';
import { folderOf, type Stage } from '../stage.js';

/** Stands for the folder of the icons in the text of a look. */
export const iconFolder = '{icons}';

/** Side of icons and patterns, pixels. */
export const iconSide = 18;

const badge = (color: string, shape: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${iconSide}" height="${iconSide}" viewBox="0 0 18 18"><circle cx="9" cy="9" r="8.5" fill="${color}"/><path d="${shape}" fill="#ffffff"/></svg>`;

/** Icons for categories 1, 2, 3 …: a white shape on a coloured disc. */
export const icons = {
  shop: badge('#c2255c', 'M5 7h8l-1 6H6zM7 7V5h4v2h-1V6H8v1z'),
  food: badge('#e8590c', 'M6 4h1v4h1V4h1v5H8v5H7V9H6zM11 4h2v6h-1v4h-1z'),
  school: badge('#1971c2', 'M9 4l6 3-6 3-6-3zM6 10l3 1.5L12 10v2l-3 1.5L6 12z'),
  health: badge('#c92a2a', 'M7.5 4h3v3.5H14v3h-3.5V14h-3v-3.5H4v-3h3.5z'),
} as const;

const pattern = (side: number, inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}">${inside}</svg>`;

/** Side of the patterns, pixels. */
export const patternSide = 16;

/** Pictures that fill areas 1, 2, 3 … */
export const patterns = {
  dots: pattern(
    patternSide,
    '<circle cx="4" cy="4" r="2" fill="#2b8a3e"/><circle cx="12" cy="12" r="2" fill="#2b8a3e"/>',
  ),
  waves: pattern(
    patternSide,
    '<path d="M0 4Q4 0 8 4T16 4V6Q12 10 8 6T0 6ZM0 12Q4 8 8 12T16 12V14Q12 18 8 14T0 14Z" fill="#1971c2"/>',
  ),
  stripes: pattern(patternSide, '<path d="M0 12L12 0H16V0L0 16ZM12 16L16 12V16Z" fill="#a0603a"/>'),
  crosses: pattern(patternSide, '<path d="M7 3h2v4h4v2H9v4H7V9H3V7h4z" fill="#7a4a9a"/>'),
} as const;

/** Uploads all icons and patterns, and writes them as files for the peers. Returns the folder. */
export const makeIcons = (stage: Stage): Promise<string> =>
  stage.once('icons', async () => {
    const folder = await folderOf(stage, 'icons');
    const service = await serviceOf(stage);
    for (const [name, svg] of Object.entries(icons)) await writeFile(join(folder, `${name}.svg`), svg);
    for (const [name, svg] of Object.entries(patterns))
      await sharp(Buffer.from(svg))
        .png()
        .toFile(join(folder, `${name}.png`));
    const files = [
      ...Object.keys(icons).map((name) => `${name}.svg`),
      ...Object.keys(patterns).map((name) => `${name}.png`),
    ];
    for (const file of files) {
      const form = new FormData();
      // Names of its own: the project has icons with simple names.
      form.append('file', new Blob([await readFile(join(folder, file))]), `bench_${file}`);
      await service.admin('POST', '/icons/', form);
    }
    return folder;
  });

/** SYMBOLs of a MAP file: a disc, and all icons and patterns by their names. */
export const mapSymbols = (folder: string): string =>
  [
    'SYMBOL NAME "circle" TYPE ELLIPSE FILLED TRUE POINTS 1 1 END END',
    ...Object.keys(icons).map((name) => `SYMBOL NAME "${name}" TYPE SVG IMAGE "${folder}/${name}.svg" END`),
    ...Object.keys(patterns).map(
      (name) => `SYMBOL NAME "${name}" TYPE PIXMAP IMAGE "${folder}/${name}.png" END`,
    ),
  ].join('\n  ');
