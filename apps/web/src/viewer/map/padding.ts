import { isEmbedded } from '../addressState.js';

/** Widths at the edges of the map that panels cover, CSS pixels. */
export interface Padding {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Whether the page uses the phone layout. The style sheets use the same width. */
export const isNarrow = (): boolean => matchMedia('(max-width: 48em)').matches;

/** The part of the map that panels cover, with a margin. `withObject`: the object panel is open. */
export function currentPadding(withObject: boolean): Padding {
  if (isEmbedded()) return { left: 24, top: 64, right: 72, bottom: 48 };
  if (isNarrow()) {
    return { left: 24, top: 71, right: 24, bottom: withObject ? window.innerHeight * 0.58 + 24 : 72 };
  }
  return { left: 384, top: 24, right: withObject ? 396 : 72, bottom: 48 };
}
