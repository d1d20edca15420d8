/** The kinds of geometry of a layer, and rasters. */
export type GeometryKind = 'Point' | 'LineString' | 'Polygon' | 'Unknown' | 'Raster';

const point = `  marker-width: 9;
  marker-fill: #d9480f;
  marker-line-color: #ffffff;
  marker-line-width: 1.5;
  marker-allow-overlap: true;
  [zoom >= 12] { marker-width: 12; }
  [zoom >= 16] { marker-width: 16; marker-line-width: 2; }`;

const line = `  line-color: #1c7ed6;
  line-width: 1.2;
  line-cap: round;
  line-join: round;
  [zoom >= 10] { line-width: 2; }
  [zoom >= 14] { line-width: 3; }`;

const polygon = `  polygon-fill: #74c69d;
  polygon-opacity: 0.6;
  line-color: #2d6a4f;
  line-width: 0.5;
  line-join: round;
  [zoom >= 10] { line-width: 1; }`;

const raster = `  raster-opacity: 1;
  raster-scaling: bilinear;`;

const styles: Record<GeometryKind, (code: string) => string> = {
  Point: (code) => `#${code} {\n${point}\n}\n`,
  LineString: (code) => `#${code} {\n${line}\n}\n`,
  Polygon: (code) => `#${code} {\n${polygon}\n}\n`,
  Unknown: (code) =>
    [
      ['polygon', polygon],
      ['linestring', line],
      ['point', point],
      // Geometry collections.
      ['collection', `${polygon}\n${point}`],
    ]
      .map(([kind, body]) => `#${code}["mapnik::geometry_type" = ${kind}] {\n${body}\n}\n`)
      .join('\n'),
  Raster: (code) => `#${code} {\n${raster}\n}\n`,
};

/** The initial style of a new layer. */
export const defaultStyle = (geometryKind: GeometryKind, code: string): string => styles[geometryKind](code);
