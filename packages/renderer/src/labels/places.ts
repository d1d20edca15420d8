/** Pixels of a side, from the north-western corner of the picture. */
export interface LabelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Boxes further from the corner of a picture are ignored, pixels. */
const farthest = 1_000_000;

/** False for boxes with NaN sides. */
export const isNear = ({ left, top, right, bottom }: LabelBox): boolean =>
  left > -farthest && top > -farthest && right < farthest && bottom < farthest;

/** How far a label keeps from others, pixels. */
export interface Distances {
  readonly margin: number;
  /** From labels with the same text. */
  readonly repeat: number;
}

/** Boxes as left, top, right, bottom, left, top, … */
type Boxes = number[];

/** Boxes of placed labels, shared by all passes of a picture. */
export interface TakenPlaces {
  /** By the number of each cell that they touch. */
  readonly cells: Map<number, Boxes>;
  /** By the text of their labels. */
  readonly texts: Map<string, Boxes>;
}

export const noPlaces = (): TakenPlaces => ({ cells: new Map(), texts: new Map() });

/** Side of a cell, pixels. */
const cellSide = 64;
const cellOf = (pixels: number): number => Math.floor(pixels / cellSide);
/** Cells 65,536 apart share a number, which is harmless: the boxes themselves are compared. */
const cellNumber = (column: number, row: number): number => ((row & 0xffff) << 16) | (column & 0xffff);

/**
 * Whether a box overlaps no placed label and keeps its distances; touching boxes do not overlap. A box without area overlaps those
 * around it.
 */
export function isFree(
  { cells, texts }: TakenPlaces,
  box: LabelBox,
  { margin, repeat }: Distances = { margin: 0, repeat: 0 },
  text = '',
): boolean {
  return !meetsNear(cells, box, margin) && (repeat <= margin || !meetsAny(texts.get(text), box, repeat));
}

/** Whether a box, widened by a margin, overlaps a placed one. */
function meetsNear(cells: TakenPlaces['cells'], box: LabelBox, margin: number): boolean {
  const [firstRow, lastRow] = [cellOf(box.top - margin), cellOf(box.bottom + margin)];
  const [firstColumn, lastColumn] = [cellOf(box.left - margin), cellOf(box.right + margin)];
  // A margin may cover more cells than there are.
  if ((lastRow - firstRow + 1) * (lastColumn - firstColumn + 1) > cells.size + 4) {
    for (const boxes of cells.values()) if (meetsAny(boxes, box, margin)) return true;
    return false;
  }
  for (let row = firstRow; row <= lastRow; row++)
    for (let column = firstColumn; column <= lastColumn; column++)
      if (meetsAny(cells.get(cellNumber(column, row)), box, margin)) return true;
  return false;
}

/** Whether a box, widened by a margin, overlaps one of several. */
function meetsAny(boxes: Boxes | undefined, { left, top, right, bottom }: LabelBox, margin: number): boolean {
  if (boxes)
    for (let i = 0; i < boxes.length; i += 4)
      if (
        boxes[i]! < right + margin &&
        left - margin < boxes[i + 2]! &&
        boxes[i + 1]! < bottom + margin &&
        top - margin < boxes[i + 3]!
      )
        return true;
  return false;
}

/** Takes the place of a label with a text, or of something without one. */
export function takePlace({ cells, texts }: TakenPlaces, box: LabelBox, text?: string): void {
  if (text) add(texts, text, box);
  for (let row = cellOf(box.top); row <= cellOf(box.bottom); row++)
    for (let column = cellOf(box.left); column <= cellOf(box.right); column++)
      add(cells, cellNumber(column, row), box);
}

function add<K>(all: Map<K, Boxes>, key: K, { left, top, right, bottom }: LabelBox): void {
  const boxes = all.get(key);
  if (boxes) boxes.push(left, top, right, bottom);
  else all.set(key, [left, top, right, bottom]);
}
