import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Files of a font by weight; a missing weight uses another weight's file. */
export interface FontFiles {
  regular: string;
  semiBold: string;
  bold: string;
}

/**
 * The fonts of tiles and feature sheets, in the order in which text falls back: the font for most scripts, the fonts of
 * the folder by name ('': none), the fonts of the installed packages. The order decides which regional forms of Chinese
 * characters are drawn; without a folder, the simplified ones.
 */
export function findFonts(folder: string): FontFiles[] {
  const [first, ...others] = packages();
  return [...(first ? [first] : []), ...filesOf(folder), ...others];
}

/** Font files for the renderers, in the order of `findFonts`: the regular and the bold face of each. */
export const fontFaces = (folder: string): string[] =>
  findFonts(folder).flatMap(({ regular, bold }) => [...new Set([regular, bold])]);

const require = createRequire(import.meta.url);
const scope = '@expo-google-fonts';
const preferred = ['noto-sans', 'noto-sans-sc'];

/** The fonts among the installed packages that have a complete TrueType file for each weight. */
function packages(): FontFiles[] {
  const root = dirname(dirname(require.resolve(`${scope}/${preferred[0]}/package.json`)));
  const names = namesIn(root).sort();
  const noto = names.filter((name) => name.startsWith('noto-') && !preferred.includes(name));
  const rest = names.filter((name) => !name.startsWith('noto-'));
  return [...preferred, ...noto, ...rest].flatMap((name) => {
    const regular = faceIn(join(root, name, '400Regular'));
    if (!regular) return [];
    const faceOf = (weight: string): string => faceIn(join(root, name, weight)) ?? regular;
    return { regular, semiBold: faceOf('600SemiBold'), bold: faceOf('700Bold') };
  });
}

function faceIn(folder: string): string | undefined {
  const name = namesIn(folder).find((file) => file.endsWith('.ttf'));
  return name && join(folder, name);
}

/** The fonts of the operator's folder; none when the folder disappears while the service runs. */
const filesOf = (folder: string): FontFiles[] =>
  (folder ? namesIn(folder) : [])
    .filter((name) => /\.(ttf|otf|woff)$/i.test(name))
    .sort()
    .map((name) => join(folder, name))
    .map((file) => ({ regular: file, semiBold: file, bold: file }));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
