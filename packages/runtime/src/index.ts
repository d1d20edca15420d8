export { abortable, anySignal } from './abort.js';
export { digestOf } from './digest.js';
export {
  beginShortRequest,
  createSlices,
  mapInSlices,
  type Slices,
  takeTurn,
  yieldToOthers,
} from './event-loop.js';
export { cleanName, contentDisposition } from './file-names.js';
export type { Log } from './log.js';
export { isAbandoned, isRunning, ownName, removeAbandoned } from './own-names.js';
export { readStream } from './read-stream.js';
export { accessProblem, readFolder } from './readable-folder.js';
export { lowerPriority, lowerThreadPriority } from './scheduling.js';
export { busy, busyRetryAfterS, createSemaphore, type Semaphore, type WaitingLimits } from './semaphore.js';
export { leaveSignalsToParent } from './signals.js';
export { createJobFolder, type JobFolder, otherProcessesBytes, sweepJobFolders } from './temporary-folder.js';
export { createThreads, type Thread, threadsSettled } from './threads.js';
export { OwnerUsage } from './usage.js';
export { FullDisk, makeWritable, ofFullDisk } from './writable-folder.js';
