import type { AlongLook } from '@cartulary/cartocss';
import type { LabelBox } from '../places.js';
import type { AlongText, TextCluster } from '../text/along-text.js';
import type { LinePath } from './line-path.js';

/** A text that is to be set along a line. Lengths in pixels. */
export interface AlongLabel {
  readonly text: AlongText;
  /** Pixels per em. */
  readonly size: number;
  readonly characterSpacing: number;
  readonly along: AlongLook;
}

/** The distances at which labels shall lie on a line, as Mapnik chooses them: as many as have room with the spacing, at equal distances. */
export function* middlesOf(
  path: LinePath,
  { text, size, along }: AlongLabel,
): Generator<{ at: number; spacing: number }> {
  const { minLength, spacing: wanted } = along;
  const width = text.width * size;
  if (path.length < minLength || path.length <= 0.001 || path.length < width) return;
  const count = wanted > 0 ? Math.max(1, Math.floor(path.length / (wanted + width))) : 1;
  const spacing = path.length / count;
  for (let i = 0; i < count; i++) yield { at: (i + 0.5) * spacing, spacing };
}

/** Most places that are tried for a label. */
const mostTries = 255;

/** How far from its middle a label is tried, ahead and behind, as Mapnik does it: first in small steps. `tolerance` 0: half of the spacing. */
export function* shiftsOf(tolerance: number, spacing: number): Generator<number> {
  const most = tolerance > 0 ? tolerance : spacing / 2;
  yield 0;
  yield -1;
  yield 1;
  for (let step = 1, tries = 3; tries < mostTries; step++, tries += 2) {
    const shift = (1.3 ** step * step) / (4 * most) + step;
    if (shift > most) return;
    yield -shift;
    yield shift;
  }
}

/** Sets texts along lines, and keeps the places of the last one. Most places that are tried are refused, so it makes no objects. */
export class AlongSetter {
  /** Pens of the clusters, and their directions (radians clockwise from the right). */
  readonly xs: number[] = [];
  readonly ys: number[] = [];
  readonly angles: number[] = [];
  /** Around the clusters. */
  readonly boxes: MutableBox[] = [];

  /**
   * Sets a text with its middle at a distance on a line, so that most of it can be read upright. false: the line is too short
   * or too bent, or `isFree` refuses the box of a cluster.
   */
  set(path: LinePath, at: number, label: AlongLabel, isFree: (box: LabelBox) => boolean): boolean {
    if (!path.has(at)) return false;
    const isBackwards = Math.abs(normalized(path.angleAt(at, 0))) > Math.PI / 2;
    const upsideDown = this.#setInDirection(path, at, label, { isBackwards, isFree });
    if (upsideDown === undefined) return false;
    if (upsideDown <= Math.floor(label.text.characters / 2)) return true;
    return this.#setInDirection(path, at, label, { isBackwards: !isBackwards, isFree }) !== undefined;
  }

  /** The number of glyphs that are upside down; undefined: no place. */
  #setInDirection(
    path: LinePath,
    middle: number,
    { text, size, characterSpacing, along }: AlongLabel,
    { isBackwards, isFree }: { isBackwards: boolean; isFree(box: LabelBox): boolean },
  ): number | undefined {
    const sign = isBackwards ? -1 : 1;
    const half = (text.height * size) / 2;
    let at: number | undefined = middle - (sign * text.width * size) / 2;
    // The last cluster begins on the line, too.
    const last = middle + sign * ((text.width * size) / 2 - (text.clusters.at(-1)?.width ?? 0) * size);
    if (!path.has(at) || !path.has(last)) return undefined;
    let upsideDown = 0;
    let before = Number.NaN;
    for (let i = 0; i < text.clusters.length; i++) {
      const cluster = text.clusters[i]!;
      const width = cluster.width * size;
      const angle = normalized(path.angleAt(at, sign * width));
      if (along.maxTurn > 0 && Math.abs(normalized(angle - before)) > along.maxTurn) return undefined;
      before = angle;
      if (Math.abs(angle) > Math.PI / 2) upsideDown += cluster.glyphs.length;
      // The middle of the letters lies on the line.
      const [x, y] = path.pointAt(at);
      const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
      this.xs[i] = x - half * sin;
      this.ys[i] = y + half * cos;
      this.angles[i] = angle;
      if (!isFree(this.#boxOf(i, cluster, size, { sin, cos }))) return undefined;
      at = i + 1 < text.clusters.length ? path.away(at, sign * (width + characterSpacing)) : at;
      if (at === undefined) return undefined;
    }
    return upsideDown;
  }

  /** The box around a turned cluster. */
  #boxOf(
    i: number,
    cluster: TextCluster,
    size: number,
    { sin, cos }: { sin: number; cos: number },
  ): LabelBox {
    this.boxes[i] ??= { left: 0, top: 0, right: 0, bottom: 0 };
    const box = this.boxes[i];
    const [wide, up, down] = [cluster.width * size, cluster.top * size, cluster.bottom * size];
    const [x, y] = [this.xs[i]!, this.ys[i]!];
    box.left = x + Math.min(0, wide * cos) - Math.max(up * sin, down * sin);
    box.right = x + Math.max(0, wide * cos) - Math.min(up * sin, down * sin);
    box.top = y + Math.min(0, wide * sin) + Math.min(up * cos, down * cos);
    box.bottom = y + Math.max(0, wide * sin) + Math.max(up * cos, down * cos);
    return box;
  }
}

type MutableBox = { -readonly [Side in keyof LabelBox]: LabelBox[Side] };

/** An angle from -π to π. */
const normalized = (angle: number): number => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
