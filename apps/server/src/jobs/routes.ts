import { Readable } from 'node:stream';
import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { contentDisposition } from '@cartulary/runtime';
import { Type } from 'typebox';
import { demand, demandOnProject } from '../access/rights.js';
import type { Config } from '../config.js';
import { rangeOf } from '../files/range.js';
import type { App } from '../http/app-type.js';
import { answers, bytesAs, Flag, isOn, orNotModified, Path, Query } from '../http/params.js';
import { etagOf, projectPath, sentUnchanged } from '../http/reply.js';
import { eventsOf } from './events.js';
import type { JobFile } from './job.js';
import type { Jobs } from './jobs.js';
import { JobAnswer } from './schemas.js';
import { type Job, listJobs } from './store.js';
import { jobView } from './view.js';

/** Services of the functions of this file. */
export interface JobServices {
  readonly db: Database;
  readonly config: Config;
  readonly jobs: Jobs;
}

const tags = ['jobs'];

/** The functions of jobs; import and export begin them. */
export function jobRoutes(app: App, services: JobServices): void {
  listing(app, services);
  one(app, services);
  events(app, services);
  file(app, services);
}

function listing(app: App, { db, config, jobs }: JobServices): void {
  app.get(
    '/jobs',
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'The jobs of the caller, or for administrators all of the project',
        description: 'The newest first.',
        params: Path(),
        querystring: Query({
          limit: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Most jobs' }),
          ),
          all: Flag('The jobs of all users, each with `login` (administrator)'),
        }),
        response: answers(Type.Array(JobAnswer)),
      },
    },
    async ({ caller, query }) => {
      const isAll = isOn(query.all);
      if (isAll) await demandOnProject(db, caller, 'administer');
      const found = await listJobs(db, caller, isAll ? 'all' : 'own', query.limit ?? 100);
      const project = projectPath(config, caller.project.code);
      return found.map((job) => ({
        ...jobView(jobs.newest(job), project),
        ...(isAll ? { login: job.login } : {}),
      }));
    },
  );
}

function one(app: App, { config, jobs }: JobServices): void {
  app.get(
    '/jobs/:job',
    {
      schema: {
        tags,
        summary: 'A job: how far it is, what it came to',
        description:
          'Visible to its owner and to administrators of the project. A job that was started without a token is visible to everybody who knows its id.',
        params: Path('job'),
        querystring: Query({}),
        response: answers(JobAnswer),
      },
    },
    async ({ caller, params }, reply) => {
      const job = await jobs.find(caller, params.job);
      reply.header('cache-control', 'no-store');
      return jobView(job, projectPath(config, caller.project.code));
    },
  );
  app.delete(
    '/jobs/:job',
    {
      schema: {
        tags,
        summary: 'Cancel or remove a job',
        description:
          'One that has not ended is cancelled: nothing is stored. One that has ended is removed with its file.',
        params: Path('job'),
        querystring: Query({}),
        response: answers(JobAnswer, 'The job: cancelled, or as it was before it was removed'),
      },
    },
    async ({ caller, params }) =>
      jobView(await jobs.cancel(caller, params.job), projectPath(config, caller.project.code)),
  );
}

function events(app: App, { config, jobs }: JobServices): void {
  app.get(
    '/jobs/:job/events',
    {
      schema: {
        tags,
        summary: 'A job as server-sent events',
        description: 'The job as JSON in an event at each change; the stream ends with its end.',
        params: Path('job'),
        querystring: Query({}),
        response: bytesAs('The events', 'text/event-stream'),
      },
    },
    async (request, reply) => {
      const { caller, params, gone: signal } = request;
      const { id } = await jobs.find(caller, params.job);
      reply
        .type('text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no');
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      const leave = jobs.allowance.enter('streams', request.owner);
      const project = projectPath(config, caller.project.code);
      const stream = Readable.from(eventsOf({ jobs, caller, id, project, signal }), { objectMode: false });
      stream.once('close', leave);
      return reply.send(stream);
    },
  );
}

function file(app: App, { jobs }: JobServices): void {
  app.get(
    '/jobs/:job/file',
    {
      schema: {
        tags,
        summary: 'The file of an export',
        description: 'Whole or, with `Range`, a part of it, for those who may still view the layer.',
        params: Path('job'),
        querystring: Query({}),
        response: orNotModified(bytesAs('The file', '*/*')),
      },
    },
    async (request, reply) => {
      const job = await jobs.find(request.caller, request.params.job);
      const { name, mime, size } = fileOf(job);
      demand(request.caller, job.right, 'view');
      const etag = etagOf(job.id);
      reply.header('cache-control', 'private, no-cache');
      if (sentUnchanged(request, reply, etag)) return reply;
      const range = rangeOf(request, reply, size, etag);
      const { first, last } = range ?? { first: 0, last: size - 1 };
      // An empty file has no ranges, and a stream of no bytes fails.
      const isEmpty = request.method === 'HEAD' || !size;
      const bytes = isEmpty ? Readable.from([]) : await jobs.kept.read(job.id, { first, last });
      if (!bytes) throw fileGone(job);
      if (range) reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`);
      return reply
        .header('accept-ranges', 'bytes')
        .header('content-length', String(last - first + 1))
        .header('content-disposition', contentDisposition('attachment', name))
        .type(mime)
        .send(bytes);
    },
  );
}

const fileGone = ({ id }: Job): ServiceError =>
  new ServiceError('file_not_found', `The job ${id} has no file, or it is no longer kept`);

/** The file of a finished export, while it is kept and its layer exists. Throws 404. */
function fileOf(job: Job): JobFile {
  const isKept = job.file_until !== null && job.file_until.getTime() > Date.now();
  if (!job.file || !isKept || !job.hasLayer) throw fileGone(job);
  return job.file;
}
