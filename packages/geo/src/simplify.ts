/** Half a pixel in degrees of EPSG:4326: 0.703125 at zoom 0. */
export const toleranceDegrees = (zoom: number): number => 360 / 256 / 2 ** zoom / 2;
