import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FontFiles, findFonts } from './files.js';
import { withoutOverlaps } from './overlaps.js';

/** `dist/fonts` of this package. */
const folder = fileURLToPath(new URL('../drawn', import.meta.url));

/** Version of the conversion; raise it when its result changes. */
const recipe = 1;

/** Font files for the renderers as they are installed, in the order of `findFonts`. */
export const installedFonts = (fontFolder: string): string[] => facesOf(findFonts(fontFolder));

/**
 * Font files for the renderers, in the order of `findFonts`. Fonts of packages come without overlap flags, as the build
 * made them (the fast path: FreeType draws them sooner); a font that the build has not made comes as it is installed.
 */
export const drawnFonts = (fontFolder: string): string[] => {
  const ofPackages = new Set(facesOf(findFonts('')));
  return facesOf(findFonts(fontFolder)).map((file) => {
    const made = ofPackages.has(file) ? madeOf(file) : file;
    return existsSync(made) ? made : file;
  });
};

/** Converts the packages' fonts that have no converted file, and removes other converted files. */
export async function makeDrawnFonts(): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = facesOf(findFonts(''));
  for (const file of files) {
    const made = madeOf(file);
    if (existsSync(made)) continue;
    // Written under a temporary name: another build may run, and this one may be killed.
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

/** Path of the converted font of a package's file. */
function madeOf(file: string): string {
  const { version } = JSON.parse(readFileSync(join(dirname(dirname(file)), 'package.json'), 'utf8'));
  return join(folder, `${version}-${recipe}-${basename(file)}`);
}
