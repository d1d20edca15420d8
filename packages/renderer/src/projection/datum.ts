/** Metres of half the longer axis of the ellipsoids of WGS 84 and its like, which need no shift. */
const axis = 6_378_137;

/**
 * Longitude and latitude on the datum of a projection in WKT, as WKT; undefined where its ellipsoid is that of WGS 84 or
 * nearly, the WKT gives its shift, or it is no WKT of a projection.
 */
export function datumDegrees(srs: string): string | undefined {
  if (/^\s*BOUNDCRS\b/i.test(srs)) return undefined;
  const semiMajor = Number(/(?:SPHEROID|ELLIPSOID)\s*\[\s*"[^"]*"\s*,\s*([\d.]+)/i.exec(srs)?.[1]);
  if (!semiMajor || Math.abs(semiMajor - axis) < 1) return undefined;
  const old = nodeOf(srs, /\bGEOGCS\s*\[/i);
  if (old) return old;
  const base = nodeOf(srs, /\bBASEGEOG(?:RAPHIC)?CRS\s*\[/i);
  if (!base) return undefined;
  const parts = base.replace(/^BASEGEOG(?:RAPHIC)?CRS/i, 'GEOGCRS').replace(/,\s*ID\[[^\]]*\]\s*\]$/, ']');
  return `${parts.slice(0, -1)},CS[ellipsoidal,2],AXIS["latitude",north],AXIS["longitude",east],ANGLEUNIT["degree",0.0174532925199433]]`;
}

/** A node of a WKT with all that is in it. Brackets in names are not expected. */
function nodeOf(wkt: string, pattern: RegExp): string | undefined {
  const start = wkt.search(pattern);
  if (start === -1) return undefined;
  let depth = 0;
  for (let i = start; i < wkt.length; i++) {
    if (wkt[i] === '[') depth++;
    else if (wkt[i] === ']' && --depth === 0) return wkt.slice(start, i + 1);
  }
  return undefined;
}
