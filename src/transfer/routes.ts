import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../access/caller.js';
import { checkLanguage } from '../containers/names.js';
import { badRequest, ServiceError } from '../errors.js';
import { boxesOf, parseBox } from '../geo/bbox.js';
import { acceptMultipart, parametersOf } from '../http/body.js';
import { discardRest } from '../http/incoming.js';
import { answers, isOn, Path, Query } from '../http/params.js';
import type { App, Services } from '../http/service.js';
import { changedMeanwhile, findLayer, type Layer, LayerAnswer, layerView } from '../layers/layers.js';
import { parseListQuery } from '../objects/store.js';
import type { ExportOptions } from './export.js';
import { exportFile } from './export-file.js';
import { exportFormat, formats } from './formats.js';
import { type ImportOptions, importFeatures, planImport } from './import.js';
import { openInput } from './incoming/input.js';
import { parseEncoding } from './readers/encodings.js';
import { ExportQuery, ImportAnswer, ImportQuery } from './schemas.js';
import { tableRules } from './tables/rules.js';
import { incomingFile } from './upload.js';
import { makeValid } from './validity.js';

const tags = ['transfer'];
const path = '/:map/layers/:layer';

/** Import and export of the objects of a layer. */
export async function transferRoutes(app: App, services: Services): Promise<void> {
  const closing = new AbortController();
  app.addHook('onClose', async () => closing.abort(new ServiceError('busy', 'The service is stopping')));
  const work: Work = { ...services, closing: closing.signal };
  exportRoute(app, work);
  validityRoute(app, services);
  await app.register(async (own: App) => importRoute(own, work));
}

interface Work extends Services {
  /** Aborted when the service stops. */
  closing: AbortSignal;
}

/** The languages of a map, the main one first. */
function languagesOf(layer: Layer, { project }: Caller): string[] {
  const ofMap = (layer.map.locales ?? []) as { code: string }[];
  return [...new Set([...project.languages, ...ofMap.map(({ code }) => code)])];
}

function importRoute(app: App, { db, config, engine, imports, closing }: Work): void {
  // Every body but multipart is the file itself, whatever its content type says.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  acceptMultipart(app);
  app.addHook('onResponse', async (request) => discardRest(request));
  app.post(
    `${path}/import`,
    {
      config: { token: 'required' },
      // `incomingFile` keeps the limit, and lets the client read the answer.
      bodyLimit: Number.MAX_SAFE_INTEGER,
      schema: {
        tags,
        summary: 'Import a file into a layer',
        description: `All or nothing. The file is the body, or the variable \`file\` of a multipart form, where the parameters may be further variables before it. A header \`X-Filename\` names the file of a body; its format is recognized by its content: ${formats
          .filter(({ imports }) => imports)
          .map(({ code }) => code)
          .join(', ')}, several files in one zip. Columns are made of the properties that have none.`,
        params: Path('map', 'layer'),
        querystring: ImportQuery,
        response: answers(
          Type.Object({
            ...LayerAnswer.properties,
            import: ImportAnswer,
          }),
          'The layer, and what was imported',
        ),
      },
    },
    async (request) => {
      const layer = await findLayer(db, request.caller, request.params, 'edit');
      const parameters = parametersOfImport(request);
      const file = incomingFile(request, config.importLimit);
      const signal = AbortSignal.any([request.gone, closing]);
      const options: ImportOptions = {
        ...importOptions(parameters),
        languages: languagesOf(layer, request.caller),
        featureLimit: config.importFeatureLimit,
        columnLimit: config.columnLimit,
        signal,
      };
      const { encoding, dry_run } = parameters as Record<string, string | undefined>;
      const opening = {
        engine,
        dataFolder: config.dataFolder,
        limits: { entries: config.archiveEntries, bytes: config.temporaryLimit, ratio: config.archiveRatio },
        encoding: encoding ? parseEncoding(encoding) : undefined,
        tables: tableRules(parameters, {
          columns: config.tableColumns,
          cell: config.tableCell,
          rows: config.sheetRows,
          // As text and as objects it takes several times as much.
          bytes: (config.converterMemory / 2) * 1024 ** 2,
        }),
        signal,
      };
      const carryOut = isOn(dry_run) ? planImport : importFeatures;
      const result = await imports(async () => {
        const input = await openInput(file, opening);
        try {
          return await carryOut(db, layer, input, options);
        } finally {
          await input.close();
        }
      }, signal);
      const now = await findLayer(db, request.caller, request.params, 'edit');
      return { ...layerView(now, request.caller, { lng: request.query.lng }), import: result };
    },
  );
}

/** Of a form also its variables; any other body is the file. */
const parametersOfImport = (request: FastifyRequest): Record<string, unknown> =>
  request.upload ? parametersOf(request) : (request.query as Record<string, unknown>);

function importOptions(
  parameters: Record<string, unknown>,
): Pick<ImportOptions, 'action' | 'srs' | 'language' | 'localized' | 'skipErrors'> {
  const { action = '2', srs, lng, localized, skip_errors } = parameters as Record<string, string | undefined>;
  if (action !== '1' && action !== '2') {
    throw badRequest('action must be 1 (replace) or 2 (merge)', { parameters: ['action'] });
  }
  return {
    action: action === '1' ? 'replace' : 'merge',
    srs: srs || undefined,
    language: lng ? checkLanguage(lng) : undefined,
    localized: partsOf(localized),
    skipErrors: isOn(skip_errors),
  };
}

/** The parts of a list with commas; none of an absent or empty one. */
const partsOf = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

function exportRoute(app: App, { db, config, engine, closing }: Work): void {
  app.get(
    `${path}/export`,
    {
      schema: {
        tags,
        summary: 'Export a layer to a file',
        params: Path('map', 'layer'),
        querystring: ExportQuery,
        response: answers(Type.Unknown(), 'The file'),
      },
    },
    async (request, reply) => {
      const { query, caller } = request;
      const layer = await findLayer(db, caller, request.params, 'view');
      const format = exportFormat(query.format);
      const signal = AbortSignal.any([request.gone, closing]);
      const main = languagesOf(layer, caller)[0]!;
      const options: ExportOptions = {
        languages: languagesOf(layer, caller),
        wanted: partsOf(query.langs).map(checkLanguage),
        ids: query.feature_ids ? idsOf(query.feature_ids) : undefined,
        boxes: query.fbbox ? boxesOf(parseBox(query.fbbox), query.bboxSR ?? '4326') : undefined,
        filter: query.filter
          ? parseListQuery({ filter: query.filter }, layer, main, config).filter
          : undefined,
        signal,
      };
      const { file, filename, type } = await exportFile(db, layer, {
        format,
        options,
        isZip: isOn(query.zip),
        encoding: query.encoding ? parseEncoding(query.encoding) : undefined,
        conversion: { engine, dataFolder: config.dataFolder, limit: config.temporaryLimit, signal },
      });
      reply.type(type).header('content-disposition', `attachment; filename="${filename}"`);
      return reply.send(file);
    },
  );
}

function idsOf(list: string): number[] {
  const ids = partsOf(list).map(Number);
  if (!ids.length || !ids.every(Number.isSafeInteger)) {
    throw badRequest('feature_ids must be ids separated by commas', { parameters: ['feature_ids'] });
  }
  return [...new Set(ids)];
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
      const { css_style, ...view } = layerView(layer, caller, { lng: request.query.lng });
      return view;
    },
  );
}
