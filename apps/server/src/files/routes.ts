import { Readable } from 'node:stream';
import type { Database } from '@cartulary/database';
import { badRequest, requiredMissing, ServiceError } from '@cartulary/errors';
import { contentDisposition } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { accountOf, mainLanguage } from '../access/caller.js';
import { spellLanguages } from '../access/languages.js';
import type { Config } from '../config.js';
import { checkLanguage } from '../containers/names.js';
import type { App, Upload } from '../http/app-type.js';
import { parametersOf } from '../http/body/body.js';
import { discardRest } from '../http/body/incoming.js';
import { answers, bytesAs, ofContent, orNotModified, Path, Query } from '../http/params.js';
import { cacheControl, etagOf, projectPath, sentUnchanged } from '../http/reply.js';
import { findLayer, type Layer, withLayer } from '../layers/layers.js';
import { demandWritable } from '../objects/store.js';
import type { ByteRange, FileStorage } from '../storage/storage.js';
import { wholeUpload } from '../uploads/store.js';
import { essence, isShown } from './mime.js';
import { rangeOf } from './range.js';
import { receiveFile, uploadedFile, uploadOf } from './receive.js';
import {
  addFile,
  demandObject,
  type FilePlace,
  fileColumn,
  findFile,
  isNamed,
  listFiles,
  removeFile,
  type StoredFile,
} from './store.js';

/** Services that this file uses. */
export interface FileServices {
  readonly db: Database;
  readonly storage: FileStorage;
  readonly config: Config;
}

const tags = ['files'];
const path = '/:map/layers/:layer/objects/:object/files';
const integer = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const ObjectPath = Type.Object({ ...Path('map', 'layer').properties, object: integer });

const FileAnswer = Type.Object({
  name: Type.String({ description: 'Name of the uploaded file' }),
  path: Type.String({ description: 'URL of its content' }),
  mime: Type.String({ description: 'Media type, told by the content' }),
  id: Type.Integer({ description: 'In the list of its column' }),
  uuid: Type.String({ format: 'uuid' }),
});

const field = Type.Optional(Type.String({ description: 'Code of the file column; may stand in the form' }));

/** Routes of the files of objects. */
export function fileRoutes(app: App, services: FileServices): void {
  adding(app, services);
  removing(app, services);
  listing(app, services);
  serving(app, services);
}

/** A file in the form of the interface. */
function fileView({ config }: FileServices, project: string, file: StoredFile): Record<string, unknown> {
  const { name, mime, id, uuid } = file;
  return { name, path: `${projectPath(config, project)}/files/${uuid}/`, mime: essence(mime), id, uuid };
}

/**
 * The object and column of a file, by the parameters. Throws `required_missing`, 404 `column_not_found`, 400.
 */
function placeOf(
  request: FastifyRequest,
  at: { layer: Layer; objectId: number },
  parameters: Record<string, unknown>,
): FilePlace {
  const { field: code, lng } = parameters;
  if (typeof code !== 'string' || code === '') throw requiredMissing('field');
  const column = fileColumn(at.layer, code);
  if (lng !== undefined && typeof lng !== 'string')
    throw badRequest('lng must be a language code', { parameters: ['lng'] });
  const language = lng ? checkLanguage(lng) : mainLanguage(request.caller);
  return { ...at, column, language: column.localized_value ? language : null };
}

function adding(app: App, services: FileServices): void {
  const { db, storage, config } = services;
  app.post(
    path,
    {
      // `uploadOf` and `receiveFile` enforce the limit and leave the connection open for the response.
      config: { token: 'required', upload: true },
      onResponse: async (request) => discardRest(request),
      schema: {
        tags,
        summary: 'Add a file to an object',
        description:
          'A multipart form with the variable `file`; `field` and `lng` are further variables of it or parameters of the query. The file comes at the end of the list in its column.',
        params: ObjectPath,
        querystring: Query({
          field,
          upload: Type.Optional(
            Type.String({ description: 'Id of a resumable upload in place of the form' }),
          ),
        }),
        response: answers(FileAnswer, 'The file'),
      },
    },
    async (request) => {
      const find = () => findWritable(db, request);
      const layer = await find();
      if (!layer.columns.some(({ type }) => type === 'file'))
        throw badRequest(`The layer '${layer.code}' has no file columns`);
      const at = { layer, objectId: request.params.object };
      await demandObject(db, layer, at.objectId);
      const { upload: id } = request.query;
      const upload =
        id === undefined
          ? uploadOf(request, config.fileLimitBytes)
          : uploadedFile(await wholeUpload(db, config, request.caller, id), config.fileLimitBytes);
      // The parameters of the query are checked before the bytes are read.
      if (parametersOf(request).field !== undefined) placeOf(request, at, parametersOf(request));
      const received = await receiveFile(storage, upload, config.fileLimitBytes);
      try {
        const parameters = { ...(await fieldsOf(upload)), ...request.query };
        spellLanguages(parameters, request.caller);
        const accountId = accountOf(request.caller).id;
        const file = await withLayer(find, (present) => {
          const place = placeOf(request, { ...at, layer: present }, parameters);
          return db
            .for(request.owner)
            .transaction((tx) => addFile(tx, place, { ...received, accountId }), request.gone);
        });
        await storage.settle(received.content);
        return fileView(services, request.caller.project.code, file);
      } catch (error) {
        await discard(services, received.content);
        throw error;
      }
    },
  );
}

/** The variables of a form; none of a resumable upload. */
const fieldsOf = async (upload: Partial<Upload>): Promise<Record<string, string>> =>
  (await upload.fields) ?? {};

type ObjectRequest = Pick<FastifyRequest, 'caller'> & { params: { map: string; layer: string } };

/** The layer of a write on files. */
async function findWritable(db: Database, { caller, params }: ObjectRequest): Promise<Layer> {
  const layer = await findLayer(db, caller, params, 'edit');
  demandWritable(layer);
  return layer;
}

/**
 * Removes bytes that no file names; the sweep retries a failure. The database is asked first, since a commit
 * without an answer may have taken place.
 */
async function discard({ db, storage }: FileServices, content: string): Promise<void> {
  try {
    if (!(await isNamed(db, content))) await storage.delete(content);
  } catch {}
}

function removing(app: App, services: FileServices): void {
  const { db } = services;
  app.delete(
    `${path}/:file`,
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Delete a file of an object',
        params: Type.Object({ ...ObjectPath.properties, file: integer }),
        querystring: Query({ field }),
        body: Type.Object(
          { field, lng: Type.Optional(Type.String({ description: 'As in the query' })) },
          { nullable: true },
        ),
        response: answers(Type.Null()),
      },
    },
    async (request, reply) => {
      const { params } = request;
      const content = await withLayer(
        () => findWritable(db, request),
        (layer) => {
          const place = placeOf(request, { layer, objectId: params.object }, parametersOf(request));
          return db.for(request.owner).transaction((tx) => removeFile(tx, place, params.file));
        },
      );
      await discard(services, content);
      return reply.type('application/json; charset=utf-8').send('null');
    },
  );
}

function listing(app: App, services: FileServices): void {
  const { db } = services;
  app.get(
    path,
    {
      schema: {
        tags,
        summary: 'The files of an object',
        description: 'In the order of the columns and of their lists, each with the code of its column.',
        params: ObjectPath,
        querystring: Query({ field }),
        response: answers(Type.Array(Type.Object({ ...FileAnswer.properties, field: Type.String() }))),
      },
    },
    async ({ caller, params, query }) => {
      const layer = await findLayer(db, caller, params, 'view');
      const column = query.field === undefined ? undefined : fileColumn(layer, query.field);
      const languages = { lng: query.lng, main: mainLanguage(caller) };
      const files = await listFiles(db, layer, { objectId: params.object, column, ...languages });
      return files.map((file) => ({ ...fileView(services, caller.project.code, file), field: file.field }));
    },
  );
}

const Content = orNotModified(bytesAs('The content', '*/*'));

/** A file may run and load nothing in a browser, wherever it is opened. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; sandbox";

function serving(app: App, { db, storage }: FileServices): void {
  app.get(
    '/files/:uuid',
    {
      schema: {
        tags,
        summary: 'The content of a file',
        description:
          'Whole or, with `Range`, a part of it. What a browser could execute (HTML, SVG, XML) is sent to be saved.',
        params: Path('uuid'),
        querystring: Type.Object({ f: ofContent.f, token: ofContent.token }),
        response: Content,
      },
    },
    async (request, reply) => {
      const file = await findFile(db, request.caller, request.params.uuid);
      const etag = etagOf(file.uuid);
      reply.header('cache-control', cacheControl(request, file.isPublic));
      if (sentUnchanged(request, reply, etag)) return reply;
      const range = rangeOf(request, reply, file.size, etag);
      // The response to HEAD has no bytes; an empty stream leaves its headers unchanged.
      const bytes = request.method === 'HEAD' ? Readable.from([]) : await storage.get(file.content, range);
      if (!bytes) throw lost(request, file);
      return sendContent(reply, file, { range, bytes });
    },
  );
}

/** The error for a file without bytes: the folder was changed outside of the service. */
function lost(request: FastifyRequest, file: StoredFile): ServiceError {
  request.log.error({ file: file.uuid, content: file.content }, 'the bytes of a file are not in the storage');
  return new ServiceError('file_not_found', `The content of the file ${file.uuid} is lost`);
}

function sendContent(
  reply: FastifyReply,
  { name, mime, size }: StoredFile,
  { range, bytes }: { range: ByteRange | undefined; bytes: Readable },
): FastifyReply {
  const { first, last } = range ?? { first: 0, last: size - 1 };
  if (range) reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`);
  return reply
    .header('accept-ranges', 'bytes')
    .header('content-length', String(last - first + 1))
    .header('content-disposition', contentDisposition(isShown(mime) ? 'inline' : 'attachment', name))
    .header('content-security-policy', policy)
    .type(mime)
    .send(bytes);
}
