import type { IncomingMessage } from 'node:http';
import { badRequest, ServiceError } from '@cartulary/errors';
import { yieldToOthers } from '@cartulary/runtime';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app-type.js';
import { bodyTooLarge } from './body-limits.js';
import { discardRest, noteStreamed } from './incoming.js';
import { parseJson, pieceSize } from './json.js';

/** Most fields of a form; no function has as many parameters. */
const fieldLimit = 1_000;

/** Largest form, and largest sum of the fields of a multipart form, bytes. */
const formLimit = 2 * 1024 * 1024;

export const formType = 'application/x-www-form-urlencoded';

const multipartLimits = { fieldSize: formLimit, fields: 100, files: 1, parts: 101, headerPairs: 100 };

/**
 * Registers the parsers of the interface. JSON is accepted without a content type, too, and behind the form
 * type that `curl -d` sends. Of a multipart body the fields before the first file become the body, and the
 * file becomes `request.upload`. An empty body is `{}`.
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
  app.addContentTypeParser(formType, whole, parsedBy(parseForm));
  acceptMultipart(app);
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined || request.body === null)
      request.body = request.routeOptions.schema?.body ? {} : request.body;
    done();
  });
  // The rest of a body may still come after an early refusal.
  app.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.readableEnded) discardRest(request);
    done();
  });
}

/**
 * Yields to other requests before work whose time grows with the body, so that several large bodies do not
 * block the event loop in one go.
 */
export async function yieldForLargeBody({ hasLargeBody }: FastifyRequest): Promise<void> {
  if (hasLargeBody) await yieldToOthers();
}

/** Accepts multipart only, for routes that take every other body as a file. */
export function acceptMultipart(app: App): void {
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: IncomingMessage) =>
    readMultipart(request, payload),
  );
}

const tooManyFields = (what: string, limit: number): ServiceError =>
  new ServiceError('too_large', `${what} has at most ${limit} fields`, { limit });

/** Parses a form, or JSON behind the content type of a form. Throws 400, 413. */
async function parseForm(body: Buffer): Promise<unknown> {
  if (/^\s*[[{]/.test(body.toString('latin1', 0, 1_000))) return parseJson(body);
  if (body.length > formLimit) throw bodyTooLarge(formLimit);
  let fields = 1;
  for (let at = body.indexOf('&'); at >= 0; at = body.indexOf('&', at + 1))
    if (++fields > fieldLimit) throw tooManyFields('A form', fieldLimit);
  const entries: [string, string][] = [];
  for (const piece of piecesOf(body)) {
    if (entries.length) await yieldToOthers();
    entries.push(...new URLSearchParams(piece.toString()));
  }
  return plainObject(entries);
}

/** Accepts forms only, with or without a content type. */
export function acceptForms(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser([formType, '*'], { parseAs: 'buffer' }, async (_: FastifyRequest, body: Buffer) =>
    parseForm(body),
  );
}

/** Divides a form between fields: decoding a large one at once would hold the event loop. */
function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let start = 0; start < body.length; ) {
    const next = body.indexOf('&', start + pieceSize);
    const end = next < 0 ? body.length : next;
    yield body.subarray(start, end);
    start = end + 1;
  }
}

/** Parses a body that was read without Fastify, by its content type: a form or JSON. Throws 400, 413. */
export const parseBody = (body: Buffer, type = ''): Promise<unknown> =>
  /^application\/x-www-form-urlencoded\b/i.test(type) ? parseForm(body) : parseJson(body);

const forms = new WeakSet<object>();

/** Whether a body is the fields of a form, whose values are texts. */
export const isFormBody = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && forms.has(body);

/** An object of names and values, without the key `__proto__`. The last of equal names wins. */
function plainObject(entries: Iterable<[string, string]>): Record<string, string> {
  const object: Record<string, string> = {};
  for (const [name, value] of entries) if (name !== '__proto__') object[name] = value;
  forms.add(object);
  return object;
}

/** The name of a file as it was before a browser wrote it into a form (HTML, 4.10.21.8): there a quotation mark is %22. */
const nameOf = (filename: string): string => filename.replaceAll('%22', '"').replace(/%0[AD]/g, ' ');

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
    all.catch(() => {}); // not every route awaits it
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
    parser.on('fieldsLimit', () => fail(tooManyFields('A multipart form', multipartLimits.fields)));
    parser.on('file', (field, stream, filename, _encoding, mime) => {
      noteStreamed(request);
      // busboy reports a truncated form by an event only. A later reader must see the error, and there may be
      // no reader.
      stream.on('error', (error) => stream.destroy(error));
      payload.once('close', () => {
        if (payload.readableEnded) return;
        const error = new ServiceError('bad_request', 'The upload was cut off');
        stream.destroy(error);
        breakOff(error);
      });
      request.upload = { field, filename: nameOf(filename ?? ''), mime, stream, fields: all };
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

/** Parameters from the query and the body. The query wins. */
export function parametersOf(request: FastifyRequest): Record<string, unknown> {
  const body =
    typeof request.body === 'object' && request.body !== null && !Array.isArray(request.body)
      ? request.body
      : {};
  return { ...body, ...(request.query as object) };
}
