import { ServiceError } from '@cartulary/errors';
import { busyRetryAfterS } from '@cartulary/runtime';
import { asServiceError } from '../../http/reply.js';
import { asSent } from './kvp.js';
import { doorStatus, type SendError } from './problem.js';
import { xmlValue } from './xml.js';

/** Codes of exceptions of OGC Web Services Common 1.1 (OGC 06-121r3, table 25) and of WMTS 1.0 (OGC 07-057r7, table 24). */
type ExceptionCode =
  | 'OperationNotSupported'
  | 'MissingParameterValue'
  | 'InvalidParameterValue'
  | 'VersionNegotiationFailed'
  | 'TileOutOfRange'
  | 'OptionNotSupported'
  | 'OperationParsingFailed'
  | 'InvalidValue'
  | 'NoApplicableCode';

const locatorOf = ({ data }: ServiceError): string | undefined => {
  const names = data.parameters ?? data.required;
  return Array.isArray(names) && typeof names[0] === 'string' ? names[0] : undefined;
};

function codeOf({ code, data }: ServiceError): ExceptionCode {
  if (typeof data.exception === 'string') return data.exception as ExceptionCode;
  if (code === 'required_missing') return 'MissingParameterValue';
  if (code === 'method_not_allowed') return 'OperationNotSupported';
  if (code === 'value_invalid' || code === 'constraint_violated') return 'InvalidValue';
  return code === 'bad_request' || code === 'layer_not_found' ? 'InvalidParameterValue' : 'NoApplicableCode';
}

/** An exception report, with the status and the headers of its answer. */
interface ExceptionReport {
  xml: string;
  status: number;
  headers: Record<string, string>;
}

/** Writes an error as an exception report. `request`: the id of the request, which names a fault of the service. */
function exceptionReport(error: ServiceError, version = '1.1.0'): ExceptionReport {
  const locator = locatorOf(error);
  const { retry_after: wait } = error.data;
  const seconds =
    typeof wait === 'number' ? Math.ceil(wait) : error.code === 'busy' ? busyRetryAfterS : undefined;
  return {
    status: doorStatus(error),
    headers: {
      'cache-control': 'no-store',
      'content-type': 'application/xml; charset=utf-8',
      ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
    },
    xml: `<?xml version="1.0" encoding="UTF-8"?>
<ExceptionReport xmlns="http://www.opengis.net/ows/1.1" version="${version}" xml:lang="en">
  <Exception exceptionCode="${codeOf(error)}"${locator === undefined ? '' : ` locator="${xmlValue(locator)}"`}>
    <ExceptionText>${xmlValue(error.message)}</ExceptionText>
  </Exception>
</ExceptionReport>
`,
  };
}

/** Writes every error of a service as an exception report of OWS Common. `version`: that of the report. */
export const exceptionSender =
  (version?: string): SendError =>
  (thrown, request, reply) => {
    const { xml, status, headers } = exceptionReport(
      asSent(asServiceError(thrown, request), request),
      version,
    );
    return reply.code(status).headers(headers).send(xml);
  };

/** An error with a code of OGC Web Services. */
export const owsError = (exception: ExceptionCode, message: string, ...parameters: string[]): ServiceError =>
  new ServiceError('bad_request', message, { parameters, exception });
