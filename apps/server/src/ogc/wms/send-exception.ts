import { asServiceError } from '../../http/reply.js';
import { sentParameters } from '../common/kvp.js';
import type { SendError } from '../common/problem.js';
import { wmsExceptions } from './exceptions.js';
import { answeredVersion } from './parameters.js';

/** Writes every error of WMS as a service exception report. */
export const sendWmsException: SendError = (thrown, request, reply) => {
  const { version, VERSION = version } = sentParameters(request);
  const { xml, status, headers } = wmsExceptions(asServiceError(thrown, request), answeredVersion(VERSION));
  return reply.code(status).headers(headers).send(xml);
};
