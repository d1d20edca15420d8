/** The door of this folder for other domains. */

export type { ObjectRow, Output } from '@cartulary/columns';
export { valueColumns } from '@cartulary/columns';
export { jsonType, type ListFrame, sendList, withFirstSlice } from './answer.js';
export { countMatches, countObjects } from './count.js';
export { pageBefore } from './earlier-page.js';
export { demandObjectTags } from './etags.js';
export { filterFailure, type OpenList } from './find/find.js';
export { withIndex } from './find/sort-index.js';
export { findObjectText, isLight, type ObjectText, openTexts } from './object-texts.js';
export { writeCursor } from './query/cursor.js';
export { isComparable } from './query/families.js';
export { conditionOf, type Filter, type LiteralCrs, parseFilter } from './query/filter.js';
export { lonLatShapes } from './query/lonlat-shapes.js';
export type { Sort } from './query/order.js';
export type { ObjectQuery } from './query/query.js';
export { parseListQuery } from './query/query.js';
export { swapAxes } from './query/spatial.js';
export {
  findObject,
  geometryOf,
  listObjects,
  objectNotFound,
  objectsById,
  openList,
} from './read.js';
export { FilterParameter } from './schemas.js';
export type { ObjectServices } from './services.js';
export type { GmlOutput } from './sql/object-gml.js';
export { boundedSimplify } from './sql/values.js';
export { demandObjects, demandWritable, guarded } from './write/guard.js';
export type { ObjectInput } from './write/input.js';
export {
  copyObject,
  createObject,
  deleteObjects,
  setGeometry,
  updateObject,
  writeBatch,
} from './write/write.js';
