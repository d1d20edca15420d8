/** The objects of layers: what other domains may use of this folder. */

export { countObjects } from './count.js';
export { demandWritable, guarded } from './guard.js';
export type { ObjectQuery, Output } from './query.js';
export { parseListQuery, valueColumns } from './query.js';
export {
  findObject,
  geometryOf,
  listObjects,
  objectNotFound,
  objectsById,
  openList,
} from './read.js';
export type { ObjectRow } from './row.js';
export { copyObject, createObject, deleteObjects, setGeometry, updateObject } from './write.js';
