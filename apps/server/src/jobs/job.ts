import type { ErrorCode, ErrorData } from '../errors.js';

export type JobKind = 'import' | 'export';

export const states = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof states)[number];

/** What a job is doing; null before it begins. */
export const phases = ['reading', 'storing', 'indexing', 'writing', 'packing'] as const;
export type Phase = (typeof phases)[number];

export const isFinal = (state: JobState): boolean => state !== 'queued' && state !== 'running';

/** How far work has come. What is absent stays as it was, but with a new phase `percent` begins anew. */
export interface Step {
  phase?: Phase;
  /** Objects. */
  done?: number;
  /** Objects in all; null: not known. */
  total?: number | null;
  /** Of the phase, 0 to 100, where something else than objects is counted. */
  percent?: number | null;
}

/** Told how far work has come, as often as one likes. */
export type Progress = (step: Step) => void;

export interface Standing {
  state: JobState;
  phase: Phase | null;
  done: number;
  total: number | null;
  percent: number | null;
}

/** Where a job stands after a step. */
export function after(standing: Standing, step: Step): Standing {
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
export type Outcome =
  | { state: 'done'; result: unknown; file?: JobFile | undefined }
  | { state: 'failed'; error: JobError }
  | { state: 'cancelled' };
