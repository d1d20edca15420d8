import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FontFiles, findFonts } from './files.js';
import { withoutOverlaps } from './overlaps.js';

/** `dist/fonts` of this package. */
const folder = fileURLToPath(new URL('../../fonts', import.meta.url));

/** Raised when what is made changes while the packages do not. */
const recipe = 1;

/**
 * The files of fonts for the renderers, in the order of `findFonts`: those of packages as the build has made them, which
 * are drawn sooner, and as they came where it has not.
 */
export const drawnFonts = (fontFolder: string): string[] => {
  const ofPackages = new Set(facesOf(findFonts('')));
  return facesOf(findFonts(fontFolder)).map((file) => {
    const made = ofPackages.has(file) ? madeOf(file) : file;
    return existsSync(made) ? made : file;
  });
};

/** Makes what is lacking of the packages' fonts, and removes what was made of others. */
export async function makeDrawnFonts(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = facesOf(findFonts(''));
  for (const file of files) {
    const made = madeOf(file);
    if (existsSync(made)) continue;
    // In a name of our own first: another build may be under way, and this one may be ended.
    const temporary = `${made}.${process.pid}`;
    await writeFile(temporary, withoutOverlaps(await readFile(file)));
    await rename(temporary, made);
  }
  const wanted = new Set(files.map((file) => basename(madeOf(file))));
  const others = (await readdir(folder)).filter((name) => name.endsWith('.ttf') && !wanted.has(name));
  await Promise.all(others.map((name) => rm(join(folder, name), { force: true })));
}

const facesOf = (fonts: readonly FontFiles[]): string[] =>
  fonts.flatMap(({ regular, bold }) => [...new Set([regular, bold])]);

/** Where that which is made of a package's file lies. */
function madeOf(file: string): string {
  const { version } = JSON.parse(readFileSync(join(dirname(dirname(file)), 'package.json'), 'utf8'));
  return join(folder, `${version}-${recipe}-${basename(file)}`);
}
