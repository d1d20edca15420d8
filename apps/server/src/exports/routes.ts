import { contentDisposition } from '@cartulary/runtime';
import { Type } from 'typebox';
import type { App } from '../http/app-type.js';
import { answers, isOn, Path } from '../http/params.js';
import { acceptedJob, acceptedJobAnswer } from '../jobs/accepted.js';
import type { Jobs } from '../jobs/jobs.js';
import { findLayer } from '../layers/layers.js';
import { storedExport } from './export-job.js';
import { type ExportServices, exportWork } from './export-work.js';
import { ExportQuery } from './schemas.js';

/** Services of the functions of this file. */
export interface ExportRouteServices extends ExportServices {
  readonly jobs: Jobs;
}

/** Export of the objects of a layer. */
export function exportRoutes(app: App, services: ExportRouteServices): void {
  const { db, config, jobs } = services;
  app.get(
    '/:map/layers/:layer/export',
    {
      config: { work: 'exports' },
      schema: {
        tags: ['transfer'],
        summary: 'Export a layer to a file',
        params: Path('map', 'layer'),
        querystring: ExportQuery,
        response: { ...answers(Type.Unknown(), 'The file'), ...acceptedJobAnswer },
      },
    },
    async (request, reply) => {
      const { query, caller, owner, params, gone } = request;
      const layer = await findLayer(db, caller, params, 'view');
      const work = exportWork(services, { caller, layer, owner }, query);
      if (!isOn(query.async)) {
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
      const job = await jobs.begin(order, async () => ({ query: storedExport(query) }));
      return acceptedJob(reply, job, request, config);
    },
  );
}
