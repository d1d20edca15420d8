export { dataBox } from './data-box.js';
export { between, positionsPerPixel, shapeMark, within } from './labels/label-rows.js';
export { maxCharacters } from './labels/text/text-runs.js';
export { drawnXml, namingColumns, withFilterFactor } from './mapnik-xml.js';
export {
  type FromRenderer,
  type GlyphRange,
  type HeatPass,
  type LabelClaim,
  type LabelKind,
  type LabelLook,
  type LabelPass,
  type Pass,
  type PictureRows,
  quickPng,
  type RenderJob,
  type Rgba,
  type SmallFeaturePass,
  type SpriteStyle,
  type ToRenderer,
} from './messages.js';
export { drawingPrograms, workerFile } from './program.js';
export {
  checkGridFolder,
  openProjection,
  openProjections,
  type Projections,
} from './projection/projection.js';
export {
  type ChunkGrid,
  type ChunkPlace,
  chunkBox,
  chunkExtent,
  chunkSide,
  chunksIn,
  closedLine,
  depthFor,
  encodeChunk,
  kindShift,
  maxChunkDepth,
  maxKinds,
  maxSideQuarters,
  pixelAt,
  placesPerPixel,
  type SmallFeatureKind,
  slicesFor,
  withKind,
} from './small-features/chunk.js';
export { featuresToken } from './small-features/sprites.js';
export { SpritesImpossible } from './small-features/sprites-impossible.js';
export { xmlText } from './xml-text.js';
