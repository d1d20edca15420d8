import type { BoxEdges } from '@cartulary/geo';

/** Degrees to both sides of a seam that no object has: datums place it some hundred metres from where WGS 84 does. */
const halfWidth = 0.005;

/** Projections whose neighbours stay neighbours everywhere, and oblique ones, whose seam is no meridian. */
const seamless =
  /stereographic|azimuthal|orthographic|gnomonic|geostationary|equidistant$|hotine|laborde|krovak|map_grid|mining_grid/i;
const transverse = /^(transverse_mercator|cassini)/i;
/** These are no azimuthal ones. */
const conic = /^(equidistant_conic)$/i;

/**
 * Where a projected system tears the world apart, by its definition (WKT 1), as narrow boxes in degrees: most do it along the meridian
 * opposite of theirs, transverse ones along the equator from 90 degrees beside their meridian. An object across such a line would
 * reach from one end of the picture to the other.
 */
export function seamsOf(definition: string): readonly BoxEdges[] {
  const projection = /PROJECTION\["([^"]*)"/.exec(definition)?.[1];
  const number = (pattern: RegExp): number => Number(pattern.exec(definition)?.[1] ?? Number.NaN);
  const meridian =
    number(/PARAMETER\["(?:central_meridian|longitude_of_center)",\s*([-\d.eE+]+)/) +
    (number(/PRIMEM\["[^"]*",\s*([-\d.eE+]+)/) || 0);
  if (projection === undefined || !Number.isFinite(meridian)) return [];
  if (seamless.test(projection) && !conic.test(projection)) return [];
  if (transverse.test(projection)) return farEquator(meridian);
  if (/^goode_homolosine$/i.test(projection))
    return interruptions.map(([lon, south, north]) => alongMeridian(inTurn(meridian + lon), south, north));
  const seam = inTurn(meridian + 180);
  // Objects end at 180 degrees in any case.
  if (Math.abs(Math.abs(seam) - 180) <= halfWidth) return [];
  return [alongMeridian(seam, -90, 90)];
}

/** The lobes of Goode's projection end at these meridians, counted from its own. */
const interruptions = [
  [-40, 0, 90],
  [-100, -90, 0],
  [-20, -90, 0],
  [80, -90, 0],
] as const;

const alongMeridian = (lon: number, south: number, north: number): BoxEdges => [
  lon - halfWidth,
  south,
  lon + halfWidth,
  north,
];

const inTurn = (lon: number): number => ((((lon + 180) % 360) + 360) % 360) - 180;

/** The equator on the far side of a meridian. */
function farEquator(meridian: number): BoxEdges[] {
  const west = inTurn(meridian + 90);
  const parts: [number, number][] =
    west + 180 <= 180
      ? [[west, west + 180]]
      : [
          [west, 180],
          [-180, west - 180],
        ];
  return parts.map(([from, to]) => [from, -halfWidth, to, halfWidth]);
}
