import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.js';
import { projectPath } from '../http/reply.js';
import { type Job, JobAnswer, jobView, pathOfJob } from './jobs.js';

/** The answer to `async=1`. */
export const acceptedJobAnswer = {
  202: { ...JobAnswer, description: 'With async=1: the job; `Location` is its address' },
};

/** Answers 202 with the job and its address. */
export function acceptedJob(
  reply: FastifyReply,
  job: Job,
  { caller }: FastifyRequest,
  config: Config,
): FastifyReply {
  const project = projectPath(config, caller.project.code);
  return reply.code(202).header('location', pathOfJob(project, job)).send(jobView(job, project));
}
