/** Circumference of EPSG:3857 at the equator divided by the 256 pixels of the tile of zoom 0. */
const metresPerPixelAtZoom0 = (2 * Math.PI * 6_378_137) / 256;

/** Half a pixel of 256-pixel tiles at the equator, in metres of EPSG:3857: 78,271.5 m at zoom 0. */
export const toleranceMetres = (zoom: number): number => metresPerPixelAtZoom0 / 2 ** zoom / 2;

/** Half a pixel in degrees of EPSG:4326: 0.703125 at zoom 0. */
export const toleranceDegrees = (zoom: number): number => 360 / 256 / 2 ** zoom / 2;
