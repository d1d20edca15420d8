import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import { positionLimit } from '@cartulary/geo';
import type { Position } from 'geojson';

/** Angle of a segment, degrees: the one of GDAL, so that all formats get the same lines. */
const stepDegrees = 4;
/** As in GDAL, the number of segments is odd, so an arc has the same positions in both directions. */
const leastSteps = 7;

/** Below this ratio of height to length, the positions of an arc form a straight line. */
const flat = 1e-12;

const fullTurn = 2 * Math.PI;

/**
 * Approximates a circular string by a line (ISO 13249-3): every second position ends an arc and begins the next; those
 * between lie on the arcs. Throws `value_invalid` if the last arc is incomplete.
 */
export function lineOfArcs(positions: readonly Position[]): Position[] {
  if (!positions.length) return [];
  if (positions.length < 3 || positions.length % 2 === 0)
    throw wrong(noteOf('incompleteArc', { count: positions.length }));
  const line = [positions[0]!];
  for (let i = 2; i < positions.length; i += 2) {
    line.push(...restOfArc(positions[i - 2]!, positions[i - 1]!, positions[i]!));
    // An arc becomes 90 positions, so that a large feature would need more memory than there is.
    if (line.length > positionLimit) throw wrong(noteOf('tooManyPositions', { count: positionLimit }));
  }
  return line;
}

const wrong = (reason: string): ServiceError =>
  new ServiceError('value_invalid', noteOf('ofGeometry', { reason }), { columns: ['geom'] });

/** Joins adjacent lines of a compound curve. The position at which they meet is kept once. */
export const joinedLines = (lines: readonly Position[][]): Position[] =>
  lines.flatMap((line, i) => {
    const last = lines[i - 1]?.at(-1);
    return last?.[0] === line[0]?.[0] && last?.[1] === line[0]?.[1] ? line.slice(1) : line;
  });

/** The positions of an arc after its start. */
function restOfArc(start: Position, middle: Position, end: Position): Position[] {
  const circle = circleOf(start, middle, end);
  if (!circle) return [middle, end];
  const { x, y, radius, from, sweep } = circle;
  const wanted = Math.floor((Math.abs(sweep) / fullTurn) * (360 / stepDegrees) + 0.5);
  const steps = Math.max(leastSteps, leastSteps + 2 * Math.floor((wanted - leastSteps + 1) / 2));
  const positions: Position[] = [];
  for (let i = 1; i < steps; i++) {
    const angle = from + (sweep * i) / steps;
    const position = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    // The height changes evenly between the ends.
    if (start.length > 2) position.push(start[2]! + ((end[2]! - start[2]!) * i) / steps);
    positions.push(position);
  }
  return [...positions, end];
}

interface Circle {
  x: number;
  y: number;
  radius: number;
  /** Angle of the start, radians. */
  from: number;
  /** Angle from start to end, radians; positive: counterclockwise. */
  sweep: number;
}

/** The circle through three positions; undefined for a straight line. Equal ends are opposite to the middle. */
function circleOf([x0, y0]: Position, [x1, y1]: Position, [x2, y2]: Position): Circle | undefined {
  // Relative to the start, since squares of large coordinates lose digits.
  const [ax, ay, bx, by] = [x1! - x0!, y1! - y0!, x2! - x0!, y2! - y0!];
  const isFull = bx === 0 && by === 0;
  const [aa, bb] = [ax * ax + ay * ay, bx * bx + by * by];
  const cross = ax * by - ay * bx;
  if (aa === 0 || (!isFull && Math.abs(cross) <= flat * (aa + bb))) return undefined;
  const cx = isFull ? ax / 2 : (by * aa - ay * bb) / (2 * cross);
  const cy = isFull ? ay / 2 : (ax * bb - bx * aa) / (2 * cross);
  const from = Math.atan2(-cy, -cx);
  const turn = (Math.atan2(by - cy, bx - cx) - from + 2 * fullTurn) % fullTurn;
  const sweep = isFull ? fullTurn : cross > 0 ? turn : turn - fullTurn;
  return { x: x0! + cx, y: y0! + cy, radius: Math.hypot(cx, cy), from, sweep };
}
