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
 * Most times that the positions of a shape may be multiplied by cutting it. Those of a coast stay the same, since each lies in one cell; edges
 * that cross many cells, as hatching does, are cut in each of them. What would be more stays one piece, which serves deeper levels too.
 */
const mostGrowth = 8;

interface PyramidNode extends Omit<Piece, 'isLeaf'> {
  /** Edges in the cell itself, without the half of a cell around it: no place is counted twice. */
  edges: number;
  /** How many times more edges there are by the cuts on the way to this node. */
  growth: number;
}

/**
 * A shape in pieces for pictures of any size. A picture is drawn from the deepest piece whose cell is as wide as the picture
 * and contains its centre: the piece reaches to all edges of the picture, has few positions, and is cut beyond the edges alone.
 */
export function* piecesOf(shape: PyramidShape): Generator<Piece> {
  const waiting: PyramidNode[] = [nodeOf(0, 0, 0, shape)];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { level, x, y, shape: exact } = node;
    if (!exact.parts.length) continue;
    const isSmall = level === deepestLevel || positionsOf(exact) <= leafPositions;
    const children = isSmall ? [] : childrenOf(node);
    if (!children.length) yield { level, x, y, isLeaf: true, shape: exact };
    else if (level % levelStep === 0)
      yield { level, x, y, isLeaf: false, shape: simplifyShape(exact, tolerance * 2 ** -level) };
    waiting.push(...children);
  }
}

/** The cells into which a node is divided; none where that would multiply its edges too often. */
function childrenOf({ level, x, y, shape, edges, growth }: PyramidNode): PyramidNode[] {
  const places = [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const;
  const children = places.map(([dx, dy]) => nodeOf(level + 1, 2 * x + dx, 2 * y + dy, shape));
  const sum = children.reduce((all, child) => all + child.edges, 0);
  const grown = growth * Math.max(1, sum / (edges || 1));
  return grown > mostGrowth ? [] : children.map((child) => ({ ...child, growth: grown }));
}

function nodeOf(level: number, x: number, y: number, whole: PyramidShape): PyramidNode {
  const shape = clipShape(whole, boxAround(level, x, y));
  const size = 2 ** -level;
  const cell = { west: x * size, north: y * size, east: (x + 1) * size, south: (y + 1) * size };
  return { level, x, y, shape, edges: edgesIn(shape, cell), growth: 1 };
}

/** Edges whose boxes meet a cell. */
function edgesIn({ parts }: PyramidShape, { west, north, east, south }: ClipBox): number {
  let found = 0;
  for (const path of parts.flat())
    for (let i = 0; i + 3 < path.length; i += 2) {
      const [x0, y0, x1, y1] = [path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!];
      const isBeside = (x0 < west && x1 < west) || (x0 >= east && x1 >= east);
      if (!isBeside && (y0 >= north || y1 >= north) && (y0 < south || y1 < south)) found++;
    }
  return found;
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
