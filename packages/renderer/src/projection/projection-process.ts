import { createRequire } from 'node:module';
import { edgeTolerance } from '@cartulary/geo';
import { leaveSignalsToParent } from '@cartulary/runtime';
import { datumDegrees } from './datum.js';

/*
 * The process that transforms coordinates with Mapnik's PROJ. The embedded database cannot do it: a projection that PROJ
 * refuses ends it, since its PROJ cannot throw. A process of its own protects the service, since native code reads user
 * input.
 */

leaveSignalsToParent();

interface ProjTransform {
  forward(position: [number, number]): [number, number];
}

interface Mapnik {
  Projection: new (definition: string, options: { lazy: boolean }) => object;
  ProjTransform: new (source: object, target: object) => ProjTransform;
}

export type ProjectionOrder = { srs: string } | { xy: Float64Array };
/** `unshifted`: the positions were not shifted from the datum, which PROJ does not know. */
export type ProjectionReport = { ready: boolean } | { xy: Float64Array; unshifted: boolean };

const mapnik = createRequire(import.meta.url)('@mapnik/mapnik') as Mapnik;
let transform: ProjTransform;
/** From degrees on the datum of the projection; undefined: there is no reason to ask. */
let datumShift: ProjTransform | undefined;

function answer(order: ProjectionOrder): ProjectionReport {
  if ('xy' in order) return transformed(order.xy);
  try {
    const target = new mapnik.Projection('EPSG:4326', { lazy: false });
    transform = new mapnik.ProjTransform(
      new mapnik.Projection(withoutName(order.srs), { lazy: false }),
      target,
    );
    datumShift = shiftOf(order.srs, target);
    return { ready: true };
  } catch {
    return { ready: false };
  }
}

function shiftOf(srs: string, target: object): ProjTransform | undefined {
  const degrees = datumDegrees(srs);
  try {
    return degrees
      ? new mapnik.ProjTransform(new mapnik.Projection(degrees, { lazy: false }), target)
      : undefined;
  } catch {
    return undefined;
  }
}

/** PROJ treats WKT named like EPSG:3857 as EPSG:3857, whatever its central meridian; the name is removed. */
function withoutName(srs: string): string {
  const isMoved = /"(?:central_meridian|longitude of natural origin)"\s*,\s*(?!-?0*\.?0*\s*[,\]])/i.test(srs);
  return isMoved ? srs.replace(/^(\s*PROJC(?:S|RS)\s*\[\s*")[^"]*/i, '$1unnamed') : srs;
}

/** Longitudes and latitudes; not finite where the transformation fails. */
function transformed(xy: Float64Array): Extract<ProjectionReport, { xy: Float64Array }> {
  const result = new Float64Array(xy.length);
  for (let i = 0; i < xy.length; i += 2) result.set(forward(xy[i]!, xy[i + 1]!), i);
  const [x, y] = result;
  return { xy: result, unshifted: x !== undefined && isUnshifted([x, y!]) };
}

/** 0.1 mm, degrees: every known shift between ellipsoids is larger. */
const still = 1e-9;

/** Whether a place has the same degrees on the datum and on WGS 84. */
function isUnshifted(place: [number, number]): boolean {
  if (!datumShift || !place.every(Number.isFinite)) return false;
  try {
    return datumShift.forward(place).every((degrees, i) => Math.abs(degrees - place[i]!) < still);
  } catch {
    return false;
  }
}

function forward(x: number, y: number): [number, number] {
  try {
    return unwrapped(x, transform.forward([x, y]));
  } catch {
    return [Number.NaN, Number.NaN];
  }
}

/** Undoes PROJ's wrap of longitudes that rounding leaves slightly beyond 180 degrees. */
function unwrapped(x: number, [lon, lat]: [number, number]): [number, number] {
  const isBeyond = Math.abs(x) > 180 && Math.abs(x) <= 180 + edgeTolerance;
  return isBeyond && Math.abs(x - lon) > 359 ? [lon + 360 * Math.sign(x), lat] : [lon, lat];
}

process.on('message', (order: ProjectionOrder) => void process.send?.(answer(order)));
