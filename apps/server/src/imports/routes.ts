import { join } from 'node:path';
import { badRequest } from '@cartulary/errors';
import { formats } from '@cartulary/formats';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { spellLanguages } from '../access/languages.js';
import type { App } from '../http/app-type.js';
import { acceptMultipart, parametersOf } from '../http/body/body.js';
import { discardRest, noteStreamed } from '../http/body/incoming.js';
import { answers, isOn, Path, Query } from '../http/params.js';
import { acceptedJob, acceptedJobAnswer } from '../jobs/accepted.js';
import { changedMeanwhile, findLayer, LayerAnswer } from '../layers/layers.js';
import { layerAnswer } from '../layers/view.js';
import { wholeUpload } from '../uploads/store.js';
import { type CheckedImport, checkImport, type ImportParameters } from './check-import.js';
import { storedImport } from './import-job.js';
import { newLayerRoute } from './new-layer-route.js';
import { importInRequest, keepAsUpload, receiveUpload } from './receive.js';
import { type ImportRun, runImport } from './run-import.js';
import { ImportAnswer, ImportQuery } from './schemas.js';
import type { TransferServices } from './services.js';
import { makeValid } from './session/validity.js';
import { undoRoutes } from './undo-routes.js';
import { fileOfUpload, type IncomingFile, incomingFile, isForm } from './upload.js';

const tags = ['transfer'];
const path = '/:map/layers/:layer';

/** Import of the objects of a layer, and what mends them. */
export async function importRoutes(app: App, services: TransferServices): Promise<void> {
  validityRoute(app, services);
  newLayerRoute(app, services); // POST /:map/import
  undoRoutes(app, services); // GET, POST …/import/undo
  await app.register(async (own: App) => importRoute(own, services));
}

const importSchema = {
  tags,
  summary: 'Import a file into a layer',
  description: `All or nothing. The file is the body, or the variable \`file\` of a multipart form, where the parameters may be further variables; \`async\`, \`upload\` and \`keep\` come before the file. A header \`X-Filename\` names the file of a body; its format is recognized by its content: ${formats
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
    ...acceptedJobAnswer,
  },
};

function importRoute(app: App, services: TransferServices): void {
  const { db, config, jobs } = services;
  // Every body but multipart is the file itself, whatever its content type says.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    noteStreamed(request);
    done(null, payload);
  });
  acceptMultipart(app);
  app.addHook('onResponse', async (request) => discardRest(request));
  app.post(
    `${path}/import`,
    {
      // `incomingFile` keeps the limit, and lets the client read the answer.
      config: { token: 'required', upload: true },
      schema: importSchema,
    },
    async (request, reply) => {
      const { caller, owner, params, gone } = request;
      const layer = await findLayer(db, caller, params, 'edit');
      const parameters = parametersOfImport(request);
      // Refuses wrong parameters before the file is received.
      checkImport(parameters, config);
      const hasLater = isForm(request) && parameters.upload === undefined;
      const file = await fileOfImport(services, request, { parameters, owner });
      const whenReceived = async (): Promise<CheckedImport> =>
        checkImport(hasLater ? await withLaterVariables(request, parameters) : parameters, config);
      // Rights and columns may have changed when the file is received and the semaphore admits the import.
      const carryOut = async (received: IncomingFile, run: ImportRun): Promise<object> => {
        const checked = await whenReceived();
        const now = await findLayer(db, caller, params, 'edit');
        return runImport(services, checked, { caller, owner, layer: now, file: received }, run);
      };
      if (!isOn(parameters.async))
        return importInRequest(services, request, file, (received) => carryOut(received, { signal: gone }));
      const order = { kind: 'import', caller, layer, owner, gone } as const;
      const job = await jobs.begin(order, async ({ folder, quota }, signal) => {
        const size = await receiveUpload(file, join(folder, 'file'), { quota, signal });
        const checked = await whenReceived();
        return { parameters: storedImport(checked.parameters), filename: file.filename, size };
      });
      return acceptedJob(reply, job, request, config);
    },
  );
}

/**
 * The file of an import: the body, or an upload. With `keep` the body is received first and becomes an upload, whose id is
 * noted in the parameters.
 */
async function fileOfImport(
  services: TransferServices,
  request: FastifyRequest,
  { parameters, owner }: { parameters: ImportParameters; owner: string },
): Promise<IncomingFile> {
  const { db, config, jobs } = services;
  const { caller, gone } = request;
  const limits = { bytes: config.importLimitBytes, ratio: config.archiveRatio };
  if (isOn(parameters.keep) && !isOn(parameters.dry_run))
    throw badRequest('keep needs dry_run=1', { parameters: ['keep'] });
  if (parameters.upload !== undefined)
    return fileOfUpload(await wholeUpload(db, config, caller, parameters.upload), limits);
  const file = incomingFile(request, limits);
  if (!isOn(parameters.keep)) return file;
  const quota = jobs.allowance.openQuota(owner);
  const kept = await keepAsUpload(services, caller, file, { quota, signal: gone });
  parameters.upload = kept.id;
  return fileOfUpload(kept, limits);
}

/** Of a form also its variables; any other body is the file. */
const parametersOfImport = (request: FastifyRequest): ImportParameters & { async?: string } =>
  withoutEmpty(isForm(request) ? parametersOf(request) : (request.query as Record<string, unknown>));

/** An empty parameter is the same as an absent one. */
const withoutEmpty = (variables: Record<string, unknown>): ImportParameters =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== '')) as ImportParameters;

/** Parameters that decide how the file is received. */
const receiving = ['async', 'upload', 'keep'];

/**
 * The parameters of a received form with its variables after the file. Throws 400 where one of these decides how the file
 * is received.
 */
async function withLaterVariables(
  request: FastifyRequest,
  parameters: ImportParameters,
): Promise<ImportParameters> {
  const variables = withoutEmpty((await request.upload?.fields) ?? {});
  spellLanguages(variables, request.caller);
  const misplaced = receiving.filter((name) => name in variables && !(name in parameters));
  if (misplaced.length)
    throw badRequest(`${misplaced.join(', ')}: must come before the file in the form`, {
      parameters: misplaced,
    });
  return { ...parameters, ...variables, ...(request.query as object) };
}

function validityRoute(app: App, { db }: TransferServices): void {
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
        .for(request.owner)
        .transaction((tx) => makeValid(tx, layer), request.gone)
        .catch((error) => Promise.reject(changedMeanwhile(error)));
      const { css_style, ...view } = await layerAnswer(db, layer, caller, { lng: request.query.lng });
      return view;
    },
  );
}
