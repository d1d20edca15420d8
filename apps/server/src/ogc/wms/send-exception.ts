import type { FastifyReply, FastifyRequest } from 'fastify';
import { asServiceError } from '../../http/reply.js';
import { asSent, sentParameters } from '../common/kvp.js';
import type { SendError } from '../common/problem.js';
import { exceptionPicture } from './exception-picture.js';
import { wmsExceptions } from './exceptions.js';
import { answeredVersion } from './parameters.js';

/** Writes an error of WMS as a service exception report. */
export const sendWmsException: SendError = (thrown, request, reply) => {
  const { version, VERSION = version } = sentParameters(request);
  const { xml, status, headers } = wmsExceptions(
    asSent(asServiceError(thrown, request), request),
    answeredVersion(VERSION),
  );
  return reply.code(status).headers(headers).send(xml);
};

/** Creates the function that writes every error of WMS: as the picture that the request wants in its place, or else as a report. */
export const wmsExceptionSender =
  (config: Parameters<typeof exceptionPicture>[2]) =>
  async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const error = asSent(asServiceError(thrown, request), request);
    // Where parameters contradict each other, or the message cannot be drawn, the report tells the error.
    const picture = await exceptionPicture(error, sentParameters(request), config).catch(() => undefined);
    if (!picture) return sendWmsException(error, request, reply);
    return reply.code(200).header('cache-control', 'no-store').type(picture.type).send(picture.bytes);
  };
