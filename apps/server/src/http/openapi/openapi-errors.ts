import { type ErrorCode, errorCatalogue } from '@cartulary/errors';

/**
 * The error responses of the OpenAPI document, from the catalogue of errors and the properties of a function.
 */

/** The properties of a function that determine its errors. */
export interface ErrorContext {
  /** Names of the parameters of its path. */
  path: readonly string[];
  tags: readonly string[];
  /** First word of its path. */
  door: string;
  hasBody: boolean;
  /** Whether the function accepts or requires a token. */
  takesToken: boolean;
  /** Whether the function checks a password or an external token. */
  signsIn: boolean;
  /** Whether the function takes If-Match. */
  isConditional: boolean;
  /** Whether the function belongs to the protocol of resumable uploads, and whether it takes a part of a file. */
  upload: { isProtocol: boolean; takesPart: boolean };
  /** Whether the number of simultaneous requests of a caller is limited. */
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

/** The error of an unknown resource, by its path parameter. */
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

/** Errors during execution, by tag. A function with another tag may answer any 500 of the catalogue. */
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
  ogc: ['query_invalid'],
};

const withStatus = (status: number): ErrorCode[] =>
  (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) => errorCatalogue[code][0] === status);

const report = { schema: { type: 'string', description: 'An exception report' }, example: '<?xml …' };

/** Forms of errors that the doors of the OGC standards have of their own, by the first word of their path. */
const doorForms: Readonly<Record<string, Record<string, object>>> = {
  ogc: {
    'application/problem+json': {
      schema: { type: 'object', description: 'Problem details: type, title, status, detail, code and data' },
      example: { type: 'about:blank', title: 'bad_request', status: 400, detail: 'limit: must be 1 or more' },
    },
  },
  wms: { 'text/xml': report, 'application/vnd.ogc.se_xml': report },
  wmts: { 'application/xml': report },
  wfs: { 'application/xml': report },
};

/**
 * The error responses by status, with the codes of each. Doors have forms of their own beside those of the interface, which
 * answer what is refused before a door is found: an address that cannot be read, another method.
 */
export function errorAnswers(context: ErrorContext): Record<string, object> {
  const all = interfaceErrors(context) as Record<string, { content: object }>;
  const forms = doorForms[context.door];
  return Object.fromEntries(
    Object.entries(all).map(([status, one]) => [status, { ...one, content: { ...forms, ...one.content } }]),
  );
}

function interfaceErrors(context: ErrorContext): Record<string, object> {
  const { path, tags, hasBody, takesToken, signsIn, isCounted, isConditional, upload } = context;
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
    ...(isConditional
      ? { 412: answer('Another version is stored than If-Match names', ['changed_meanwhile']) }
      : {}),
    ...(upload.isProtocol ? { 412: answer('`Tus-Resumable` names another version', ['bad_request']) } : {}),
    ...(upload.takesPart
      ? {
          409: answer('The upload continues elsewhere; `data.offset` says where', ['bad_request']),
          460: answer('The part does not have its checksum', ['bad_request']),
        }
      : {}),
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

/** One error response: as HTML and JSON, or as JSON only. */
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
