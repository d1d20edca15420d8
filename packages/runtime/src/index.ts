export { abortable, anySignal } from './abort.js';
export { BackgroundTasks } from './background-tasks.js';
export { digestOf } from './digest.js';
export {
  beginShortRequest,
  createSlices,
  mapInSlices,
  type Slices,
  takeTurn,
  yieldToOthers,
} from './event-loop.js';
export { cleanName, contentDisposition } from './files/file-names.js';
export { readStream } from './files/read-stream.js';
export { accessProblem, readFolder } from './files/readable-folder.js';
export {
  createJobFolder,
  type JobFolder,
  otherProcessesBytes,
  sweepJobFolders,
} from './files/temporary-folder.js';
export { FullDisk, makeWritable, ofFullDisk } from './files/writable-folder.js';
export type { Log } from './log.js';
export { isAbandoned, isRunning, ownName, removeAbandoned } from './own-names.js';
export { raisePriority, setPriorityOf, setThreadPriority } from './scheduling.js';
export { busy, busyRetryAfterS, createSemaphore, type Semaphore, type WaitingLimits } from './semaphore.js';
export { leaveSignalsToParent } from './signals.js';
export { createThreads, type Thread, threadsSettled } from './threads.js';
export { OwnerUsage } from './usage.js';
