import { type ClipBox, clipShape } from './clip.js';
import type { PyramidShape } from './shapes.js';
import { simplifyShape } from './simplify-path.js';

/** The part of a shape in a cell of the tile matrix of a level, and half of a cell around it. */
export interface Piece {
  level: number;
  x: number;
  y: number;
  /** Whether it is exact and serves deeper levels too, which have no pieces below it. */
  isLeaf: boolean;
  shape: PyramidShape;
}

/** Most positions of an exact piece. */
const leafPositions = 1_000;
const deepestLevel = 20;
/** Pieces that are not exact exist at every second level alone: at each they would take twice the room. */
const levelStep = 2;
/** Tolerance of a piece that is not exact, cells: a quarter of a pixel where a cell is 8,192 pixels wide. */
const tolerance = 2 ** -15;

/**
 * A shape in pieces for pictures of any size. A picture is drawn from the deepest piece whose cell is as wide as the picture
 * and contains its centre: the piece reaches to all edges of the picture, has few positions, and is cut beyond the edges alone.
 */
export function* piecesOf(shape: PyramidShape): Generator<Piece> {
  const waiting: Piece[] = [
    { level: 0, x: 0, y: 0, isLeaf: false, shape: clipShape(shape, boxAround(0, 0, 0)) },
  ];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { level, x, y, shape: exact } = node;
    if (!exact.parts.length) continue;
    const isLeaf = level === deepestLevel || positionsOf(exact) <= leafPositions;
    if (isLeaf) yield { ...node, isLeaf };
    else if (level % levelStep === 0) yield { ...node, shape: simplifyShape(exact, tolerance * 2 ** -level) };
    if (isLeaf) continue;
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const [cx, cy] = [2 * x + dx, 2 * y + dy];
      const part = clipShape(exact, boxAround(level + 1, cx, cy));
      waiting.push({ level: level + 1, x: cx, y: cy, isLeaf: false, shape: part });
    }
  }
}

/** Decimals of degrees that are exact enough for a piece: a tenth of its tolerance; at most those of a centimetre, which is an eighth of a pixel of the deepest level. */
export const digitsOf = ({ level, isLeaf }: Pick<Piece, 'level' | 'isLeaf'>): number =>
  isLeaf ? 7 : Math.min(7, Math.ceil(Math.log10(10 / (360 * tolerance * 2 ** -level))));

function boxAround(level: number, x: number, y: number): ClipBox {
  const size = 2 ** -level;
  const [west, north] = [(x - 0.5) * size, (y - 0.5) * size];
  return { west, north, east: west + 2 * size, south: north + 2 * size };
}

const positionsOf = ({ parts }: PyramidShape): number =>
  parts.reduce((sum, paths) => paths.reduce((all, path) => all + path.length / 2, sum), 0);
