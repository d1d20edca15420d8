import type { FastifyReply, FastifyRequest } from 'fastify';
import { asServiceError, sendError } from '../http/reply.js';
import { sendProblem } from './common/problem.js';
import { wmsExceptions } from './wms/exceptions.js';
import { answeredVersion } from './wms/parameters.js';
import { exceptionReport } from './wmts/exceptions.js';

/** Writes an error. */
export type SendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Writes every error of WMS as a service exception report. */
export const sendWmsException: SendError = (thrown, request, reply) => {
  const { version, VERSION = version } = (request.query ?? {}) as Record<string, unknown>;
  const { xml, status, headers } = wmsExceptions(asServiceError(thrown, request), answeredVersion(VERSION));
  return reply.code(status).headers(headers).send(xml);
};

/** Writes every error of a service as an exception report of OWS Common. `version`: that of the report. */
export const exceptionSender =
  (version?: string): SendError =>
  (thrown, request, reply) => {
    const { xml, status, headers } = exceptionReport(asServiceError(thrown, request), version);
    return reply.code(status).headers(headers).send(xml);
  };

const senders: Readonly<Record<string, SendError>> = {
  __proto__: null as never,
  ogc: sendProblem,
  wms: sendWmsException,
  wmts: exceptionSender(),
  wfs: exceptionSender('2.0.0'),
};

/** Writes the error of an address without a route, or of another method: in the form of the service to which the address belongs. */
export const sendUnrouted: SendError = (thrown, request, reply) => {
  // Hooks do not run for requests that the router refuses.
  reply.header('x-content-type-options', 'nosniff');
  const service = request.url.split(/[/?]/, 2)[1] ?? '';
  return (senders[service] ?? sendError)(thrown, request, reply);
};
