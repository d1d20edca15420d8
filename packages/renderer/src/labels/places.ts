/** Pixels of a side, from the north-western corner of the picture. */
export interface LabelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Boxes of placed labels, shared by all passes of a picture. */
export interface TakenPlaces {
  /** Boxes by the number of each cell that they touch. */
  readonly cells: Map<number, LabelBox[]>;
}

export const noPlaces = (): TakenPlaces => ({ cells: new Map() });

/** Side of a cell, pixels. */
const cellSide = 64;
const cellOf = (pixels: number): number => Math.floor(pixels / cellSide);
/** Cells 65,536 apart share a number, which is harmless: the boxes themselves are compared. */
const cellNumber = (column: number, row: number): number => ((row & 0xffff) << 16) | (column & 0xffff);

/** Whether a box overlaps no placed label; touching boxes do not overlap. A box without area overlaps those around it. */
export function isFree({ cells }: TakenPlaces, box: LabelBox): boolean {
  for (let row = cellOf(box.top); row <= cellOf(box.bottom); row++)
    for (let column = cellOf(box.left); column <= cellOf(box.right); column++) {
      const near = cells.get(cellNumber(column, row));
      if (near?.some((other) => meet(other, box))) return false;
    }
  return true;
}

const meet = (a: LabelBox, b: LabelBox): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export function takePlace({ cells }: TakenPlaces, box: LabelBox): void {
  for (let row = cellOf(box.top); row <= cellOf(box.bottom); row++)
    for (let column = cellOf(box.left); column <= cellOf(box.right); column++) {
      const number = cellNumber(column, row);
      const near = cells.get(number);
      if (near) near.push(box);
      else cells.set(number, [box]);
    }
}
