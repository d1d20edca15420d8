import { type ErrorCode, ServiceError } from '@cartulary/errors';
import { busyRetryAfterS } from '@cartulary/runtime';
import { xmlValue } from '../common/xml.js';

/** The versions of WMS. */
export type WmsVersion = '1.1.1' | '1.3.0';

/** Codes of exceptions of WMS 1.3.0 (OGC 06-042, annex E.2), and those of OGC Web Services Common for the rest. */
type WmsExceptionCode =
  | 'InvalidFormat'
  | 'InvalidCRS'
  | 'LayerNotDefined'
  | 'StyleNotDefined'
  | 'LayerNotQueryable'
  | 'InvalidPoint'
  | 'OperationNotSupported'
  | 'MissingParameterValue'
  | 'InvalidParameterValue';

/** Names of the forms of exceptions by versions, which capabilities list. */
export const exceptionForms = {
  '1.3.0': { xml: 'XML', inimage: 'INIMAGE', blank: 'BLANK' },
  '1.1.1': {
    xml: 'application/vnd.ogc.se_xml',
    inimage: 'application/vnd.ogc.se_inimage',
    blank: 'application/vnd.ogc.se_blank',
  },
} as const;

type ExceptionForm = keyof (typeof exceptionForms)['1.3.0'];

/** The form of exceptions that a request names in either version; XML for others. */
export function exceptionFormOf(text = ''): ExceptionForm {
  const name = text.trim().toLowerCase();
  const forms = ['inimage', 'blank'] as const;
  return forms.find((form) => name === form || name === exceptionForms['1.1.1'][form]) ?? 'xml';
}

/** An error with a code of WMS. */
export const wmsError = (
  exception: WmsExceptionCode,
  message: string,
  ...parameters: string[]
): ServiceError => new ServiceError('bad_request', message, { parameters, exception });

function codeOf({ code, data }: ServiceError, version: WmsVersion): string | undefined {
  const found =
    typeof data.exception === 'string'
      ? data.exception
      : code === 'required_missing'
        ? 'MissingParameterValue'
        : code === 'bad_request'
          ? 'InvalidParameterValue'
          : code === 'method_not_allowed'
            ? 'OperationNotSupported'
            : undefined;
  return found === 'InvalidCRS' && version === '1.1.1' ? 'InvalidSRS' : found;
}

/** Errors of what is asked, which the interface 2.8 answers with 500. */
const statuses: Partial<Record<ErrorCode, number>> = { required_missing: 400, project_not_found: 404 };

/** Writes an error as a service exception report, with the status and the headers of its answer. */
export function wmsExceptions(
  error: ServiceError,
  version: WmsVersion,
): { xml: string; status: number; headers: Record<string, string> } {
  const { retry_after: wait, parameters } = error.data;
  const locator = Array.isArray(parameters) && typeof parameters[0] === 'string' ? parameters[0] : undefined;
  const seconds =
    typeof wait === 'number' ? Math.ceil(wait) : error.code === 'busy' ? busyRetryAfterS : undefined;
  const code = codeOf(error, version);
  const about = [
    code === undefined ? '' : ` code="${code}"`,
    locator === undefined || version === '1.1.1' ? '' : ` locator="${xmlValue(locator)}"`,
  ].join('');
  const root =
    version === '1.3.0'
      ? 'ServiceExceptionReport version="1.3.0" xmlns="http://www.opengis.net/ogc" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.opengis.net/ogc http://schemas.opengis.net/wms/1.3.0/exceptions_1_3_0.xsd"'
      : 'ServiceExceptionReport version="1.1.1"';
  return {
    status: statuses[error.code] ?? error.status,
    headers: {
      'cache-control': 'no-store',
      'content-type':
        version === '1.3.0' ? 'text/xml; charset=utf-8' : 'application/vnd.ogc.se_xml; charset=utf-8',
      ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
    },
    xml: `<?xml version="1.0" encoding="UTF-8"?>
<${root}>
  <ServiceException${about}>${xmlValue(error.message)}</ServiceException>
</ServiceExceptionReport>
`,
  };
}
