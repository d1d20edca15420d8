import type { MarkerClaim } from '@cartulary/cartocss';
import { encodeGlyphs } from '../glyph-ranges/glyph-range.js';
import type { GlyphRange, LabelKind } from '../messages.js';
import { type AlongLabel, AlongSetter, middlesOf, shiftsOf } from './along/along-line.js';
import { LinePath } from './along/line-path.js';
import { drawTurned, isTurnedSeen } from './along/turned-label.js';
import { type Canvas, onCanvas, type RgbaPicture } from './blend.js';
import { MaskStore } from './glyph-masks.js';
import { GlyphPens } from './glyph-pens.js';
import { type Ink, inkOf } from './ink.js';
import type { LabelPoint } from './label-rows.js';
import { drawLevel, isLevelSeen, type LabelAttempt, levelPlace } from './level-label.js';
import { isFree, type LabelBox, type TakenPlaces, takePlace } from './places.js';
import { leastSizeOf } from './text/least-size.js';
import { Typesetter } from './text/typeset.js';

export type { RgbaPicture } from './blend.js';
export { noPlaces, type TakenPlaces } from './places.js';

/** A label to be placed, in pixels from the north-western corner of the picture (may lie outside), and the index of its kind. */
export interface Label {
  points: readonly LabelPoint[];
  /** Where its markers lie, if elsewhere. */
  claims?: readonly LabelPoint[];
  /** Lines as x, y, x, y, … of a label that lies along them. */
  lines?: readonly ArrayLike<number>[];
  text: string;
  kind: number;
}

/** Labels further from the corner of a picture are ignored, pixels. */
const farthest = 1_000_000;

/** What the labels of a picture share. */
interface Sheet {
  readonly canvas: Canvas;
  readonly taken: TakenPlaces;
  /** Pixels around the canvas in which labels compete. */
  readonly around: number;
}

/** Places labels and draws those that find room. */
export class LabelPainter {
  readonly #typesetter: Typesetter;
  readonly #masks = new MaskStore();
  readonly #pens = new GlyphPens(this.#masks);
  readonly #setter = new AlongSetter();

  /** `fileOf`: the file of a font by its name; undefined for an unknown font. */
  constructor(fileOf: (face: string) => string | undefined) {
    this.#typesetter = new Typesetter(fileOf);
  }

  /** Draws labels in their order; a label without room is left out. `around`: pixels around the picture in which labels compete. */
  paint(
    picture: RgbaPicture,
    labels: Iterable<Label>,
    kinds: readonly LabelKind[],
    { scale, taken, around = Infinity }: { scale: number; taken: TakenPlaces; around?: number },
  ): void {
    const parts = { typesetter: this.#typesetter, masks: this.#masks };
    const inks = kinds.map(({ look }) => look && inkOf(look, scale, parts));
    onCanvas(picture, (canvas) => {
      const sheet = { canvas, taken, around };
      for (const label of labels) {
        const { claim } = kinds[label.kind] ?? {};
        if (claim && !claim.isAfterLabel) claimPlaces(sheet, label, claim, scale);
        const ink = inks[label.kind];
        if (ink?.along) this.#paintAlong(sheet, label, ink);
        else if (ink) this.#paintLevel(sheet, label, ink);
        if (claim?.isAfterLabel) claimPlaces(sheet, label, claim, scale);
      }
    });
  }

  /** The encoded glyphs of a range. */
  glyphs(range: GlyphRange): Uint8Array {
    return encodeGlyphs(range, this.#typesetter.open);
  }

  /** Sets a label at each of its points, in the first place with room. */
  #paintLevel(sheet: Sheet, { points, text: stored }: Label, ink: Ink): void {
    const text = ink.lettersOf(stored);
    let waiting = points;
    for (const size of ink.sizes)
      for (const offset of ink.offsets) {
        waiting = waiting.filter((point) => !this.#paintAt(sheet, point, text, { ink, size, offset }));
        if (!waiting.length) return;
      }
  }

  /** Whether the label found room. */
  #paintAt({ canvas, taken }: Sheet, point: LabelPoint, text: string, attempt: LabelAttempt): boolean {
    const { ink, size } = attempt;
    // Most labels of a crowded picture are refused here, before their text is set, which takes longest.
    if (!ink.allowOverlap) {
      const least = leastSizeOf(text, ink.chain.first, size.setting);
      const { box } = levelPlace(point, least, attempt);
      if (!isNear(box) || !isFree(taken, box, ink.distances, text)) return false;
    }
    const set = this.#typesetter.setText(ink.chain, text, size.setting);
    if (!set) return false;
    const place = levelPlace(point, set, attempt);
    if (!isNear(place.box)) return false;
    if (!ink.allowOverlap && !isFree(taken, place.box, ink.distances, text)) return false;
    takePlace(taken, place.box, text);
    if (isLevelSeen(canvas, set, size, place)) drawLevel(canvas, set, attempt, place, this.#pens);
    return true;
  }

  /** Sets a label along each of its lines as often as its spacing says, near the middle of each part. */
  #paintAlong(sheet: Sheet, { lines = [], text: stored }: Label, ink: Ink): void {
    const text = ink.lettersOf(stored);
    const size = ink.sizes[0]!;
    const { size: pixels } = size.sheet;
    const { characterSpacing } = size.setting;
    const least = leastSizeOf(text, ink.chain.first, size.setting).width * pixels;
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
    const mayTake = (box: LabelBox): boolean =>
      isNear(box) && (ink.allowOverlap || isFree(taken, box, ink.distances, text));
    for (const shift of shiftsOf(label.along.tolerance, spacing)) {
      if (!this.#setter.set(path, at + shift, label, mayTake)) continue;
      const set = label.text;
      for (let i = 0; i < set.clusters.length; i++) takePlace(taken, this.#setter.boxes[i]!, text);
      if (isTurnedSeen(canvas, set, this.#setter, size))
        drawTurned(canvas, set, this.#setter, { ink, size, pens: this.#pens });
      return;
    }
  }
}

/** Takes the places of a marker around its points. */
function claimPlaces(
  { taken }: Sheet,
  { points, claims = points }: Label,
  { width, height }: MarkerClaim,
  scale: number,
): void {
  const [wide, tall] = [(width * scale) / 2, (height * scale) / 2];
  for (const [x, y] of claims) {
    const box = { left: x - wide, top: y - tall, right: x + wide, bottom: y + tall };
    if (isNear(box)) takePlace(taken, box);
  }
}

/** False for boxes with NaN sides. */
const isNear = ({ left, top, right, bottom }: LabelBox): boolean =>
  left > -farthest && top > -farthest && right < farthest && bottom < farthest;

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
