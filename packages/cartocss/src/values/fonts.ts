/** The fonts that come with the renderer. */
export const defaultFonts: readonly string[] = [
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

/** The font of labels that name none. */
export const usualFont = 'DejaVu Sans Book';

/** The fonts of this process's renderers: theirs, until they have said which were added. */
let known = defaultFonts;

/** Said once, at the start: which fonts the renderers have. They are of the installation, as the renderer itself is. */
export function useFonts(fonts: readonly string[]): void {
  known = fonts;
}

export const knownFonts = (): readonly string[] => known;

const maxFallbacks = 16;
const bold = /\b(?:Semi ?|Demi ?|Extra ?|Ultra ?)?Bold\b|\bBlack\b/i;
const familyOf = (font: string): string =>
  font
    .replace(bold, '')
    .replace(/\b(?:Regular|Book)\b/, '')
    .trim();

/**
 * The fonts of a label and, behind them, those that have what they lack: the usual one, then all that were added to
 * the renderer's own, which is done for the sake of further scripts, each in the weight of the label where it has it.
 * Never empty when `fonts` is not.
 */
export function withFallbacks(faces: readonly string[], fonts: readonly string[]): string[] {
  const own = new Set(defaultFonts);
  const wanted = faces.length > 0 || fonts.includes(usualFont) ? faces : fonts.slice(0, 1);
  const isBold = bold.test(wanted[0] ?? '');
  const added = new Map<string, string>();
  for (const font of fonts.filter((name) => !own.has(name)))
    if (!added.has(familyOf(font)) || bold.test(font) === isBold) added.set(familyOf(font), font);
  const fallbacks = [...added.values()].slice(0, maxFallbacks);
  return [...new Set([...wanted, ...(fonts.includes(usualFont) ? [usualFont] : []), ...fallbacks])];
}
