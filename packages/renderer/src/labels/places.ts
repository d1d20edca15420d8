/** Pixels of a side, from the north-western corner of the picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Places that labels have taken already. One for all passes of a picture. */
export interface TakenPlaces {
  /** The boxes that reach into a cell, by the number of the cell. */
  readonly cells: Map<number, Box[]>;
}

export const noPlaces = (): TakenPlaces => ({ cells: new Map() });

/** Pixels of a cell on each side. */
const cellSide = 64;
const cellOf = (pixels: number): number => Math.floor(pixels / cellSide);
/** Cells that are 65,536 cells apart have the same number, which is harmless: boxes are compared themselves. */
const cellNumber = (column: number, row: number): number => ((row & 0xffff) << 16) | (column & 0xffff);

/** Whether nothing lies where a box would; boxes that only touch do not meet. */
export function isFree({ cells }: TakenPlaces, box: Box): boolean {
  for (let row = cellOf(box.top); row <= cellOf(box.bottom); row++)
    for (let column = cellOf(box.left); column <= cellOf(box.right); column++) {
      const near = cells.get(cellNumber(column, row));
      if (near?.some((other) => meet(other, box))) return false;
    }
  return true;
}

const meet = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

export function take({ cells }: TakenPlaces, box: Box): void {
  for (let row = cellOf(box.top); row <= cellOf(box.bottom); row++)
    for (let column = cellOf(box.left); column <= cellOf(box.right); column++) {
      const number = cellNumber(column, row);
      const near = cells.get(number);
      if (near) near.push(box);
      else cells.set(number, [box]);
    }
}
