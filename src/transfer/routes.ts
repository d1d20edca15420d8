import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../config.js';
import { acceptMultipart, parametersOf } from '../http/body.js';
import { contentDisposition } from '../http/file-names.js';
import { discardRest } from '../http/incoming.js';
import { ownerOf } from '../http/owner.js';
import { answers, isOn, Path, Query } from '../http/params.js';
import { projectPath } from '../http/reply.js';
import type { App, Services } from '../http/service.js';
import { type Job, JobAnswer, jobView, pathOfJob } from '../jobs/jobs.js';
import { changedMeanwhile, findLayer, LayerAnswer } from '../layers/layers.js';
import { layerAnswer } from '../layers/view.js';
import { exportWork, written } from './export-work.js';
import { formats } from './formats.js';
import { type ImportParameters, type ImportRun, importWork, received, withReceived } from './import-work.js';
import { ExportQuery, ImportAnswer, ImportQuery } from './schemas.js';
import { type IncomingFile, incomingFile } from './upload.js';
import { makeValid } from './validity.js';

const tags = ['transfer'];
const path = '/:map/layers/:layer';

/** The answer to `async=1`. */
const begun = { 202: { ...JobAnswer, description: 'With async=1: the job; `Location` is its address' } };

/** Import and export of the objects of a layer. */
export async function transferRoutes(app: App, services: Services): Promise<void> {
  exportRoute(app, services);
  validityRoute(app, services);
  await app.register(async (own: App) => importRoute(own, services));
}

function importRoute(app: App, services: Services): void {
  const { db, config, jobs, imports } = services;
  // Every body but multipart is the file itself, whatever its content type says.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  acceptMultipart(app);
  app.addHook('onResponse', async (request) => discardRest(request));
  app.post(
    `${path}/import`,
    {
      // `incomingFile` keeps the limit, and lets the client read the answer.
      config: { token: 'required', upload: true },
      schema: {
        tags,
        summary: 'Import a file into a layer',
        description: `All or nothing. The file is the body, or the variable \`file\` of a multipart form, where the parameters may be further variables before it. A header \`X-Filename\` names the file of a body; its format is recognized by its content: ${formats
          .filter(({ imports }) => imports)
          .map(({ code }) => code)
          .join(
            ', ',
          )}, several files in one zip. Columns are made of the properties that have none. A layer of the type raster takes one image (geotif, png, jpg), which replaces the one it has.`,
        params: Path('map', 'layer'),
        querystring: ImportQuery,
        response: {
          ...answers(
            Type.Object({ ...LayerAnswer.properties, import: ImportAnswer }),
            'The layer, and what was imported',
          ),
          ...begun,
        },
      },
    },
    async (request, reply) => {
      const { caller, params, gone } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      const parameters = parametersOfImport(request);
      const file = incomingFile(request, { bytes: config.importLimit, ratio: config.archiveRatio });
      const owner = ownerOf(caller, request.ip);
      const turns = imports.for(owner);
      const work = importWork(services, { caller, owner }, parameters);
      // Rights and columns may be others when the file has come, and its turn.
      const carryOut = async (upload: IncomingFile, run: ImportRun): Promise<object> =>
        work(await findLayer(db, caller, params, 'edit'), upload, run);
      if (!isOn(parameters.async)) {
        turns.admit();
        const place = {
          dataFolder: config.dataFolder,
          room: jobs.allowance.openRoom(owner),
          signal: gone,
        };
        return withReceived(file, place, (upload) => turns(() => carryOut(upload, { signal: gone }), gone));
      }
      const order = { kind: 'import', caller, layer, owner, gone, turns } as const;
      const job = await jobs.begin(order, async (desk, receiving) => {
        const open = await received(file, desk, receiving);
        return async (signal, progress, beforeCommit) => {
          const upload = open(progress);
          try {
            return { answer: await carryOut(upload, { signal, progress, beforeCommit }) };
          } finally {
            upload.close();
          }
        };
      });
      return accepted(reply, job, request, config);
    },
  );
}

/** 202: the job, and where it is. */
function accepted(reply: FastifyReply, job: Job, { caller }: FastifyRequest, config: Config): FastifyReply {
  const project = projectPath(config, caller.project.code);
  return reply.code(202).header('location', pathOfJob(project, job)).send(jobView(job, project));
}

/** Of a form also its variables; any other body is the file. */
const parametersOfImport = (request: FastifyRequest): ImportParameters & { async?: string } =>
  request.upload ? parametersOf(request) : (request.query as ImportParameters);

function exportRoute(app: App, services: Services): void {
  const { db, config, jobs, exports } = services;
  app.get(
    `${path}/export`,
    {
      config: { work: 'exports' },
      schema: {
        tags,
        summary: 'Export a layer to a file',
        params: Path('map', 'layer'),
        querystring: ExportQuery,
        response: { ...answers(Type.Unknown(), 'The file'), ...begun },
      },
    },
    async (request, reply) => {
      const { query, caller, params, gone } = request;
      const layer = await findLayer(db, caller, params, 'view');
      const owner = ownerOf(caller, request.ip);
      const work = exportWork(services, { caller, layer, owner }, query);
      if (!isOn(query.async)) {
        const made = await work({ signal: gone });
        const { file, filename, type, changedTexts } = made;
        reply.type(type).header('content-disposition', contentDisposition('attachment', filename));
        // A header comes before the file, when of some formats nobody knows it yet.
        if (typeof changedTexts === 'function')
          reply.trailer('x-changed-texts', async () => String(changedTexts()));
        else if (changedTexts !== undefined) reply.header('x-changed-texts', String(changedTexts));
        return reply.send(file);
      }
      const order = { kind: 'export', caller, layer, owner, gone, turns: exports.for(owner) } as const;
      const job = await jobs.begin(order, async (desk) => async (signal, progress) => {
        // Rights and columns may be others by now.
        const now = await findLayer(db, caller, params, 'view');
        const made = await exportWork(services, { caller, layer: now, owner }, query)({ signal, progress });
        return written(made, desk, { limit: config.temporaryLimit, signal });
      });
      return accepted(reply, job, request, config);
    },
  );
}

function validityRoute(app: App, { db }: Services): void {
  app.post(
    `${path}/makevalid`,
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Make the geometries of a layer valid',
        params: Path('map', 'layer'),
        querystring: Query({}),
        response: answers(Type.Omit(LayerAnswer, ['css_style']), 'The layer without its style'),
      },
    },
    async (request) => {
      const { caller, params } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      await db
        .transaction((tx) => makeValid(tx, layer), request.gone)
        .catch((error) => Promise.reject(changedMeanwhile(error)));
      const { css_style, ...view } = await layerAnswer(db, layer, caller, { lng: request.query.lng });
      return view;
    },
  );
}
