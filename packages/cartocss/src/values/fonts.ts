/** The fonts included in the renderer. */
const defaultFonts: readonly string[] = [
  'DejaVu Math TeX Gyre Regular',
  'DejaVu Sans Bold',
  'DejaVu Sans Bold Oblique',
  'DejaVu Sans Book',
  'DejaVu Sans Condensed',
  'DejaVu Sans Condensed Bold',
  'DejaVu Sans Condensed Bold Oblique',
  'DejaVu Sans Condensed Oblique',
  'DejaVu Sans ExtraLight',
  'DejaVu Sans Mono Bold',
  'DejaVu Sans Mono Bold Oblique',
  'DejaVu Sans Mono Book',
  'DejaVu Sans Mono Oblique',
  'DejaVu Sans Oblique',
  'DejaVu Serif Bold',
  'DejaVu Serif Bold Italic',
  'DejaVu Serif Book',
  'DejaVu Serif Condensed',
  'DejaVu Serif Condensed Bold',
  'DejaVu Serif Condensed Bold Italic',
  'DejaVu Serif Condensed Italic',
  'DejaVu Serif Italic',
];

/** The default font of labels. */
export const defaultFont = 'DejaVu Sans Book';

/** The fonts of this process's renderers: the included fonts until `useFonts` adds more. */
let known = defaultFonts;

/** Sets the fonts of the renderers, when the first of them has started. They belong to the installation, like the renderer. */
export function useFonts(fonts: readonly string[]): void {
  known = fonts;
}

/** Names of the fonts that the renderers of this process have. */
export const knownFonts = (): readonly string[] => known;

const maxFallbacks = 16;
const bold = /\b(?:Semi ?|Demi ?|Extra ?|Ultra ?)?Bold\b|\bBlack\b/i;
const familyOf = (font: string): string =>
  font
    .replace(bold, '')
    .replace(/\b(?:Regular|Book)\b/, '')
    .trim();

/**
 * The fonts of a label followed by fallbacks for missing glyphs: the default font, then fonts that the installation adds for
 * further scripts, in the weight of the label if available. Not empty unless `fonts` is empty.
 */
export function withFallbacks(faces: readonly string[], fonts: readonly string[]): string[] {
  const own = new Set(defaultFonts);
  const wanted = faces.length > 0 || fonts.includes(defaultFont) ? faces : fonts.slice(0, 1);
  const isBold = bold.test(wanted[0] ?? '');
  const added = new Map<string, string>();
  for (const font of fonts.filter((name) => !own.has(name)))
    if (!added.has(familyOf(font)) || bold.test(font) === isBold) added.set(familyOf(font), font);
  const fallbacks = [...added.values()].slice(0, maxFallbacks);
  return [...new Set([...wanted, ...(fonts.includes(defaultFont) ? [defaultFont] : []), ...fallbacks])];
}
