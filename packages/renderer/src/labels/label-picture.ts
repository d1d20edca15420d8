import { encodeGlyphs } from '../glyph-ranges/glyph-range.js';
import type { GlyphRange, LabelKind } from '../messages.js';
import type { Sprites } from '../small-features/cut-sprites.js';
import { type AlongLabel, AlongSetter, middlesOf, shiftsOf } from './along/along-line.js';
import { LinePath } from './along/line-path.js';
import { drawTurned, isTurnedSeen } from './along/turned-label.js';
import { type Canvas, onCanvas, type RgbaPicture } from './blend.js';
import { MaskStore } from './glyph-masks.js';
import { GlyphPens } from './glyph-pens.js';
import { type Ink, inkOf, type LabelAttempt } from './ink.js';
import type { LabelPoint } from './label-rows.js';
import { drawLevel, isLevelSeen, levelPlace, mayBeSeen } from './level-label.js';
import { claimedMarker, placeMarkers } from './marker.js';
import { isFree, isNear, type LabelBox, type TakenPlaces, takePlace } from './places.js';
import { Typesetter } from './text/typeset.js';

export type { RgbaPicture } from './blend.js';
export { noPlaces, type TakenPlaces } from './places.js';

/** A label to be placed, in pixels from the north-western corner of the picture (may lie outside), and the index of its kind. */
export interface Label {
  points: readonly LabelPoint[];
  /** Where its markers lie, if elsewhere. */
  claims?: readonly LabelPoint[] | undefined;
  /** Lines as x, y, x, y, … of a label that lies along them. */
  lines?: readonly ArrayLike<number>[] | undefined;
  readonly text: string;
  kind: number;
}

/** What the labels of a picture share. */
interface Sheet {
  readonly canvas: Canvas;
  readonly taken: TakenPlaces;
  /** Pixels around the canvas in which labels compete. */
  readonly around: number;
}

/** What the labels of a picture need besides their kinds. */
interface PaintOptions {
  scale: number;
  taken: TakenPlaces;
  /** Pixels around the picture in which labels compete. */
  around?: number;
  /** Of markers that are drawn where they find room, by the indices of their kinds. */
  sprites?: readonly (Sprites | undefined)[];
}

/** Places labels and markers, and draws those that find room. */
export class LabelPainter {
  readonly #typesetter: Typesetter;
  readonly #masks = new MaskStore();
  readonly #pens = new GlyphPens(this.#masks);
  readonly #setter = new AlongSetter();

  /** `fileOf`: the file of a font by its name; undefined for an unknown font. */
  constructor(fileOf: (face: string) => string | undefined) {
    this.#typesetter = new Typesetter(fileOf);
  }

  /** Draws labels and markers in their order; one without room is left out. */
  paint(
    picture: RgbaPicture,
    labels: Iterable<Label>,
    kinds: readonly LabelKind[],
    { scale, taken, around = Infinity, sprites = [] }: PaintOptions,
  ): void {
    const parts = { typesetter: this.#typesetter, masks: this.#masks };
    const inks = kinds.map(({ look }) => look && inkOf(look, scale, parts));
    const markers = kinds.map(({ claim }, i) => claim && claimedMarker(claim, scale, sprites[i]));
    onCanvas(picture, (canvas) => {
      const sheet = { canvas, taken, around };
      for (const label of labels) {
        const marker = markers[label.kind];
        const places = label.claims ?? label.points;
        if (marker && !marker.isAfterLabel) placeMarkers(sheet, places, marker);
        const ink = inks[label.kind];
        if (ink?.along) this.#paintAlong(sheet, label, ink);
        else if (ink) this.#paintLevel(sheet, label, ink);
        if (marker?.isAfterLabel) placeMarkers(sheet, places, marker);
      }
    });
  }

  /** The encoded glyphs of a range. */
  glyphs(range: GlyphRange): Uint8Array {
    return encodeGlyphs(range, this.#typesetter.open);
  }

  /** Sets a label at each of its points, in the first place with room. */
  #paintLevel(sheet: Sheet, label: Label, { attempts }: Ink): void {
    let waiting = label.points;
    for (const attempt of attempts) {
      const refused: LabelPoint[] = [];
      for (const point of waiting) if (!this.#paintAt(sheet, point, label, attempt)) refused.push(point);
      if (!refused.length) return;
      waiting = refused;
    }
  }

  /**
   * Whether the label found room. Most find none at their point, whatever their text is. A text is set only where its size is not known, or
   * when it is drawn: that takes longest.
   */
  #paintAt({ canvas, taken }: Sheet, point: LabelPoint, label: Label, attempt: LabelAttempt): boolean {
    const { ink, size } = attempt;
    if (!mayTake(taken, levelPlace(point, nothing, attempt).box, ink)) return false;
    const text = ink.lettersOf(label.text);
    const known = this.#typesetter.sizeOf(ink.chain, text, size.setting);
    const set = known ? undefined : this.#typesetter.setText(ink.chain, text, size.setting);
    const measured = known ?? set;
    if (!measured) return false;
    const place = levelPlace(point, measured, attempt);
    if (!mayTake(taken, place.box, ink, text)) return false;
    takePlace(taken, place.box, text);
    if (known && !mayBeSeen(canvas, known, size, place)) return true;
    const drawn = set ?? this.#typesetter.setText(ink.chain, text, size.setting);
    if (drawn && isLevelSeen(canvas, drawn, size, place))
      drawLevel(canvas, drawn, attempt, place, this.#pens);
    return true;
  }

  /** Sets a label along each of its lines as often as its spacing says, near the middle of each part. */
  #paintAlong(sheet: Sheet, { lines = [], text: stored }: Label, ink: Ink): void {
    const text = ink.lettersOf(stored);
    const size = ink.sizes[0]!;
    const { size: pixels } = size.sheet;
    const { characterSpacing } = size.setting;
    const least = (this.#typesetter.sizeOf(ink.chain, text, size.setting)?.width ?? 0) * pixels;
    for (const line of lines) {
      const path = new LinePath(line);
      if (path.length < least) continue;
      const set = this.#typesetter.setAlong(ink.chain, text, characterSpacing);
      if (!set) return;
      const label = {
        text: set,
        size: pixels,
        characterSpacing: characterSpacing * pixels,
        along: ink.along!,
      };
      for (const middle of middlesOf(path, label))
        if (competes(sheet, path, middle.at, label))
          this.#paintNear(sheet, path, middle, { label, ink, text });
    }
  }

  /** Sets a label along a line near a distance, where it finds room. */
  #paintNear(
    { canvas, taken }: Sheet,
    path: LinePath,
    { at, spacing }: { at: number; spacing: number },
    { label, ink, text }: { label: AlongLabel; ink: Ink; text: string },
  ): void {
    const size = ink.sizes[0]!;
    const mayLie = (box: LabelBox): boolean => mayTake(taken, box, ink, text);
    for (const shift of shiftsOf(label.along.tolerance, spacing)) {
      if (!this.#setter.set(path, at + shift, label, mayLie)) continue;
      const set = label.text;
      for (let i = 0; i < set.clusters.length; i++) takePlace(taken, this.#setter.boxes[i]!, text);
      if (isTurnedSeen(canvas, set, this.#setter, size))
        drawTurned(canvas, set, this.#setter, { ink, size, pens: this.#pens });
      return;
    }
  }
}

/** Whether a label may lie in a box; without its text, whether some label may. */
const mayTake = (
  taken: TakenPlaces,
  box: LabelBox,
  { allowOverlap, distances }: Pick<Ink, 'allowOverlap' | 'distances'>,
  text?: string,
): boolean => isNear(box) && (allowOverlap || isFree(taken, box, distances, text));

/** A size that every text exceeds. */
const nothing = { width: 0, height: 0 };

/** Whether a label with its middle near a distance on a line may lie where labels compete: a line may be long. */
function competes(
  { canvas, around }: Sheet,
  path: LinePath,
  at: number,
  { text, size, along }: AlongLabel,
): boolean {
  const [x, y] = path.pointAt(at);
  const reach = around + text.width * size + along.tolerance;
  return x > -reach && y > -reach && x < canvas.width + reach && y < canvas.height + reach;
}
