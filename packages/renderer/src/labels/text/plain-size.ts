import type { Reach } from './reach.js';

/** Size of a text in em, as setting it gives. */
export interface PlainSize {
  readonly width: number;
  readonly height: number;
  /** How far its ink may reach beyond its box, on each side. */
  readonly overhang: number;
}

/** What a font tells of letters. Lengths are in units of the font. */
export interface PlainFont {
  readonly em: number;
  /** A letter alone; undefined when the font has none. Bounds in em. */
  letter(character: string): { glyph: number; advance: number; reach: Reach } | undefined;
  /** Shapes a text in one direction; `script`: one that the text alone does not tell. */
  shape(text: string, script: string | undefined): readonly { glyph: number; advance: number }[];
}

/** Letters, digits and signs below U+0530, then dashes, quotation marks and dots from U+2010 on. Other characters may be joined or reordered. */
const [letterCount, signCount, firstSign] = [0x530, 0x18, 0x2010] as const;
const count = letterCount + signCount;

/** The number of a character among those that are measured; -1 for others. */
function numberOf(code: number): number {
  if (code < letterCount) return code;
  return code >= firstSign && code < firstSign + signCount ? code - firstSign + letterCount : -1;
}

const characterOf = (number: number): string =>
  String.fromCharCode(number < letterCount ? number : number - letterCount + firstSign);

/** Scripts whose letters stand beside each other. Signs and digits have the script of the text. */
const scripts = [
  ['Latn', /\p{Script=Latin}/u],
  ['Grek', /\p{Script=Greek}/u],
  ['Cyrl', /\p{Script=Cyrillic}/u],
] as const;

/** In place of a script: of signs and digits, and of characters that are not measured. */
const [common, none] = [-1, -2] as const;

const scriptNumbers = Int8Array.from({ length: count }, (_, number) => {
  const character = characterOf(number);
  // Control characters, the soft hyphen, marks, and what is replaced before a text is set.
  if (/[\p{C}\p{M}]/u.test(character) || character.normalize('NFC') !== character) return none;
  const script = scripts.findIndex(([, pattern]) => pattern.test(character));
  return script >= 0 ? script : /\p{Script=Common}/u.test(character) ? common : none;
});

/** The script of the first letter of a text; `common` where it has none, `none` where that is not measured. */
function scriptOf(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const number = numberOf(text.charCodeAt(i));
    const script = number < 0 ? none : scriptNumbers[number]!;
    if (script !== common) return script;
  }
  return common;
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0xa0;

/** Before a character is read. */
const unknown = 2;

/** Kerning that is not read yet, and that of letters which are joined or replaced. */
const [unread, special] = [-0x8000, 0x7fff] as const;

/**
 * Sizes of texts of one line of Latin, Greek or Cyrillic letters, digits and signs without shaping them, which takes long: the sum of the
 * advances, and of the kerning of each pair, which is shaped once.
 */
export class PlainSizes {
  readonly #font: PlainFont;
  /** Whether a character is plain, 0 or 1; `unknown` before it is read. */
  readonly #plain = new Uint8Array(count).fill(unknown);
  readonly #advances = new Int32Array(count);
  readonly #heights = new Float64Array(count);
  readonly #overhangs = new Float64Array(count);
  /** By script and first letter. */
  readonly #kerns: (Int16Array | undefined)[][] = [common, ...scripts.keys()].map(() => []);

  constructor(font: PlainFont) {
    this.#font = font;
  }

  /** undefined for other texts, for texts of several scripts, and for those with letters that are joined or replaced. */
  sizeOf(text: string): PlainSize | undefined {
    const { length } = text;
    if (!length || isBlank(text.charCodeAt(0)) || isBlank(text.charCodeAt(length - 1))) return undefined;
    const script = scriptOf(text);
    if (script === none) return undefined;
    const [advances, heights, overhangs] = [this.#advances, this.#heights, this.#overhangs];
    const kerns = this.#kerns[1 + script]!;
    let [width, height, overhang, before] = [0, 0, 0, -1];
    for (let i = 0; i < length; i++) {
      const number = numberOf(text.charCodeAt(i));
      if (number < 0 || !this.#isPlain(number)) return undefined;
      const own = scriptNumbers[number]!;
      if (own !== common && own !== script) return undefined;
      if (before >= 0) {
        const known = kerns[before]?.[number] ?? unread;
        const kern = known === unread ? this.#kern(before, number, script) : known;
        if (kern === special) return undefined;
        width += kern;
      }
      width += advances[number]!;
      if (heights[number]! > height) height = heights[number]!;
      if (overhangs[number]! > overhang) overhang = overhangs[number]!;
      before = number;
    }
    return { width: width / this.#font.em, height, overhang };
  }

  #isPlain(number: number): boolean {
    const known = this.#plain[number]!;
    if (known !== unknown) return known === 1;
    const isPlain = this.#read(number);
    this.#plain[number] = isPlain ? 1 : 0;
    return isPlain;
  }

  #read(number: number): boolean {
    if (scriptNumbers[number] === none) return false;
    const { letter, shape, em } = this.#font;
    const found = letter(characterOf(number));
    if (!found) return false;
    const { left, right, top, bottom } = found.reach;
    this.#advances[number] = found.advance;
    this.#heights[number] = Math.max(0, bottom - top);
    this.#overhangs[number] = Math.max(0, -left, right - found.advance / em, bottom, -top);
    const [alone, ...others] = shape(characterOf(number), undefined);
    return alone?.glyph === found.glyph && alone.advance === found.advance && !others.length;
  }

  #kern(first: number, second: number, script: number): number {
    const rows = this.#kerns[1 + script]!;
    const row = rows[first] ?? new Int16Array(count).fill(unread);
    rows[first] = row;
    if (row[second] === unread) row[second] = this.#readKern(first, second, scripts[script]?.[0]);
    return row[second]!;
  }

  #readKern(first: number, second: number, script: string | undefined): number {
    const { letter, shape } = this.#font;
    const pair = [first, second].map(characterOf);
    const shaped = shape(pair.join(''), script);
    const isJoined = shaped.length !== 2 || pair.some((one, i) => letter(one)?.glyph !== shaped[i]!.glyph);
    if (isJoined) return special;
    const kern = shaped[0]!.advance + shaped[1]!.advance - this.#advances[first]! - this.#advances[second]!;
    return Math.abs(kern) < special ? kern : special;
  }
}
