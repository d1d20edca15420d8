import { errorCatalogue } from '@cartulary/errors';
import type { Static } from 'typebox';
import { levels } from '../access/rights.js';
import type { JobError } from './job.js';
import type { ExportResult, JobAnswer } from './schemas.js';
import type { Job } from './store.js';

export type JobView = Static<typeof JobAnswer>;

/** The address of a job. `project`: the address of its project, without a slash at the end. */
export const pathOfJob = (project: string, { id }: Pick<Job, 'id'>): string => `${project}/jobs/${id}/`;

/** A job in an answer. Where the caller may no longer view the layer, details of the layer are left out. */
export function jobView(job: Job, project: string): JobView {
  const isShown = !job.hasLayer || job.right >= levels.view;
  return {
    id: job.id,
    kind: job.kind,
    map: isShown ? job.map_code : null,
    layer: isShown ? job.layer_code : null,
    state: job.state,
    phase: job.phase,
    done: job.done,
    total: job.total,
    percent: job.percent,
    attempts: job.attempts,
    created: job.created_at.toISOString(),
    started: job.started_at?.toISOString() ?? null,
    finished: job.finished_at?.toISOString() ?? null,
    result: isShown ? (fileOf(job, project) ?? job.result) : null,
    error: isShown || !job.error ? job.error : withoutDetails(job.error),
  };
}

function fileOf(job: Job, project: string): Static<typeof ExportResult> | undefined {
  if (!job.file || !job.file_until) return undefined;
  return {
    name: job.file.name,
    path: `${pathOfJob(project, job)}file/`,
    mime: job.file.mime,
    size: job.file.size,
    ...(job.file.changed_texts === undefined ? {} : { changed_texts: job.file.changed_texts }),
    expires: job.file_until.toISOString(),
  };
}

const withoutDetails = ({ code }: JobError): JobError => ({
  error: 'error',
  code,
  message: errorCatalogue[code][1],
  data: {},
});
