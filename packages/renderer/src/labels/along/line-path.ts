import type { LabelPoint } from '../label-rows.js';

/** A line in pixels, along which positions are distances from its beginning. */
export class LinePath {
  /** x, y, x, y, … without equal neighbours. */
  readonly #positions: readonly number[];
  /** Distance of each position from the beginning. */
  readonly #distances: readonly number[];
  readonly length: number;
  readonly #angles: (number | undefined)[] = [];
  #cursor = 0;

  constructor(positions: ArrayLike<number>) {
    const kept: number[] = [];
    const distances: number[] = [];
    let length = 0;
    for (let i = 0; i + 1 < positions.length; i += 2) {
      const [x, y] = [positions[i]!, positions[i + 1]!];
      if (kept.length) {
        const step = Math.hypot(x - kept.at(-2)!, y - kept.at(-1)!);
        if (step === 0) continue;
        length += step;
      }
      kept.push(x, y);
      distances.push(length);
    }
    this.#positions = kept;
    this.#distances = distances;
    this.length = length;
  }

  /** Whether a distance lies on the line; its end does not. */
  has(at: number): boolean {
    return at >= 0 && at < this.length;
  }

  pointAt(at: number): LabelPoint {
    const i = this.#segmentAt(at);
    const p = this.#positions;
    const share = (at - this.#distances[i]!) / (this.#distances[i + 1]! - this.#distances[i]!);
    return [
      p[2 * i]! + share * (p[2 * i + 2]! - p[2 * i]!),
      p[2 * i + 1]! + share * (p[2 * i + 3]! - p[2 * i + 1]!),
    ];
  }

  /**
   * The direction (radians, from the x axis to the y axis) in which a length lies from a distance; a negative length is read
   * backwards. Where the line is shorter, it is the direction of the segment.
   */
  angleAt(at: number, length: number): number {
    const i = this.#segmentAt(at);
    const to = at + length;
    const isWithin = to >= this.#distances[i]! && to <= this.#distances[i + 1]!;
    if (!isWithin && this.has(to)) {
      const [[x0, y0], [x1, y1]] = [this.pointAt(at), this.pointAt(to)];
      return Math.atan2(y1 - y0, x1 - x0);
    }
    return length >= 0 ? this.#angleOf(i) : this.#angleOf(i) + Math.PI;
  }

  /** The distance of the next point, ahead or behind, that is a length away as the crow flies; undefined: the line is shorter. */
  away(at: number, length: number): number | undefined {
    const i = this.#segmentAt(at);
    const direct = at + length;
    if (direct >= this.#distances[i]! && direct < this.#distances[i + 1]!) return direct;
    const [x, y] = this.pointAt(at);
    const far = (k: number): boolean =>
      Math.hypot(this.#positions[2 * k]! - x, this.#positions[2 * k + 1]! - y) >= Math.abs(length);
    if (length > 0) {
      for (let k = i + 1; k < this.#distances.length; k++)
        if (far(k)) return this.#crossing(k - 1, k, x, y, length);
    } else for (let k = i; k >= 0; k--) if (far(k)) return this.#crossing(k + 1, k, x, y, -length);
    return undefined;
  }

  /** The distance at which the segment from position `inner` to `outer` leaves a circle. */
  #crossing(inner: number, outer: number, x: number, y: number, radius: number): number {
    const [x0, y0] = [this.#positions[2 * inner]! - x, this.#positions[2 * inner + 1]! - y];
    const dx = this.#positions[2 * outer]! - x - x0;
    const dy = this.#positions[2 * outer + 1]! - y - y0;
    const square = dx * dx + dy * dy;
    const half = x0 * dx + y0 * dy;
    const root = Math.sqrt(Math.max(0, half * half - square * (x0 * x0 + y0 * y0 - radius * radius)));
    const share = Math.min(1, Math.max(0, (root - half) / square));
    const [from, to] = [this.#distances[inner]!, this.#distances[outer]!];
    return from + share * (to - from);
  }

  /** Index of the position before a distance on the line. Neighbouring places are asked for one after the other. */
  #segmentAt(at: number): number {
    const last = this.#distances.length - 2;
    let i = this.#cursor;
    while (i < last && this.#distances[i + 1]! <= at) i++;
    while (i > 0 && this.#distances[i]! > at) i--;
    this.#cursor = i;
    return i;
  }

  /** The direction of a segment, computed once. */
  #angleOf(i: number): number {
    const known = this.#angles[i];
    if (known !== undefined) return known;
    const p = this.#positions;
    const angle = Math.atan2(p[2 * i + 3]! - p[2 * i + 1]!, p[2 * i + 2]! - p[2 * i]!);
    this.#angles[i] = angle;
    return angle;
  }
}
