import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { failsNow, failsOnData } from '../db/pool.js';
import { badRequest, type ErrorCode, ServiceError } from '../errors.js';
import { bodyTooLarge } from './body-limits.js';
import { isStopping } from './connections.js';
import { errorPage, errorPageHeaders } from './error-page.js';
import { retryAfter } from './turns.js';

/** Longest text that an error repeats, and most items of a list. */
const longestText = 1_000;
const longestList = 10_000;

/** What was sent is not sent back as a whole. */
function clipped<T>(value: T): T {
  if (typeof value === 'string' && value.length > longestText) return `${value.slice(0, longestText)}…` as T;
  return Array.isArray(value) && value.length > longestList ? (value.slice(0, longestList) as T) : value;
}

/** The one writer of errors: JSON for 500 and for those who ask for JSON alone, HTML for the rest. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = asServiceError(thrown, request);
  const { code, message, status } = error;
  const data = error.code === 'internal' ? { request: request.id } : error.data;
  reply.code(status).header('cache-control', 'no-store');
  // The rest of the body is let run out: who sends all of it before reading would find the connection broken instead.
  if (status === 413) reply.removeHeader('connection');
  const wait = data.retry_after ?? (code === 'busy' ? retryAfter : undefined);
  if (typeof wait === 'number') reply.header('retry-after', String(Math.ceil(wait)));
  const accept = request.headers.accept ?? '';
  if (status === 500 || (accept.includes('application/json') && !accept.includes('text/html'))) {
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ error: 'error', code, message, data }, (_key, value) => clipped(value)));
  }
  return reply
    .headers(errorPageHeaders)
    .type('text/html; charset=utf-8')
    .send(errorPage({ status, code, message: clipped(message), url: request.url }));
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

/** How long a connection stays open for its client to read why it ends, ms. */
const lingerMs = 1_000;

/**
 * Answers what is not HTTP, has too long headers, comes too slowly or has not come when the service ends: there is no whole request, so the answer is written by
 * hand. One that came after the client had gone is not answered.
 */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, code, message] = refusals[error.code ?? ''] ?? notHttp;
  const body = JSON.stringify({ error: 'error', code, message, data: {} });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // A client that sends on would keep it open; one that is cut off at once may not see the answer.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

/** Turns what Fastify throws into our catalogue, and what nobody foresaw into `internal`, which is logged with its stack. */
export function asServiceError(thrown: unknown, request: FastifyRequest): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  const error = thrown as FastifyError;
  if (error.validation) {
    const names = error.validation.map(
      (problem) =>
        problem.instancePath.slice(1).replaceAll('/', '.') || String(problem.params.missingProperty ?? ''),
    );
    if (error.validation.every((problem) => problem.keyword === 'required')) {
      const required = error.validation.map((problem) => String(problem.params.missingProperty));
      return new ServiceError('required_missing', `Required: ${required.join(', ')}`, { required });
    }
    return badRequest(`${error.validationContext ?? 'request'}: ${error.message.replace(/^\w+\//, '')}`, {
      parameters: names.filter(Boolean),
    });
  }
  if (error.statusCode === 414) return new ServiceError('too_large', 'The address is too long', {}, 414);
  if (error.code === 'FST_ERR_BAD_URL') return badRequest('The address is not correctly encoded');
  if (error.statusCode === 413) return bodyTooLarge(request.routeOptions.bodyLimit!);
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new ServiceError('bad_request', error.message, {}, error.statusCode);
  }
  if (request.gone?.aborted) return request.gone.reason as ServiceError;
  request.log.error({ err: thrown }, 'unforeseen fault');
  if (failsOnData(thrown)) return failsNow();
  return new ServiceError(
    'internal',
    `The request failed because of a fault of the service (request ${request.id})`,
  );
}

/** The path of a project in this version of the interface, as clients reach it; without a slash at the end. */
export function projectPath({ baseUrl }: { baseUrl: string }, project: string): string {
  const root = baseUrl ? new URL(baseUrl).pathname.replace(/\/$/, '') : '';
  return `${root}/api/2.8/${project}`;
}

/** A strong ETag over the inputs of an answer. */
export const etagOf = (...inputs: unknown[]): string =>
  `"${createHash('sha256').update(JSON.stringify(inputs)).digest('base64url').slice(0, 27)}"`;

/** Sets the ETag and says whether the client has it already: then answer with `reply.code(304).send()`. */
export function isFresh(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  return hasTag(request.headers['if-none-match'], etag);
}

/** Whether the header If-None-Match names an ETag. */
export const hasTag = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*') ?? false;

/** `Cache-Control`: always asked for again, which costs one query and answers 304; others than the client may keep only what the public sees. */
export const cacheControl = (request: { token: string | undefined }, isPublic: boolean): string =>
  `${isPublic && request.token === undefined ? 'public' : 'private'}, no-cache`;

/** The same bytes as a Buffer, which is what is sent. */
export const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
