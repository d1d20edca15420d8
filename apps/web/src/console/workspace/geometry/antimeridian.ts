import type { Position } from 'geojson';
import { contains } from './rings.js';

/** The longitude of the same meridian that is nearest to another one. */
export const nearestTo = (lng: number, other: number): number => lng - 360 * Math.round((lng - other) / 360);

/** A part of a line on one side of the antimeridian. */
interface Chain {
  isEast: boolean;
  line: Position[];
}

type Part = Position[][];

/** The parts of an area from -180 to 180 degrees: it is cut where it crosses the antimeridian. */
export const cutArea = (rings: Part): Part[] => intoWorld(rings, splitArea);

/** The parts of a line from -180 to 180 degrees. */
export const cutLine = (line: Position[]): Position[][] =>
  intoWorld([line], ([whole]) => sidesOf(chainsOf(whole!).filter(isExtended), ({ line: one }) => [one])).map(
    ([one]) => one!,
  );

/** A position from -180 to 180 degrees. */
export const intoDegrees = (position: Position): Position =>
  intoWorld([[position]], () => [[], []])[0]![0]![0]!;

/** Moves what lies beyond 180 degrees to where it is stored, and splits what crosses them. */
function intoWorld(part: Part, split: (part: Part) => [west: Part[], east: Part[]]): Part[] {
  const lngs = part.flat().map(([lng]) => lng!);
  const [least, most] = [Math.min(...lngs), Math.max(...lngs)];
  if (least >= -180 && most <= 180) return [part];
  const shift = -360 * Math.floor((least + 180) / 360);
  const moved = part.map((line) => line.map(([lng, lat]) => [lng! + shift, lat!]));
  if (most + shift <= 180) return [moved];
  const [west, east] = split(moved);
  return [...west, ...east.flatMap((one) => intoWorld(one, split))];
}

const isEast = ([lng]: Position): boolean => lng! > 180;
const isExtended = ({ line }: Chain): boolean => line.some((one) => String(one) !== String(line[0]));

function sidesOf<T extends { isEast: boolean }>(
  all: readonly T[],
  partOf: (one: T) => Part,
): [Part[], Part[]] {
  const [east, west] = [all.filter((one) => one.isEast), all.filter((one) => !one.isEast)];
  return [west.map(partOf), east.map(partOf)];
}

/** A line in pieces that end on the antimeridian. */
function chainsOf(line: readonly Position[]): Chain[] {
  const [first, ...others] = line as [Position, ...Position[]];
  let now: Chain = { isEast: isEast(first), line: [first] };
  let last = first;
  const chains = [now];
  for (const next of others) {
    if (isEast(next) !== now.isEast) {
      const crossing = crossingOf(last, next);
      now.line.push(crossing);
      now = { isEast: !now.isEast, line: [crossing] };
      chains.push(now);
    }
    now.line.push(next);
    last = next;
  }
  return chains;
}

function crossingOf([lng0, lat0]: Position, [lng, lat]: Position): Position {
  const share = (180 - lng0!) / (lng! - lng0!);
  return [180, Number((lat0! + share * (lat! - lat0!)).toFixed(9))];
}

/** Both sides of an area. What it has of the antimeridian closes the pieces of its rings. */
function splitArea(rings: Part): [Part[], Part[]] {
  const whole: { ring: Position[]; isEast: boolean; isHole: boolean }[] = [];
  const chains: Chain[] = [];
  for (const [i, ring] of rings.entries()) {
    const pieces = chainsOf(ring);
    const last = pieces.pop()!;
    const [first] = pieces;
    if (!first) whole.push({ ring, isEast: last.isEast, isHole: i > 0 });
    else {
      // The ring begins anywhere in its first piece.
      first.line = [...last.line, ...first.line.slice(1)];
      chains.push(...pieces);
    }
  }
  const side = (east: boolean): Part[] => {
    const own = whole.filter((one) => one.isEast === east);
    const outlines = [
      ...own.filter(({ isHole }) => !isHole).map(({ ring }) => ring),
      ...joined(chains.filter((one) => one.isEast === east).map(({ line }) => line)),
    ];
    const parts = outlines.map((ring) => [ring]);
    for (const { ring } of own.filter(({ isHole }) => isHole))
      parts.find(([outline]) => contains(outline!, ring[0]!))?.push(ring);
    return parts;
  };
  return [side(false), side(true)];
}

/** The rings of pieces that end on the antimeridian: the first two ends from the south belong together, and so on. */
function joined(pieces: readonly Position[][]): Position[][] {
  const ends = pieces.flatMap((line, piece) => [
    { piece, isStart: true, lat: line[0]![1]! },
    { piece, isStart: false, lat: line.at(-1)![1]! },
  ]);
  ends.sort((a, b) => a.lat - b.lat);
  const used = new Set<number>();
  return pieces.flatMap((_, start) => {
    if (used.has(start)) return [];
    const ring: Position[] = [];
    for (let [piece, isForward] = [start, true]; !used.has(piece); ) {
      used.add(piece);
      const line = pieces[piece]!;
      ring.push(...(isForward ? line : [...line].reverse()));
      const left = ends.findIndex((end) => end.piece === piece && end.isStart !== isForward);
      ({ piece, isStart: isForward } = ends[left % 2 ? left - 1 : left + 1]!);
    }
    const closed = [...ring, ring[0]!].filter((one, i, all) => String(one) !== String(all[i - 1]));
    return closed.length > 3 ? [closed] : [];
  });
}
