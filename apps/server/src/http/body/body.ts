import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { badRequest, ServiceError } from '../errors.js';
import { yieldToOthers } from '../event-loop.js';
import { bodyTooLarge } from './body-limits.js';
import { discardRest } from './incoming.js';
import { parseJson, pieceSize } from './json.js';
import type { App } from './service.js';

/** A file that is still on its way: read `stream` to its end or destroy it. */
export interface Upload {
  /** The form variable. */
  field: string;
  /** As the client named it: not a path, not to be trusted. */
  filename: string;
  mime: string;
  stream: Readable;
  /** All variables of the form, those behind the file too: known when the stream has been read to its end. */
  fields: Promise<Record<string, string>>;
}

/** Most fields of a form: more than all parameters of a function. */
const fieldLimit = 1_000;

/** Largest form, and largest sum of the fields of a multipart form, bytes. */
const formLimit = 2 * 1024 * 1024;

const multipartLimits = { fieldSize: formLimit, fields: 100, files: 1, parts: 101, headerPairs: 100 };

/**
 * Teaches the app the bodies of the interface: JSON (also without a content type, or behind the form type that
 * `curl -d` sends), forms, and multipart, of which the fields before the first file become the body and the file
 * becomes `request.upload`. An empty body is `{}`.
 */
export function acceptBodies(app: App): void {
  app.removeAllContentTypeParsers();
  const whole = { parseAs: 'buffer' } as const;
  const parsedBy = (parse: (body: Buffer) => Promise<unknown>) => (request: FastifyRequest, body: Buffer) => {
    request.hasLargeBody = body.length > pieceSize;
    return parse(body);
  };
  app.decorateRequest('hasLargeBody', false);
  app.addContentTypeParser(['application/json', 'text/plain', '*'], whole, parsedBy(parseJson));
  app.addContentTypeParser('application/x-www-form-urlencoded', whole, parsedBy(parseForm));
  acceptMultipart(app);
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined || request.body === null)
      request.body = request.routeOptions.schema?.body ? {} : request.body;
  });
  // What is refused early is still on its way.
  app.addHook('onResponse', async (request) => {
    if (!request.raw.readableEnded) discardRest(request);
  });
}

/** Before work of which the time grows with the body: of several large ones each is gone through for itself, and others have their turn between them. */
export async function inOwnTurn({ hasLargeBody }: FastifyRequest): Promise<void> {
  if (hasLargeBody) await yieldToOthers();
}

/** Multipart alone: for the import, which takes every other body as it comes. */
export function acceptMultipart(app: App): void {
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: IncomingMessage) =>
    readMultipart(request, payload),
  );
}

/** A form, or JSON behind the type of one. Throws 400, 413. */
async function parseForm(body: Buffer): Promise<unknown> {
  if (/^\s*[[{]/.test(body.toString('latin1', 0, 1_000))) return parseJson(body);
  if (body.length > formLimit) throw bodyTooLarge(formLimit);
  let fields = 1;
  for (let at = body.indexOf('&'); at >= 0; at = body.indexOf('&', at + 1))
    if (++fields > fieldLimit)
      throw new ServiceError('too_large', `A form has at most ${fieldLimit} fields`, { limit: fieldLimit });
  return plainObject(new URLSearchParams(body.toString()));
}

/** A body that was read by hand, by its content type: a form or JSON. Throws 400, 413. */
export const parseBody = (body: Buffer, type = ''): Promise<unknown> =>
  /^application\/x-www-form-urlencoded\b/i.test(type) ? parseForm(body) : parseJson(body);

/** An object without a prototype's keys, from names and values. The last of equal names wins. */
function plainObject(entries: Iterable<[string, string]>): Record<string, string> {
  const object: Record<string, string> = {};
  for (const [name, value] of entries) if (name !== '__proto__') object[name] = value;
  return object;
}

function readMultipart(request: FastifyRequest, payload: IncomingMessage): Promise<Record<string, string>> {
  const limit = Math.min(request.routeOptions.bodyLimit ?? formLimit, formLimit);
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    let size = 0;
    let finish: (all: Record<string, string>) => void;
    let breakOff: (error: Error) => void;
    const all = new Promise<Record<string, string>>((whole, broken) => {
      finish = whole;
      breakOff = broken;
    });
    all.catch(() => {}); // not everybody asks for them
    const done = (): void => resolve(plainObject(fields));
    const fail = (error: Error): void => {
      reject(error);
      breakOff(error);
    };
    const wrong = (): void => fail(badRequest('The multipart body is not correct'));
    if (!request.routeOptions.config.upload && Number(request.headers['content-length']) > limit)
      return fail(bodyTooLarge(limit));
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({ headers: request.headers as BusboyHeaders, limits: multipartLimits });
    } catch {
      return wrong();
    }
    parser.on('field', (name, value) => {
      size += name.length + Buffer.byteLength(value);
      if (size >= limit) fail(bodyTooLarge(limit));
      else fields.push([name, value]);
    });
    parser.on('fieldsLimit', () =>
      fail(
        new ServiceError('too_large', `A multipart form has at most ${multipartLimits.fields} fields`, {
          limit: multipartLimits.fields,
        }),
      ),
    );
    parser.on('file', (field, stream, filename, _encoding, mime) => {
      // A form that ends too early is told by an event alone: whoever reads later must meet it, and nobody may read.
      stream.on('error', (error) => stream.destroy(error));
      payload.once('close', () => {
        if (payload.readableEnded) return;
        const error = new ServiceError('bad_request', 'The upload was cut off');
        stream.destroy(error);
        breakOff(error);
      });
      request.upload = { field, filename: filename ?? '', mime, stream, fields: all };
      done();
    });
    parser.on('finish', () => {
      done();
      finish(plainObject(fields));
    });
    parser.on('error', wrong);
    payload.on('error', wrong);
    payload.pipe(parser);
  });
}

/** Parameters that may come in the query or in the body alike; the query wins. */
export function parametersOf(request: FastifyRequest): Record<string, unknown> {
  const body =
    typeof request.body === 'object' && request.body !== null && !Array.isArray(request.body)
      ? request.body
      : {};
  return { ...body, ...(request.query as object) };
}
