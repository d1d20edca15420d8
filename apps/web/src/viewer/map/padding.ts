import type { Padding } from './mapView.js';

/** Whether the page is laid out as for a phone; the same width as in the style sheets. */
export const isNarrow = (): boolean => matchMedia('(max-width: 48em)').matches;

/** What the panels cover of the map, with a margin. `withObject`: the panel of an object is open. */
export function paddingNow(withObject: boolean): Padding {
  if (isNarrow()) {
    return { left: 24, top: 124, right: 24, bottom: withObject ? window.innerHeight * 0.58 + 24 : 48 };
  }
  return { left: 384, top: 24, right: withObject ? 396 : 72, bottom: 48 };
}
