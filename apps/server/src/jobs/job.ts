import type { ErrorCode, ErrorData } from '@cartulary/errors';

export type JobKind = 'import' | 'export';

export const states = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof states)[number];

/** The phase of a job; null before it starts. */
export const jobPhases = ['reading', 'storing', 'indexing', 'writing', 'packing'] as const;
export type JobPhase = (typeof jobPhases)[number];

export const isFinal = (state: JobState): boolean => state !== 'queued' && state !== 'running';

/** A step of work. Absent members keep their values; a new phase resets `percent`. */
export interface JobProgress {
  phase?: JobPhase;
  /** Objects. */
  done?: number;
  /** Objects in all; null: not known. */
  total?: number | null;
  /** Of the phase, 0 to 100, where something else than objects is counted. */
  percent?: number | null;
}

/** Receives the steps of work, as often as they come. */
export type Progress = (step: JobProgress) => void;

export interface Standing {
  state: JobState;
  phase: JobPhase | null;
  done: number;
  total: number | null;
  percent: number | null;
}

/** Where a job stands after a step. */
export function after(standing: Standing, step: JobProgress): Standing {
  const isNew = step.phase !== undefined && step.phase !== standing.phase;
  const next = { ...standing, ...(isNew ? { percent: null } : {}), ...step };
  if (step.percent === undefined && next.total && step.done !== undefined)
    next.percent = Math.min(100, Math.floor((100 * next.done) / next.total));
  return next;
}

/** An error as the plain call answers it. */
export interface JobError {
  error: 'error';
  code: ErrorCode;
  message: string;
  data: ErrorData;
}

/** The file of an export. */
export interface JobFile {
  name: string;
  mime: string;
  /** Bytes. */
  size: number;
  /** Texts that its encoding could not hold. */
  changed_texts?: number;
}

/** How a job ended. */
export type JobOutcome =
  | { state: 'done'; result: unknown; file?: JobFile | undefined }
  | { state: 'failed'; error: JobError }
  | { state: 'cancelled' };
