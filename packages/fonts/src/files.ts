import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The files of a font, by weight; the same one where a weight is missing. */
export interface FontFiles {
  regular: string;
  semiBold: string;
  bold: string;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is a file, not a folder',
  EACCES: 'it may not be read',
};

/** Throws a sentence for the person who starts the service when the folder of further fonts cannot be read; '' is none. */
export function checkFontFolder(folder: string): void {
  try {
    if (folder) readdirSync(folder);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(`CARTULARY_FONTS=${folder}: ${reasons[code] ?? message}`);
  }
}

/**
 * The fonts of tiles and cards, the most wanted first: the one for most scripts, then those of the folder by name ('': none),
 * then those of the packages that are installed. The order decides which forms of Chinese characters are drawn where
 * fonts of several languages have them: without a folder the simplified ones.
 */
export function findFonts(folder: string): FontFiles[] {
  const [first, ...others] = packages();
  return [...(first ? [first] : []), ...filesOf(folder), ...others];
}

const require = createRequire(import.meta.url);
const scope = '@expo-google-fonts';
const preferred = ['noto-sans', 'noto-sans-sc'];

/** The fonts among the packages beside our own, which hold a whole TrueType file for each weight. */
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

/** The fonts of the operator's folder; none of a folder that went away while the service runs. */
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
