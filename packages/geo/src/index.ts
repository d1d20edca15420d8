export { cutAtEdge, mendAntimeridian, withoutEdge } from './antimeridian.js';
export { areaKm2 } from './area.js';
export {
  type Box,
  boxesOf,
  type Corners,
  cornersOf,
  fromMercator,
  mercatorToleranceDegrees,
  mercatorToleranceMetres,
  parseBox,
  type SR,
  toMercator,
} from './bbox.js';
export { toEwkb } from './ewkb.js';
export { checkFileGeometry, checkGeometry, edgeTolerance, emptyExtent, positionLimit } from './geojson.js';
export { type BoxEdges, joinBoxes, unionOf } from './join-boxes.js';
export { toleranceDegrees } from './simplify.js';
export { parseSrs, srsName, wgs84 } from './srs.js';
export { type Block, type Extent, flipRow, isInMatrix, maxZoom, tileExtent, tilesAt } from './tile.js';
