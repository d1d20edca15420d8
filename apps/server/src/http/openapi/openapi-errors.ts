import { type ErrorCode, errorCatalogue } from '../errors.js';

/** The answers of the OpenAPI document for what can go wrong, from the catalogue of errors and what is known of a function. */

/** What decides which errors a function can answer. */
export interface ErrorContext {
  /** Names of the parts of its path. */
  path: readonly string[];
  tags: readonly string[];
  hasBody: boolean;
  /** Whether a token can be sent, or must be. */
  takesToken: boolean;
  /** Whether it checks a password or a token of others. */
  signsIn: boolean;
  /** Whether a caller may have only so many of it at once. */
  isCounted: boolean;
}

export const errorSchema = {
  type: 'object',
  required: ['error', 'code', 'message', 'data'],
  properties: {
    error: { type: 'string', enum: ['error', 'warning', 'notice'] },
    code: { type: 'string', enum: Object.keys(errorCatalogue), description: 'What is wrong, for a program' },
    message: { type: 'string', description: 'What is wrong, for a person' },
    data: { type: 'object', description: 'What is wrong, by name, such as {"columns": ["pop"]}' },
  },
} as const;

/** What is not found, by the part of the path that names it. */
const notFound: Readonly<Record<string, ErrorCode>> = {
  map: 'map_not_found',
  layer: 'layer_not_found',
  folder: 'container_not_found',
  field: 'column_not_found',
  object: 'object_not_found',
  file: 'file_not_found',
  uuid: 'file_not_found',
  job: 'job_not_found',
};

const ofCodes: readonly ErrorCode[] = ['code_taken', 'code_invalid', 'code_reserved'];

/** What fails while a function of a subject is executed; of another subject it may be any of the catalogue. */
const failures: Readonly<Record<string, readonly ErrorCode[]>> = {
  authentication: ['required_missing'],
  users: ['required_missing', 'code_taken'],
  rights: ['required_missing'],
  projects: ['required_missing', ...ofCodes],
  maps: ['required_missing', ...ofCodes, 'style_invalid'],
  folders: ['required_missing', ...ofCodes],
  layers: ['required_missing', ...ofCodes, 'style_invalid', 'query_invalid', 'not_materialized'],
  structure: ['required_missing', 'type_missing', ...ofCodes, 'style_invalid', 'constraint_violated'],
  objects: [
    'required_missing',
    'filter_column_not_selected',
    'value_invalid',
    'constraint_violated',
    'query_invalid',
  ],
  transfer: [
    'required_missing',
    'format_invalid',
    'import_failed',
    'export_failed',
    'import_georeference_missing',
    'constraint_violated',
    'query_invalid',
  ],
  jobs: [],
  tiles: ['required_missing', 'style_invalid', 'query_invalid'],
};

const withStatus = (status: number): ErrorCode[] =>
  (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => errorCatalogue[code][0] === status);

/** The answers by status. Each names the codes that may stand in it. */
export function errorAnswers(context: ErrorContext): Record<string, object> {
  const { path, tags, hasBody, takesToken, signsIn, isCounted } = context;
  const found = path.flatMap((part) => notFound[part] ?? []);
  const inProject = path.includes('project');
  const failing = tags.flatMap((tag) => failures[tag] ?? withStatus(500));
  const executing = new Set<ErrorCode>([
    'internal',
    ...(inProject ? ['project_not_found' as const] : []),
    ...failing,
  ]);
  return {
    400: answer('The request is not correct', ['bad_request']),
    ...(takesToken ? { 401: answer('The token is absent or no longer good', ['not_authenticated']) } : {}),
    ...(takesToken || signsIn ? { 403: answer('The rights do not allow it', forbidden(context)) } : {}),
    ...(path.length
      ? {
          404: answer('What the path or the request names does not exist', [
            ...new Set([...found, 'container_not_found' as const]),
          ]),
        }
      : {}),
    405: answer('The path has no such method; `Allow` names those it has', ['method_not_allowed']),
    ...(hasBody
      ? {
          408: answer('The body comes too slowly', ['timeout'], false),
          413: answer('The body is too large', ['too_large']),
          415: answer('The media type of the body is not understood', ['bad_request']),
        }
      : {}),
    ...(signsIn || isCounted
      ? {
          429: answer(
            `Too many ${signsIn ? 'failures' : 'at once'}; \`Retry-After\` says how many seconds to wait`,
            ['too_many_requests'],
          ),
        }
      : {}),
    ...(path.length ? { 414: answer('A part of the path is too long', ['too_large']) } : {}),
    431: answer('The address and the headers are too long', ['too_large'], false),
    500: answer('It was understood, but failed while it was executed', [...executing], false),
    503: answer('The service is busy, or the work took too long; ask again', withStatus(503)),
  };
}

const forbidden = ({ signsIn, takesToken }: ErrorContext): ErrorCode[] => [
  ...(signsIn ? (['login_failed'] as const) : []),
  ...(takesToken ? (['forbidden', 'not_owner'] as const) : []),
  ...(signsIn && !takesToken ? (['forbidden'] as const) : []),
];

/** One error: as HTML for people and as JSON for programs, or as JSON alone. */
function answer(description: string, codes: readonly ErrorCode[], isHtmlToo = true): object {
  const schema = { $ref: '#/components/schemas/Error' };
  const examples = Object.fromEntries(
    codes.map((code) => [
      code,
      { value: { error: 'error', code, message: errorCatalogue[code][1], data: {} } },
    ]),
  );
  const html = { schema: { type: 'string' }, example: '<!doctype html>…' };
  return {
    description: `${description}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    content: { ...(isHtmlToo ? { 'text/html': html } : {}), 'application/json': { schema, examples } },
  };
}
