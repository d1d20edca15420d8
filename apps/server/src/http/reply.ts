import type { Socket } from 'node:net';
import { deletedMeanwhile, isDataError, layerQueryFailed } from '@cartulary/database';
import { badRequest, type ErrorCode, requiredMissing, ServiceError } from '@cartulary/errors';
import { busyRetryAfterS, digestOf, ofFullDisk } from '@cartulary/runtime';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { bodyTooLarge } from './body/body-limits.js';
import { isStopping } from './connections/connections.js';
import { errorPage, errorPageHeaders } from './error-page.js';
import { pageLanguages } from './headers/languages.js';

/** Longest text and longest list that an error repeats. */
const maxTextLength = 1_000;
const maxListLength = 10_000;

/** Shortens long input in errors. */
function clipped<T>(value: T): T {
  if (typeof value === 'string' && value.length > maxTextLength)
    return `${value.slice(0, maxTextLength)}…` as T;
  return Array.isArray(value) && value.length > maxListLength ? (value.slice(0, maxListLength) as T) : value;
}

/** Writes every error: JSON for 500 and for clients that accept only JSON, HTML for the others. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asServiceError(thrown, request);
  const { code, message, status } = error;
  const data = error.code === 'internal' ? { request: request.id } : error.data;
  reply.code(status).header('cache-control', 'no-store');
  // Hooks do not run for requests that the router refuses.
  reply.header('x-content-type-options', 'nosniff');
  // The connection stays open and the rest of the body is read. A client that sends everything before it
  // reads would see a broken connection otherwise.
  if (status === 413) reply.removeHeader('connection');
  const wait = data.retry_after ?? (code === 'busy' ? busyRetryAfterS : undefined);
  if (typeof wait === 'number') reply.header('retry-after', String(Math.ceil(wait)));
  const accept = request.headers.accept ?? '';
  if (status === 500 || (accept.includes('application/json') && !accept.includes('text/html'))) {
    // The present version of what was to be changed is whole: the client compares it with its own.
    const whole = code === 'changed_meanwhile';
    return reply
      .type('application/json; charset=utf-8')
      .send(
        JSON.stringify({ error: 'error', code, message, data }, (_key, value) =>
          whole ? value : clipped(value),
        ),
      );
  }
  return reply
    .headers(errorPageHeaders)
    .type('text/html; charset=utf-8')
    .send(
      errorPage({
        ...{ status, code, message: clipped(message), url: request.url },
        languages: pageLanguages(request),
      }),
    );
}

const refusals: Readonly<Record<string, readonly [status: string, code: ErrorCode, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'too_large',
    'The address and the headers are too long',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'timeout', 'The request came too slowly'],
  [isStopping]: ['503 Service Unavailable', 'busy', 'The service is stopping'],
};
const notHttp = ['400 Bad Request', 'bad_request', 'The request is not HTTP'] as const;

/** How long the connection stays open for the client to read the refusal, ms. */
const lingerMs = 1_000;

/**
 * Answers a connection without a complete request: no HTTP, too long headers, too slow, or incomplete at
 * shutdown. There is no request object, so the response is written by hand. Nothing is written to a client
 * that has disconnected.
 */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, code, message] = refusals[error.code ?? ''] ?? notHttp;
  const body = JSON.stringify({ error: 'error', code, message, data: {} });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // A client that continues to send would keep the connection open. An immediate close could hide the
  // response from the client.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

type Problem = NonNullable<FastifyError['validation']>[number];

const nameIn = ({ instancePath, params }: Problem): string =>
  instancePath.slice(1).replaceAll('/', '.') || String(params.missingProperty ?? '');

/** A part of a JSON schema, as far as `missingIn` reads it. */
interface SchemaPart {
  required?: string[];
  items?: SchemaPart;
  properties?: Record<string, SchemaPart>;
}

/** All missing properties of the object that a validation refuses. The validation itself stops at the first. */
function missingIn({ validation, validationContext }: FastifyError, request: FastifyRequest): string[] {
  const first = validation!.map((problem) => String(problem.params.missingProperty));
  const isQuery = validationContext === 'querystring';
  let schema = request.routeOptions.schema?.[isQuery ? 'querystring' : 'body'] as SchemaPart | undefined;
  let sent: unknown = isQuery ? request.query : request.body;
  for (const step of validation![0]!.instancePath.split('/').slice(1)) {
    schema = schema?.items ?? schema?.properties?.[step];
    sent = (sent as Record<string, unknown>)[step];
  }
  const present = (sent ?? {}) as Record<string, unknown>;
  return [...new Set([...first, ...(schema?.required ?? []).filter((name) => present[name] === undefined)])];
}

/** What a value must be. The validator's own words do not name the values of a list. */
function demandOf({ keyword, params, message }: Problem): string {
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`;
  return keyword === 'const' ? `must be ${params.allowedValue}` : message!;
}

/**
 * The message of a failed validation. For alternatives (`anyOf`) it joins the messages about the deepest
 * place.
 */
function validationMessage(problems: readonly Problem[]): string {
  const leaves = problems.filter(({ keyword }) => keyword !== 'anyOf');
  const parts = leaves.length ? leaves : problems;
  const deepest = Math.max(...parts.map(({ instancePath }) => instancePath.length));
  const own = parts.filter(({ instancePath }) => instancePath.length === deepest);
  const said = [...new Set(own.map(demandOf))].join(' or ');
  return `${own[0]!.instancePath.slice(1)} ${said}`.trim();
}

/**
 * Converts an error of Fastify to one of the catalogue. An unexpected error becomes `internal` and is logged
 * with its stack.
 */
export function asServiceError(thrown: unknown, request: FastifyRequest): ServiceError {
  const known = ofFullDisk(thrown);
  if (known instanceof ServiceError) return known;
  const error = thrown as FastifyError;
  if (error.validation) {
    if (error.validation.every((problem) => problem.keyword === 'required'))
      return requiredMissing(...missingIn(error, request));
    return badRequest(`${error.validationContext ?? 'request'}: ${validationMessage(error.validation)}`, {
      parameters: [...new Set(error.validation.map(nameIn).filter(Boolean))],
    });
  }
  if (error.statusCode === 414) return new ServiceError('too_large', 'The address is too long', {}, 414);
  if (error.code === 'FST_ERR_BAD_URL') return badRequest('The address is not correctly encoded');
  if (error.statusCode === 413) return bodyTooLarge(request.routeOptions.bodyLimit!);
  // A folder of static files, which has no index page.
  if (error.statusCode === 403)
    return new ServiceError('container_not_found', 'There is nothing at this address');
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new ServiceError('bad_request', error.message, {}, error.statusCode);
  }
  const gone = request.cancellation?.signal;
  if (gone?.aborted) return gone.reason as ServiceError;
  const deleted = deletedMeanwhile(thrown);
  if (deleted) return deleted;
  const { method, url } = request.routeOptions;
  request.log.error({ err: thrown, route: `${method} ${url}` }, 'unforeseen fault');
  if (isDataError(thrown)) return layerQueryFailed();
  return new ServiceError(
    'internal',
    `The request failed because of a fault of the service (request ${request.id})`,
  );
}

/**
 * The path of a project in this version of the interface, as clients reach it, without a slash at the end.
 */
export function projectPath({ baseUrl }: { baseUrl: string }, project: string): string {
  const root = baseUrl ? new URL(baseUrl).pathname.replace(/\/$/, '') : '';
  return `${root}/api/2.8/${project}`;
}

/** A strong ETag of the inputs of a response. */
export const etagOf = (...inputs: unknown[]): string => `"${digestOf(JSON.stringify(inputs)).slice(0, 27)}"`;

/** Sets the ETag, and answers 304 to a client that has this version already. Returns whether it answered. */
export function sentUnchanged(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  const isKnown = hasTag(request.headers['if-none-match'], etag);
  if (isKnown) reply.code(304).send();
  return isKnown;
}

/** What a proxy that compresses answers appends to their ETags: Apache and Caddy -gzip, others --gzip. */
const codingMark = /^--?(?:gzip|deflate|br|zstd)"$/;

/**
 * Whether a header of conditions names an ETag. A proxy that compresses makes it weak, as nginx, or appends the coding, and passes on
 * what the client sends back.
 */
export const hasTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((sent) => {
    const tag = sent.trim().replace(/^W\//, '');
    // An ETag may itself end with a hyphen, so the mark is what follows the whole of it.
    const opened = etag.slice(0, -1);
    return (
      tag === '*' || tag === etag || (tag.startsWith(opened) && codingMark.test(tag.slice(opened.length)))
    );
  }) ?? false;

/**
 * `Cache-Control`: clients revalidate each time, which costs one query and answers 304. Shared caches may
 * store only responses to the public.
 */
export const cacheControl = (request: { token: string | undefined }, isPublic: boolean): string =>
  `${isPublic && request.token === undefined ? 'public' : 'private'}, no-cache`;

/** The same bytes as a Buffer, without a copy. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
