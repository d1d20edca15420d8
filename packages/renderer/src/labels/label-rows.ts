/** Between labels, and between the parts of one: control characters, which are left out of texts. */
export const [between, within] = ['\u001e', '\u001f'] as const;

/** Before the TWKB of a shape, in base64: a polygon in whose interior a label lies, or lines along which it lies. */
export const shapeMark = '@';

/** Positions per pixel in places of the form `x y`: pixels of the picture's scale from the north-west of the world. */
export const positionsPerPixel = 64;

/** Longitude and latitude, or the offset from the corner of a picture in pixels. */
export type LabelPoint = readonly [x: number, y: number];

/** A point within WKT. */
const point = /(-?[\d.]+(?:e[+-]?\d+)?) (-?[\d.]+(?:e[+-]?\d+)?)/gi;

/**
 * Reads the labels of a text one after the other. Each has its places (a position, WKT in degrees for `pointsOf`, or a TWKB after
 * `shapeMark`), the index of its kind, its text from `textStart` to `textEnd`, where its markers lie if elsewhere, and in chunks its place in
 * the order of labels.
 */
export class LabelRows {
  readonly all: string;
  #at = 0;
  places = '';
  /** Whether it has a position in place of `places`. */
  hasPosition = false;
  x = 0;
  y = 0;
  kind = 0;
  textStart = 0;
  textEnd = 0;
  claims = '';
  order = 0;

  constructor(all: string) {
    this.all = all;
  }

  /** Reads the next label at a wanted position, and passes over those before it; false after the last. */
  next(isWanted: (x: number, y: number) => boolean = always): boolean {
    while (this.#readPlaces()) {
      if (isWanted(this.x, this.y)) {
        this.#readRest();
        return true;
      }
      const end = this.all.indexOf(between, this.#at);
      this.#at = end < 0 ? this.all.length : end + 1;
    }
    return false;
  }

  get text(): string {
    return this.all.slice(this.textStart, this.textEnd);
  }

  #readPlaces(): boolean {
    const { all } = this;
    if (this.#at >= all.length) return false;
    const first = all.charCodeAt(this.#at);
    this.hasPosition = first === minus || (first >= zero && first <= zero + 9);
    this.places = this.hasPosition ? '' : this.#part();
    this.x = this.hasPosition ? this.#integer() : Number.NaN;
    this.y = this.hasPosition ? this.#integer() : Number.NaN;
    return true;
  }

  #readRest(): void {
    this.kind = this.#integer();
    this.textStart = this.#at;
    this.#passPart();
    this.textEnd = this.#at - 1;
    this.claims = this.#isWithin() ? this.#part() : '';
    this.order = this.#isWithin() ? this.#integer() : 0;
  }

  /** Whether the label has a further part. */
  #isWithin(): boolean {
    return this.all.charCodeAt(this.#at - 1) === within.charCodeAt(0);
  }

  #part(): string {
    const from = this.#at;
    this.#passPart();
    return this.all.slice(from, this.#at - 1);
  }

  #passPart(): void {
    const { all } = this;
    let to = this.#at;
    while (to < all.length && !isMark(all.charCodeAt(to))) to++;
    this.#at = to + 1;
  }

  /** A number, and one character after it. */
  #integer(): number {
    const { all } = this;
    let at = this.#at;
    const isNegative = all.charCodeAt(at) === minus;
    if (isNegative) at++;
    let value = 0;
    for (let digit = all.charCodeAt(at) - zero; digit >= 0 && digit <= 9; ) {
      value = value * 10 + digit;
      digit = all.charCodeAt(++at) - zero;
    }
    this.#at = at + 1;
    return isNegative ? -value : value;
  }
}

const always = (): boolean => true;

const [zero, minus] = [0x30, 0x2d] as const;
const isMark = (code: number): boolean => code === 0x1e || code === 0x1f;

/** The points of places in degrees. `interiorOf`: a point in the polygon of a TWKB. */
export function pointsOf(places: string, interiorOf: (twkb: string) => LabelPoint | undefined): LabelPoint[] {
  if (places.startsWith(onePoint)) {
    const space = places.indexOf(' ', onePoint.length);
    return [[Number(places.slice(onePoint.length, space)), Number(places.slice(space, -1))]];
  }
  if (places.startsWith(shapeMark)) {
    const interior = interiorOf(places.slice(shapeMark.length));
    return interior ? [interior] : [];
  }
  return Array.from(places.matchAll(point), ([, x, y]): LabelPoint => [Number(x), Number(y)]);
}

/** Start of the WKT of one point, as PostGIS writes it: a pattern takes several times as long. */
const onePoint = 'POINT(';
