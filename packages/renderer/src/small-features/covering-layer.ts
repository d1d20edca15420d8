import type { Sprites } from './cut-sprites.js';
import { over, type Pixels, signed } from './pixels.js';

/** Side of the cells whose opaque pixels are counted, in bits: 8 pixels. */
const cellBits = 3;
const fullCell = 1 << (2 * cellBits);

/**
 * Sprites that are drawn from the last, which lies above, to the first, each below those that are there: what lies below opaque
 * pixels is not drawn. In the end all lie over a picture.
 */
export class CoveringLayer {
  readonly #picture: Pixels;
  /** As the words of the picture. */
  readonly #words: Int32Array;
  readonly #cellsPerRow: number;
  /** Number of the opaque pixels of each cell. */
  readonly #opaque: Uint8Array;

  constructor(picture: Pixels) {
    const { width, height } = picture;
    this.#picture = picture;
    this.#words = new Int32Array(width * height);
    this.#cellsPerRow = (width >> cellBits) + 1;
    this.#opaque = new Uint8Array(this.#cellsPerRow * ((height >> cellBits) + 1));
  }

  /** Draws a sprite below all that have been drawn; the parts outside of the picture are clipped. */
  drawSprite({ frames, starts, pixels }: Sprites, number: number, x: number, y: number): void {
    const { width, height } = this.#picture;
    const words = this.#words;
    const left = x + frames[4 * number]!;
    const top = y + frames[4 * number + 1]!;
    const wide = frames[4 * number + 2]!;
    const from = Math.max(0, -left);
    const to = Math.min(wide, width - left);
    const first = Math.max(0, -top);
    const last = Math.min(frames[4 * number + 3]!, height - top);
    if (from >= to || first >= last) return;
    if (this.#isHidden(left + from, top + first, left + to - 1, top + last - 1)) return;
    for (let row = first; row < last; row++) {
      const source = starts[number]! + row * wide;
      const target = (top + row) * width + left;
      for (let column = from; column < to; column++) {
        const above = words[target + column]!;
        if (above >>> 24 === 255) continue;
        const below = pixels[source + column]!;
        const both = above ? over(above, below) : below;
        words[target + column] = both;
        if (both >>> 24 === 255) this.#countOpaque(left + column, top + row);
      }
    }
  }

  /** Draws the layer over the picture. */
  compose(): void {
    const above = this.#words;
    const below = signed(this.#picture.words);
    for (let i = 0; i < above.length; i++) {
      const word = above[i]!;
      if (word) below[i] = over(word, below[i]!);
    }
  }

  #countOpaque(x: number, y: number): void {
    const cell = (y >> cellBits) * this.#cellsPerRow + (x >> cellBits);
    this.#opaque[cell] = this.#opaque[cell]! + 1;
  }

  /** Whether a box of pixels lies in cells without transparent pixels. */
  #isHidden(left: number, top: number, right: number, bottom: number): boolean {
    for (let row = top >> cellBits; row <= bottom >> cellBits; row++)
      for (let column = left >> cellBits; column <= right >> cellBits; column++)
        if (this.#opaque[row * this.#cellsPerRow + column] !== fullCell) return false;
    return true;
  }
}
