import { type ErrorCode, ServiceError } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { asServiceError, sendError } from '../../http/reply.js';
import { sendJson } from './addresses.js';
import { wantsPage } from './requests.js';

/** Writes an error. */
export type SendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Failures of the service itself. Of the others, those that the interface answers with 500 are mistakes of the request. */
const ownFailures: readonly ErrorCode[] = ['internal', 'query_invalid', 'export_failed'];

/** The status of an error in the doors of the standards. */
export function doorStatus({ code, status }: ServiceError): number {
  if (code === 'project_not_found') return 404;
  return status === 500 && !ownFailures.includes(code) ? 400 : status;
}

/** Writes every error of the doors as problem details (RFC 9457) with the code of the catalogue; for browsers as a page. */
export const sendProblem: SendError = (thrown, request, reply) => {
  const error = asServiceError(thrown, request);
  const status = doorStatus(error);
  if (wantsPage(request) && status < 500) return sendError(error, request, reply).code(status);
  const { code, message } = error;
  const data = code === 'internal' ? { request: request.id } : error.data;
  const wait = data.retry_after;
  if (typeof wait === 'number') reply.header('retry-after', String(Math.ceil(wait)));
  else if (code === 'busy') reply.header('retry-after', '1');
  reply.code(status).header('cache-control', 'no-store');
  return sendJson(reply, 'application/problem+json', {
    type: 'about:blank',
    title: code,
    status,
    detail: message,
    code,
    data,
  });
};

/** The error of a body of another media type. */
export const otherMediaType = (types: readonly string[], type: string): ServiceError =>
  new ServiceError(
    'bad_request',
    `Content-Type: the body is ${types.join(' or ')}, not '${type.slice(0, 100)}'`,
    { parameters: ['Content-Type'], types },
    415,
  );
