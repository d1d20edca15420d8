import { noteTemplates } from './notes.js';

/**
 * The closed catalogue of errors. Every failure that reaches a caller is a `ServiceError` with one of these codes. Any
 * other exception is a bug of the service and becomes `internal`.
 *
 * Statuses: 4xx for a request that is malformed or names something absent or forbidden; 500 where the interface defines
 * a failure during execution.
 */
const catalogue = {
  internal: [500, 'The request failed because of a fault of the service'],
  project_not_found: [500, 'The project does not exist'],
  map_not_found: [404, 'The map does not exist'],
  container_not_found: [404, 'The container does not exist'],
  layer_not_found: [404, 'The layer does not exist'],
  column_not_found: [404, 'The column does not exist'],
  object_not_found: [404, 'The object does not exist'],
  file_not_found: [404, 'The file does not exist'],
  job_not_found: [404, 'The job does not exist'],
  not_authenticated: [401, 'Authentication is required'],
  forbidden: [403, 'Your rights do not allow this'],
  login_failed: [403, 'The login or the password is wrong'],
  bad_request: [400, 'The request is not correct'],
  required_missing: [500, 'A required value is missing'],
  type_missing: [500, 'The column type is missing'],
  code_taken: [500, 'The code is already in use'],
  code_invalid: [500, 'The code is not valid'],
  code_reserved: [500, 'The code is reserved by the service'],
  style_invalid: [500, 'The style is not valid CartoCSS'],
  format_invalid: [500, 'The format is not supported'],
  filter_column_not_selected: [500, 'The filter column must be listed in fields'],
  value_invalid: [500, 'A value cannot be stored in its column'],
  constraint_violated: [500, 'A value violates a constraint'],
  import_failed: [500, 'The import failed; nothing was stored'],
  export_failed: [500, 'The export failed; no file was made'],
  import_georeference_missing: [500, noteTemplates.noGeoreference],
  not_materialized: [500, 'The layer is not a materialized layer'],
  not_owner: [403, 'Only the owner of the layer may do this'],
  query_invalid: [500, 'The query of the layer is not valid'],
  too_large: [413, 'The request is too large'],
  too_many_requests: [429, 'Too many requests; try again later'],
  timeout: [503, 'The request took too long and was stopped'],
  busy: [503, 'The service is busy; try again'],
  changed_meanwhile: [412, 'It has changed since the version that If-Match names'],
  method_not_allowed: [405, 'The method is not allowed here'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof catalogue;

/** Names of the offending parameters or columns: `{ required: ['code'] }`, `{ columns: ['pop'] }`. Part of the response. */
export type ErrorData = Record<string, unknown>;

/** A failure for the caller. The response contains `message` and `data`: never put SQL, paths or stack traces there. */
export class ServiceError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string = catalogue[code][1],
    readonly data: ErrorData = {},
    /** Overrides the catalogue's status, such as 415 for `bad_request`. */
    status?: number,
  ) {
    super(message);
    this.name = 'ServiceError';
    this.status = status ?? catalogue[code][0];
  }
}

/** Status 400. The message names the mistake. */
export const badRequest = (message: string, data: ErrorData = {}): ServiceError =>
  new ServiceError('bad_request', message, data);

/** Required parameters or keys are absent. `data.required` names them. */
export const requiredMissing = (...names: string[]): ServiceError =>
  new ServiceError('required_missing', `Required: ${names.join(', ')}`, { required: names });

/** Statuses and default messages, for the documentation. */
export const errorCatalogue: Readonly<Record<ErrorCode, readonly [number, string]>> = catalogue;
