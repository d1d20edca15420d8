import { badRequest, ServiceError } from '@cartulary/errors';
import type { Extent } from '@cartulary/geo';
import type { Crs } from '../common/crs.js';

/** What a request may say of the place of a picture and its size. */
export interface PlaceParameters {
  bbox?: string;
  'bbox-crs'?: string;
  subset?: string | readonly string[];
  'subset-crs'?: string;
  center?: string;
  'center-crs'?: string;
  width?: number;
  height?: number;
  'scale-denominator'?: number;
  'mm-per-pixel'?: number;
}

const wrong = (name: string, why: string): ServiceError =>
  badRequest(`${name}: ${why}`, { parameters: [name] });

const numberForm = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i;
const numberOf = (text: string): number => (numberForm.test(text) ? Number(text) : Number.NaN);

function numbersOf(text: string): number[] | undefined {
  const numbers = text.split(',').map(numberOf);
  return numbers.every(Number.isFinite) ? numbers : undefined;
}

/** Throws 400 for parameters that contradict each other (OGC 20-058, 6.3). */
export function demandCombination(parameters: PlaceParameters): void {
  const given = (['bbox', 'subset', 'center', 'scale-denominator', 'width', 'height'] as const).filter(
    (name) => parameters[name] !== undefined,
  );
  const places = given.filter((name) => name === 'bbox' || name === 'subset' || name === 'center');
  if (places.length > 1)
    throw badRequest(`${places.join(' and ')} cannot be given together: each of them says the place`, {
      parameters: places,
    });
  const hasArea = places.some((name) => name !== 'center');
  const hasSize = given.includes('width') || given.includes('height');
  if (!(hasArea && hasSize && given.includes('scale-denominator'))) return;
  throw badRequest(
    `${given.join(', ')} cannot be given together: the size follows from the box and scale-denominator`,
    { parameters: given },
  );
}

/** A box with the coordinate to the east first. Its east may lie beyond 180 degrees. Throws 400 for one that is empty. */
function checkedBox([west, south, east, north]: Extent, crs: Crs, parameter: string): Extent {
  // In degrees, a west beyond the east means a box across 180 degrees.
  const turned = crs.isDegrees && west > east ? east + 360 * Math.ceil((west - east) / 360) : east;
  if (west < turned && south < north) return [west, south, turned, north];
  throw wrong(parameter, 'the box is empty: the lower corner comes first, in the order of the axes');
}

/** The box of `bbox`: four numbers, or six with heights, which choose nothing. Throws 400. */
export function boxOfCorners(text: string, crs: Crs): Extent {
  const numbers = numbersOf(text);
  if (numbers?.length !== 4 && numbers?.length !== 6)
    throw wrong('bbox', 'four or six numbers, separated by commas');
  const [a, b] = numbers as [number, number];
  const [c, d] = numbers.slice(numbers.length / 2) as [number, number];
  return checkedBox(crs.isNorthFirst ? [b, a, d, c] : [a, b, c, d], crs, 'bbox');
}

/** The point of `center`, the coordinate to the east first. Throws 400. */
export function centerOf(text: string, crs: Crs): readonly [x: number, y: number] {
  const numbers = numbersOf(text);
  if (numbers?.length !== 2) throw wrong('center', 'two numbers, separated by a comma');
  const [a, b] = numbers as [number, number];
  return crs.isNorthFirst ? [b, a] : [a, b];
}

/** Ends of a box along one axis. */
type Interval = readonly [low: number, high: number];

/** A box of which one side may be left open. */
export interface Subset {
  east?: Interval;
  north?: Interval;
}

/** Names of axes that the standard asks for, and what it takes for the same. */
const axisNames = {
  degrees: { east: ['lon', 'long', 'longitude'], north: ['lat', 'latitude'] },
  plane: { east: ['e', 'x', 'easting'], north: ['n', 'y', 'northing'] },
} as const;

/** The intervals of `subset`, such as `Lat(40:50),Lon(10:20)`. Throws 400, and 404 where no latitude is in one of them. */
export function subsetOf(texts: string | readonly string[], { isDegrees }: Crs): Subset {
  const names = axisNames[isDegrees ? 'degrees' : 'plane'];
  const found: Subset = {};
  for (const part of [texts].flat().flatMap((text) => text.split(','))) {
    const [, name = '', low = '', high] = /^\s*([a-z]\w*)\(([^:()]*)(?::([^:()]*))?\)\s*$/i.exec(part) ?? [];
    const key = name.toLowerCase();
    const isOf = (all: readonly string[]): boolean => all.includes(key);
    const axis = isOf(names.east) ? 'east' : isOf(names.north) ? 'north' : undefined;
    const known = isDegrees ? 'Lat and Lon' : 'E and N';
    if (!name) throw wrong('subset', `intervals of the axes ${known}, such as ${exampleOf(isDegrees)}`);
    if (!axis) throw wrong('subset', `'${name.slice(0, 100)}' is no axis of subset-crs: they are ${known}`);
    if (found[axis]) throw wrong('subset', `the axis ${name} is given twice`);
    const interval = [numberOf(low), numberOf(high ?? '')] as const;
    if (!interval.every(Number.isFinite))
      throw wrong('subset', `${name}: an interval of two numbers, such as ${exampleOf(isDegrees)}`);
    if (isDegrees && axis === 'north') demandLatitudes(interval);
    found[axis] = interval;
  }
  return found;
}

const exampleOf = (isDegrees: boolean): string =>
  isDegrees ? 'Lat(40:50),Lon(10:20)' : 'E(400000:500000),N(5000000:5100000)';

function demandLatitudes([low, high]: Interval): void {
  if (Math.max(low, high) >= -90 && Math.min(low, high) <= 90) return;
  throw new ServiceError('container_not_found', 'subset: there are no latitudes beyond 90 degrees', {
    parameters: ['subset'],
  });
}

/** The box of a subset; an axis that it leaves out has the range of `whole`. Throws 400. */
export const boxOfSubset = ({ east, north }: Subset, whole: Extent, crs: Crs): Extent =>
  checkedBox(
    [east?.[0] ?? whole[0], north?.[0] ?? whole[1], east?.[1] ?? whole[2], north?.[1] ?? whole[3]],
    crs,
    'subset',
  );
