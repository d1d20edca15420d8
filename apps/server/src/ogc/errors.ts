import { sendError } from '../http/reply.js';
import { exceptionSender } from './common/ows-exceptions.js';
import { type SendError, sendProblem } from './common/problem.js';
import { sendWmsException } from './wms/send-exception.js';

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
