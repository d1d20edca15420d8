import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Database } from '@cartulary/database';
import { badRequest, requiredMissing, ServiceError } from '@cartulary/errors';
import { cleanName } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Config } from '../config.js';
import type { App } from '../http/app-type.js';
import { discardRest, limitBytes, noteStreamed, readUpload } from '../http/body/incoming.js';
import { answers, Path, Query } from '../http/params.js';
import { projectPath } from '../http/reply.js';
import {
  createUpload,
  findUpload,
  listUploads,
  removeUpload,
  renewUpload,
  type StoredUpload,
  writeUpload,
} from './store.js';

/** Services that this file uses. */
export interface UploadServices {
  readonly db: Database;
  readonly config: Config;
}

const tusVersion = '1.0.0';
const algorithms = ['sha1', 'sha256'];
/** Largest part with a checksum: it is held in memory until the checksum is known to be right. */
const checkedLimit = 16 * 1024 * 1024;
/** tus: the bytes do not have the checksum that the request states. */
const checksumMismatch = 460;

const tags = ['files'];
const token = { token: 'required' } as const;
const one = '/files/uploads/:upload';

const UploadAnswer = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  size: Type.Integer({ description: 'Bytes of the whole file' }),
  offset: Type.Integer({ description: 'Bytes that have come' }),
  expires: Type.String({ description: 'When it is removed unless bytes come; ISO 8601' }),
});

/** Answers without the JSON that schemas describe, or with another status than 200. */
const noContent = (description: string): Record<string, unknown> => ({ 204: { description } });
const made: Record<string, unknown> = { 201: { ...UploadAnswer, description: 'The upload' } };

const header = (description: string) => Type.Optional(Type.String({ description, maxLength: 10_000 }));
const tusHeaders = { 'tus-resumable': header('1.0.0, the version of the protocol; needed') };

/** Uploads that go on after a broken connection: tus 1.0 with creation, termination, expiration and checksum. */
export async function uploadRoutes(app: App, services: UploadServices): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('tus-resumable', tusVersion).header('cache-control', 'no-store');
  });
  // Behind the check of the token: who may not upload need not learn more.
  app.addHook('preHandler', async ({ method, headers }, reply) => {
    if (method === 'OPTIONS' || method === 'GET' || headers['tus-resumable'] === tusVersion) return;
    reply.header('tus-version', tusVersion);
    throw new ServiceError('bad_request', `The header Tus-Resumable must be ${tusVersion}`, {}, 412);
  });
  // A part of the file is the body as it is.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.headers['upload-checksum'] === undefined) noteStreamed(request);
    done(null, payload);
  });
  app.addHook('onResponse', async (request) => discardRest(request));
  capabilitiesRoute(app, services); // OPTIONS /files/uploads
  createRoute(app, services); // POST /files/uploads
  listRoute(app, services); // GET /files/uploads
  readRoute(app, services); // GET, HEAD /files/uploads/:upload
  appendRoute(app, services); // PATCH /files/uploads/:upload
  removeRoute(app, services); // DELETE /files/uploads/:upload
}

function capabilitiesRoute(app: App, { config }: UploadServices): void {
  app.options('/files/uploads', { schema: { hide: true } }, (_request, reply) =>
    reply
      .code(204)
      .header('allow', 'POST, OPTIONS')
      .header('tus-version', tusVersion)
      .header('tus-extension', 'creation,termination,expiration,checksum')
      .header('tus-checksum-algorithm', algorithms.join(','))
      .header('tus-max-size', String(config.uploadLimitBytes))
      .send(),
  );
}

function createRoute(app: App, { db, config }: UploadServices): void {
  app.post(
    '/files/uploads',
    {
      config: token,
      schema: {
        tags,
        summary: 'Begin an upload that can be resumed',
        description:
          'tus 1.0 (tus.io) with its extensions creation, termination, expiration and checksum. Answers 201 with the address of the upload in `Location`. An import and a file of an object take it as `upload`. An extension of the interface.',
        params: Path(),
        querystring: Query({}),
        headers: Type.Object({
          ...tusHeaders,
          'upload-length': header('Bytes of the whole file; needed'),
          'upload-metadata': header('`filename`, a space, and the name in base64'),
        }),
        response: made,
      },
    },
    async (request, reply) => {
      const { caller, headers } = request;
      const size = headers['upload-length'];
      if (size === undefined) throw requiredMissing('Upload-Length');
      if (!/^\d{1,15}$/.test(size))
        throw badRequest('Upload-Length: must be a number of bytes', { parameters: ['Upload-Length'] });
      const name = nameIn(headers['upload-metadata']);
      const made = await createUpload(db, config, caller, { name, size: Number(size) });
      const path = `${projectPath(config, caller.project.code)}/files/uploads/${made.id}/`;
      reply.code(201).header('location', path);
      return view(reply, { ...made, offset: 0 });
    },
  );
}

/** The name of the file in Upload-Metadata: pairs of a key and a value in base64, with commas. */
function nameIn(metadata: string | undefined): string {
  for (const pair of (metadata ?? '').split(',')) {
    const [key, value = ''] = pair.trim().split(/\s+/);
    if (key === 'filename' || key === 'name') return cleanName(Buffer.from(value, 'base64').toString());
  }
  return cleanName('');
}

/** An upload as JSON, and in the headers of the protocol. */
function view(
  reply: FastifyReply,
  { id, name, size, offset, expires }: StoredUpload & { offset: number },
): StoredUpload & { offset: number } {
  reply
    .header('upload-offset', String(offset))
    .header('upload-length', String(size))
    .header('upload-expires', new Date(expires).toUTCString());
  return { id, name, size, offset, expires };
}

function listRoute(app: App, { db, config }: UploadServices): void {
  app.get(
    '/files/uploads',
    {
      config: token,
      schema: {
        tags,
        summary: 'The uploads of the caller',
        description:
          'Those that are not deleted or expired, the first to expire first. An extension of the interface.',
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Array(UploadAnswer)),
      },
    },
    ({ caller }) => listUploads(db, config, caller),
  );
}

const shared = { tags, params: Path('upload'), querystring: Query({}) };

function readRoute(app: App, { db, config }: UploadServices): void {
  app.get(
    one,
    {
      config: token,
      schema: {
        ...shared,
        summary: 'How far an upload is',
        description: 'Also in the headers `Upload-Offset` and `Upload-Length`, which HEAD answers alone.',
        response: answers(UploadAnswer),
      },
    },
    async ({ caller, params }, reply) => view(reply, await findUpload(db, config, caller, params.upload)),
  );
}

function appendRoute(app: App, { db, config }: UploadServices): void {
  app.patch(
    one,
    {
      config: { ...token, upload: true },
      schema: {
        ...shared,
        summary: 'Send the next part of an upload',
        description:
          'Answers 204. 409 where the upload has come further or less far than `Upload-Offset`; 460 where the part does not have its checksum, and nothing of it is stored. What has come before a connection breaks stays.',
        headers: Type.Object({
          ...tusHeaders,
          'upload-offset': header('Where the part begins: the bytes that have come; needed'),
          'upload-checksum': header('sha1 or sha256, a space, and the checksum of the part in base64'),
        }),
        response: noContent('It has been stored'),
      },
    },
    async (request, reply) => {
      const { caller, params, headers } = request;
      if (!/^application\/offset\+octet-stream\b/i.test(headers['content-type'] ?? ''))
        throw new ServiceError('bad_request', 'The body is application/offset+octet-stream', {}, 415);
      const found = await findUpload(db, config, caller, params.upload);
      const offset = headers['upload-offset'];
      if (offset === undefined) throw requiredMissing('Upload-Offset');
      if (offset !== String(found.offset)) {
        const message = `The upload continues at ${found.offset}`;
        throw new ServiceError('bad_request', message, { offset: found.offset }, 409);
      }
      const bytes = readUpload(request.body as Readable);
      const checked = await checkedPart(bytes, headers['upload-checksum']);
      const at = await writeUpload(found, checked);
      const expires = await renewUpload(db, config, found.id);
      view(reply, { ...found, offset: at, expires });
      return reply.code(204).send();
    },
  );
}

/** The bytes of a part: as they come, or, with a checksum, once it was found right. */
async function checkedPart(
  bytes: AsyncIterable<Buffer>,
  checksum: string | undefined,
): Promise<AsyncIterable<Buffer>> {
  if (checksum === undefined) return bytes;
  const [algorithm = '', expected = ''] = checksum.trim().split(/\s+/);
  if (!algorithms.includes(algorithm))
    throw badRequest(`Upload-Checksum: one of ${algorithms.join(', ')}`, { parameters: ['Upload-Checksum'] });
  const chunks: Buffer[] = [];
  for await (const chunk of limitBytes(bytes, checkedLimit)) chunks.push(chunk);
  const hash = createHash(algorithm);
  for (const chunk of chunks) hash.update(chunk);
  if (hash.digest('base64') !== expected)
    throw new ServiceError('bad_request', 'The part does not have its checksum', {}, checksumMismatch);
  return whole(chunks);
}

async function* whole(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

function removeRoute(app: App, { db, config }: UploadServices): void {
  app.delete(
    one,
    {
      config: token,
      schema: {
        ...shared,
        headers: Type.Object(tusHeaders),
        summary: 'Give up an upload',
        response: noContent('It is gone'),
      },
    },
    async ({ caller, params }: FastifyRequest<{ Params: { upload: string } }>, reply) => {
      const { id } = await findUpload(db, config, caller, params.upload);
      await removeUpload(db, config, id);
      return reply.code(204).send();
    },
  );
}
