import type { Edges } from '../../geo/join-boxes.js';

/** A box that a version has changed; null: nothing that is drawn. */
export interface VersionChange {
  version: number;
  box: Edges | null;
}

/** What is known of the changes of a layer up to a version. */
export interface History {
  readonly known: number;
  /** Bytes that it takes. */
  readonly size: number;
  /** Adds all changes after `known` up to `version`, in their order, and perhaps later ones. Versions that are left out have changed everything. */
  extend(changes: readonly VersionChange[], version: number): void;
  /** Whether a version above `since` has changed anything in a box. */
  hasTouched(since: number, box: Edges): boolean;
}

/** Boxes that are kept; when there are more, the older half is one change of everything. */
const most = 16_384;

const everywhere: Edges = [-Infinity, -Infinity, Infinity, Infinity];

/** The history of a layer of which nothing is known yet: all that is before its first version is one change of everything. */
export function createHistory(): History {
  let known = 0;
  let length = 0;
  let versions = new Float64Array(16);
  let boxes = new Float64Array(64);

  function push(version: number, box: Edges): void {
    if (length >= most) forgetHalf();
    else if (length === versions.length) grow();
    versions[length] = version;
    boxes.set(box, 4 * length);
    length += 1;
  }

  function grow(): void {
    [versions, boxes] = [enlarged(versions), enlarged(boxes)];
  }

  function forgetHalf(): void {
    versions.copyWithin(0, length / 2);
    boxes.copyWithin(0, 2 * length);
    length /= 2;
    // The first of what is left stands for all before it, too.
    boxes.set(everywhere, 0);
  }

  return {
    get known() {
      return known;
    },
    get size() {
      return versions.byteLength + boxes.byteLength + 200;
    },
    extend(changes, version) {
      for (const change of changes) {
        if (change.version > known + 1) push(change.version - 1, everywhere);
        if (change.box) push(change.version, change.box);
        known = Math.max(known, change.version);
      }
      if (version > known) {
        push(version, everywhere);
        known = version;
      }
    },
    hasTouched(since, [west, south, east, north]) {
      for (let i = length - 1; i >= 0 && versions[i]! > since; i--) {
        const at = 4 * i;
        const meets =
          boxes[at]! <= east && boxes[at + 2]! >= west && boxes[at + 1]! <= north && boxes[at + 3]! >= south;
        if (meets) return true;
      }
      return false;
    },
  };
}

function enlarged(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * array.length);
  larger.set(array);
  return larger;
}
