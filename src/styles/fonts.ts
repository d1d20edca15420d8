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

const maxFallbacks = 16;

/**
 * The fonts of a label and, behind them, those that have what they lack: the usual one, then all that were added to
 * the renderer's own, which is done for the sake of further scripts. Never empty when `fonts` is not.
 */
export function withFallbacks(faces: readonly string[], fonts: readonly string[]): string[] {
  const own = new Set(defaultFonts);
  const added = fonts.filter((font) => !own.has(font)).slice(0, maxFallbacks);
  const wanted = faces.length > 0 || fonts.includes(usualFont) ? faces : fonts.slice(0, 1);
  return [...new Set([...wanted, ...(fonts.includes(usualFont) ? [usualFont] : []), ...added])];
}
