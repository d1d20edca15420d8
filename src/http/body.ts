import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { badRequest, ServiceError } from '../errors.js';
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

const limits = { fieldSize: 1024 * 1024, fields: 100, files: 1, parts: 101, headerPairs: 100 };

/**
 * Teaches the app the bodies of the interface: JSON (also without a content type, or behind the form type that
 * `curl -d` sends), forms, and multipart, of which the fields before the first file become the body and the file
 * becomes `request.upload`. An empty body is `{}`.
 */
export function acceptBodies(app: App): void {
  app.removeAllContentTypeParsers();
  const text = { parseAs: 'string' } as const;
  app.addContentTypeParser(['application/json', 'text/plain', '*'], text, (_request, body, done) => {
    try {
      done(null, parseJson(body as string));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', text, (_request, body, done) => {
    try {
      done(null, parseForm(body as string));
    } catch (error) {
      done(error as Error);
    }
  });
  acceptMultipart(app);
  app.addHook('preValidation', async (request) => {
    if (request.body === undefined || request.body === null)
      request.body = request.routeOptions.schema?.body ? {} : request.body;
  });
}

/** Multipart alone: for the import, which takes every other body as it comes. */
export function acceptMultipart(app: App): void {
  app.addContentTypeParser('multipart/form-data', (request: FastifyRequest, payload: IncomingMessage) =>
    readMultipart(request, payload),
  );
}

/** Parses JSON; the keys `__proto__` and `constructor.prototype` are refused. Throws 400. */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text, refusePrototype);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw badRequest('The body is not valid JSON');
  }
}

function refusePrototype(key: string, value: unknown): unknown {
  if (key === '__proto__') throw badRequest('The key __proto__ is not allowed');
  return value;
}

/** A form, or JSON behind the type of one. Throws 400. */
const parseForm = (text: string): unknown =>
  /^\s*[[{]/.test(text) ? parseJson(text) : plainObject(new URLSearchParams(text));

/** A body that was read by hand, by its content type: a form or JSON. Throws 400. */
export const parseBody = (text: string, type = ''): unknown =>
  /^application\/x-www-form-urlencoded\b/i.test(type) ? parseForm(text) : parseJson(text);

/** An object without a prototype's keys, from names and values. The last of equal names wins. */
function plainObject(entries: Iterable<[string, string]>): Record<string, string> {
  const object: Record<string, string> = {};
  for (const [name, value] of entries) if (name !== '__proto__') object[name] = value;
  return object;
}

function readMultipart(request: FastifyRequest, payload: IncomingMessage): Promise<Record<string, string>> {
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    let finish: (all: Record<string, string>) => void;
    let breakOff: (error: Error) => void;
    const all = new Promise<Record<string, string>>((whole, broken) => {
      finish = whole;
      breakOff = broken;
    });
    all.catch(() => {}); // not everybody asks for them
    const done = (): void => resolve(plainObject(fields));
    const fail = (): void => {
      const error = badRequest('The multipart body is not correct');
      reject(error);
      breakOff(error);
    };
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({ headers: request.headers as BusboyHeaders, limits });
    } catch {
      return fail();
    }
    parser.on('field', (name, value) => fields.push([name, value]));
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
    parser.on('error', fail);
    payload.on('error', fail);
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
