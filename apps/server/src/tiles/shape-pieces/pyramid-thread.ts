/** Thread that divides large shapes into pieces: one of a million positions takes seconds. */
import { parentPort } from 'node:worker_threads';
import { digitsOf, labelPoints, piecesOf, pointToEwkb, shapeFromWkb, shapeToTwkb } from '@cartulary/geo';
import { setThreadPriority } from '@cartulary/runtime';

/** A shape to divide, as WKB, or the wish for more of its pieces. */
export type PyramidRequest = { wkb: Uint8Array } | 'more';

/** A piece as a row of `cartulary.shape_piece`. */
export interface PieceRow {
  level: number;
  x: number;
  y: number;
  isLeaf: boolean;
  /** TWKB. */
  shape: Uint8Array;
}

/** Pieces, and with the last of them the points of a polygon's labels as EWKB. */
export interface PyramidAnswer {
  pieces: PieceRow[];
  end?: { centroid?: Uint8Array; interior?: Uint8Array };
}

setThreadPriority('conversion');

/** Bytes of shapes in an answer, about. */
const answerBytes = 512 * 1024;

let answers: Generator<PyramidAnswer> | undefined;

function* divide(wkb: Uint8Array): Generator<PyramidAnswer> {
  const shape = shapeFromWkb(wkb);
  let pieces: PieceRow[] = [];
  let bytes = 0;
  for (const piece of shape ? piecesOf(shape) : []) {
    const row = { ...piece, shape: shapeToTwkb(piece.shape, digitsOf(piece)) };
    pieces.push(row);
    bytes += row.shape.length;
    if (bytes < answerBytes) continue;
    yield { pieces };
    [pieces, bytes] = [[], 0];
  }
  const points = shape && labelPoints(shape);
  const end = points && { centroid: pointToEwkb(points.centroid), interior: pointToEwkb(points.interior) };
  yield { pieces, end: end ?? {} };
}

parentPort!.on('message', (request: PyramidRequest) => {
  if (request !== 'more') answers = divide(request.wkb);
  const { value } = answers!.next();
  parentPort!.postMessage(value);
});
