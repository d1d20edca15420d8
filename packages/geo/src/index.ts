export { cutAtEdge, mendAntimeridian, withoutEdge } from './antimeridian.js';
export { areaKm2 } from './area.js';
export {
  type Box,
  boxesOf,
  type Corners,
  cornersOf,
  fromMercator,
  mercatorEdge,
  mercatorToleranceDegrees,
  mercatorToleranceMetres,
  parseBox,
  type SR,
  toMercator,
} from './bbox.js';
export { toEwkb, toWkb } from './ewkb.js';
export { checkFileGeometry, checkGeometry, edgeTolerance, emptyExtent, positionLimit } from './geojson.js';
export { type BoxEdges, joinBoxes, unionOf } from './join-boxes.js';
export { labelledLines, labelPoints } from './pyramid/label-points.js';
export { digitsOf, type Piece, piecesOf } from './pyramid/pyramid.js';
export {
  type PyramidShape,
  pointToEwkb,
  shapeFromTwkb,
  shapeFromWkb,
  shapeToTwkb,
  worldPointDegrees,
} from './pyramid/shapes.js';
export { toleranceDegrees } from './simplify.js';
export { parseSrs, srsName, wgs84 } from './srs.js';
export { type Block, type Extent, flipRow, isInMatrix, maxZoom, tileExtent, tilesAt } from './tile.js';
