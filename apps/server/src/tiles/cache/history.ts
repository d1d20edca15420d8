import type { BoxEdges } from '@cartulary/geo';

/** The box that a version changed; null: nothing that is drawn. */
export interface VersionChange {
  version: number;
  box: BoxEdges | null;
}

/** Limit of the boxes; beyond it, one change of everything replaces the older half. */
const maxBoxes = 16_384;

const everywhere: BoxEdges = [-Infinity, -Infinity, Infinity, Infinity];

/** The changes of a layer up to a version. Everything before the first known version counts as one change of everything. */
export class History {
  #known = 0;
  #length = 0;
  #versions = new Float64Array(16);
  #boxes = new Float64Array(64);

  /** The latest version that it contains. */
  get known(): number {
    return this.#known;
  }

  /** Memory in bytes. */
  get size(): number {
    return this.#versions.byteLength + this.#boxes.byteLength + 200;
  }

  /** Adds all changes after `known` up to `version`, in their order; later ones may follow. A missing version counts as a change of everything. */
  extend(changes: readonly VersionChange[], version: number): void {
    for (const change of changes) {
      if (change.version > this.#known + 1) this.#push(change.version - 1, everywhere);
      if (change.box) this.#push(change.version, change.box);
      this.#known = Math.max(this.#known, change.version);
    }
    if (version > this.#known) {
      this.#push(version, everywhere);
      this.#known = version;
    }
  }

  /** Whether a version above `since` changed anything in a box. */
  hasTouched(since: number, [west, south, east, north]: BoxEdges): boolean {
    const versions = this.#versions;
    const boxes = this.#boxes;
    for (let i = this.#length - 1; i >= 0 && versions[i]! > since; i--) {
      const at = 4 * i;
      const meets =
        boxes[at]! <= east && boxes[at + 2]! >= west && boxes[at + 1]! <= north && boxes[at + 3]! >= south;
      if (meets) return true;
    }
    return false;
  }

  #push(version: number, box: BoxEdges): void {
    if (this.#length >= maxBoxes) this.#forgetHalf();
    else if (this.#length === this.#versions.length) this.#grow();
    this.#versions[this.#length] = version;
    this.#boxes.set(box, 4 * this.#length);
    this.#length += 1;
  }

  #grow(): void {
    this.#versions = enlarged(this.#versions);
    this.#boxes = enlarged(this.#boxes);
  }

  #forgetHalf(): void {
    this.#versions.copyWithin(0, this.#length / 2);
    this.#boxes.copyWithin(0, 2 * this.#length);
    this.#length /= 2;
    // The first remaining entry also stands for all before it.
    this.#boxes.set(everywhere, 0);
  }
}

function enlarged(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * array.length);
  larger.set(array);
  return larger;
}
