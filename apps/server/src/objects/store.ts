/** The door of this folder for other domains. */

export type { ObjectRow, Output } from '@cartulary/columns';
export { valueColumns } from '@cartulary/columns';
export { countObjects } from './count.js';
export type { ObjectQuery } from './query/query.js';
export { parseListQuery } from './query/query.js';
export {
  findObject,
  geometryOf,
  listObjects,
  objectNotFound,
  objectsById,
  openList,
} from './read.js';
export { demandWritable, guarded } from './write/guard.js';
export { copyObject, createObject, deleteObjects, setGeometry, updateObject } from './write/write.js';
