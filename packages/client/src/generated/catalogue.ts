/** Made from the catalogue of errors by `npm run client:types`. Do not edit. */

/** Code → usual status. */
export interface ErrorStatuses {
  internal: 500;
  project_not_found: 500;
  map_not_found: 404;
  container_not_found: 404;
  layer_not_found: 404;
  column_not_found: 404;
  object_not_found: 404;
  file_not_found: 404;
  job_not_found: 404;
  not_authenticated: 401;
  forbidden: 403;
  login_failed: 403;
  bad_request: 400;
  required_missing: 500;
  type_missing: 500;
  code_taken: 500;
  code_invalid: 500;
  code_reserved: 500;
  style_invalid: 500;
  format_invalid: 500;
  filter_column_not_selected: 500;
  value_invalid: 500;
  constraint_violated: 500;
  import_failed: 500;
  export_failed: 500;
  import_georeference_missing: 500;
  not_materialized: 500;
  not_owner: 403;
  query_invalid: 500;
  too_large: 413;
  too_many_requests: 429;
  timeout: 503;
  busy: 503;
  changed_meanwhile: 412;
  method_not_allowed: 405;
}
