import { contentDisposition } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { App } from '../http/app-type.js';
import { bodyLimits } from '../http/body/body-limits.js';
import { answers, isOn, Path, Query } from '../http/params.js';
import { acceptedJob, acceptedJobAnswer } from '../jobs/accepted.js';
import type { Jobs } from '../jobs/jobs.js';
import { findLayer } from '../layers/layers.js';
import { storedExport } from './export-job.js';
import { type ExportServices, exportWork } from './export-work.js';
import { ExportBody, ExportQuery } from './schemas.js';

/** Services of the functions of this file. */
export interface ExportRouteServices extends ExportServices {
  readonly jobs: Jobs;
}

/** Export of the objects of a layer. */
export function exportRoutes(app: App, services: ExportRouteServices): void {
  const path = '/:map/layers/:layer/export';
  const shared = {
    tags: ['transfer'],
    params: Path('map', 'layer'),
    response: { ...answers(Type.Unknown(), 'The file'), ...acceptedJobAnswer },
  };
  app.get(
    path,
    {
      config: { work: 'exports' },
      schema: { ...shared, summary: 'Export a layer to a file', querystring: ExportQuery },
    },
    (request, reply) => answerExport(services, request, reply, request.query),
  );
  app.post(
    path,
    {
      config: { work: 'exports' },
      bodyLimit: bodyLimits(services.config).medium,
      schema: {
        ...shared,
        summary: 'The same, with parameters in the body',
        description: 'For filters and ids that are too long for an address. An extension of the interface.',
        querystring: Query({}),
        body: ExportBody,
      },
    },
    (request, reply) => answerExport(services, request, reply, request.body),
  );
}

async function answerExport(
  services: ExportRouteServices,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Static<typeof ExportQuery>,
): Promise<unknown> {
  const { db, config, jobs } = services;
  const { caller, owner, gone } = request;
  const layer = await findLayer(db, caller, request.params as { map: string; layer: string }, 'view');
  const work = exportWork(services, { caller, layer, owner }, asked);
  if (!isOn(asked.async)) {
    const made = await work({ signal: gone });
    const { file, filename, type, changedTexts } = made;
    reply.type(type).header('content-disposition', contentDisposition('attachment', filename));
    // Some formats know the number only after the file, when headers are sent already.
    if (typeof changedTexts === 'function')
      reply.trailer('x-changed-texts', async () => String(changedTexts()));
    else if (changedTexts !== undefined) reply.header('x-changed-texts', String(changedTexts));
    return reply.send(file);
  }
  const order = { kind: 'export', caller, layer, owner, gone } as const;
  const job = await jobs.begin(order, async () => ({ query: storedExport(asked) }));
  return acceptedJob(reply, job, request, config);
}
