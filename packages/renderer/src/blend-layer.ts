import type { LayerCompositing } from '@cartulary/cartocss';
import { blendCanvas } from './labels/blend.js';
import type { Sheet } from './sheet-pool.js';
import { blendRows } from './small-features/blend-modes.js';

/** Lays a layer over the sheet below it, of the same size. What remains on the layer's own sheet is not defined. */
export function blendLayer(below: Sheet, above: Sheet, { opacity, blending }: LayerCompositing): void {
  if (blending === 'src-over') {
    blendCanvas(below, above, opacity);
    return;
  }
  above.image.premultiplySync();
  below.image.premultiplySync();
  if (opacity < 1) fade(above.words, Math.round(255 * opacity));
  blendRows[blending](below.words, 0, above.words, 0, above.words.length);
  below.image.demultiplySync();
  // Reused sheets are not premultiplied.
  above.image.demultiplySync();
}

/** Multiplies premultiplied pixels by a share of 255, two channels at a time, rounded as Mapnik does. */
function fade(words: Int32Array, share: number): void {
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    if (!word) continue;
    const even = Math.imul(word & 0xff00ff, share) + 0xff00ff;
    const odd = Math.imul((word >>> 8) & 0xff00ff, share) + 0xff00ff;
    words[i] = ((even >>> 8) & 0xff00ff) | (odd & 0xff00ff00);
  }
}
