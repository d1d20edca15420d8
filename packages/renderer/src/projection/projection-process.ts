import { createRequire } from 'node:module';
import { edgeTolerance } from '../geo/geojson.js';
import { leaveSignalsToParent } from '../signals.js';

/*
 * The process that transforms coordinates, one projection after the other, with the PROJ of Mapnik. The database is not
 * asked: the embedded one ends with any projection that PROJ refuses, for its PROJ cannot throw. It is a process
 * of its own because it reads what users send with native code.
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
export type ProjectionReport = { ready: boolean } | { xy: Float64Array };

const mapnik = createRequire(import.meta.url)('@mapnik/mapnik') as Mapnik;
let transform: ProjTransform;

function answer(order: ProjectionOrder): ProjectionReport {
  if ('xy' in order) return { xy: transformed(order.xy) };
  try {
    const target = new mapnik.Projection('EPSG:4326', { lazy: false });
    transform = new mapnik.ProjTransform(
      new mapnik.Projection(withoutName(order.srs), { lazy: false }),
      target,
    );
    return { ready: true };
  } catch {
    return { ready: false };
  }
}

/** PROJ takes a WKT with the name of EPSG:3857 for that, whatever its central meridian is. */
function withoutName(srs: string): string {
  const isMoved = /"(?:central_meridian|longitude of natural origin)"\s*,\s*(?!-?0*\.?0*\s*[,\]])/i.test(srs);
  return isMoved ? srs.replace(/^(\s*PROJC(?:S|RS)\s*\[\s*")[^"]*/i, '$1unnamed') : srs;
}

/** Longitudes and latitudes; not finite where a position has none. */
function transformed(xy: Float64Array): Float64Array {
  const result = new Float64Array(xy.length);
  for (let i = 0; i < xy.length; i += 2) result.set(forward(xy[i]!, xy[i + 1]!), i);
  return result;
}

function forward(x: number, y: number): [number, number] {
  try {
    return unwrapped(x, transform.forward([x, y]));
  } catch {
    return [Number.NaN, Number.NaN];
  }
}

/** PROJ brings a longitude a little beyond 180 degrees, as rounding leaves it, to the other side of the earth. */
function unwrapped(x: number, [lon, lat]: [number, number]): [number, number] {
  const isBeyond = Math.abs(x) > 180 && Math.abs(x) <= 180 + edgeTolerance;
  return isBeyond && Math.abs(x - lon) > 359 ? [lon + 360 * Math.sign(x), lat] : [lon, lat];
}

process.on('message', (order: ProjectionOrder) => void process.send?.(answer(order)));
