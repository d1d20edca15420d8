import type { OpenAPIV3_1 } from 'openapi-types';
import { notModifiedMeaning, pathParts } from '../params.js';
import { errorAnswers } from './openapi-errors.js';
import { exampleOf, type Schema } from './openapi-examples.js';

/**
 * Completes the operations of the OpenAPI document from the properties of each route. Pure, over the finished
 * document.
 */

type Operation = OpenAPIV3_1.OperationObject;
type Parameter = OpenAPIV3_1.ParameterObject & { schema?: Schema };
type Media = { schema?: Schema; example?: unknown; examples?: unknown };

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** The ways to send the token of a session; any one of them suffices. */
export const anyToken = [{ token: [] }, { bearer: [] }, { xToken: [] }];

/** Adds to every operation its name, its errors, and an example for each parameter, body and response. */
export function completeOperations(document: Partial<OpenAPIV3_1.Document>): Partial<OpenAPIV3_1.Document> {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const operation = item?.[method];
      // The methods of one route share an object.
      if (item && operation)
        Object.assign(item, { [method]: completed(path, method, structuredClone(operation as Operation)) });
    }
  }
  return document;
}

function completed(path: string, method: string, operation: Operation): Operation {
  operation.operationId = operationId(path, method);
  for (const parameter of (operation.parameters ?? []) as Parameter[]) describeParameter(parameter);
  if (!operation.requestBody && isUpload(path, method)) operation.requestBody = fileBody;
  const body = operation.requestBody as { content: Record<string, Media>; required?: boolean } | undefined;
  if (body) {
    for (const media of Object.values(body.content)) giveExample(media);
    if (isOptional(body.content['application/json']?.schema)) body.required = false;
  }
  const security = operation.security ?? [];
  const takesToken = security.length > 0;
  const given = (operation.responses ?? {}) as Record<string, { content?: Record<string, Media> }>;
  for (const [status, response] of Object.entries(given)) {
    if (status === '204' || status === '304') {
      delete response.content;
      continue;
    }
    // The swagger plugin leaves out a content that is null.
    response.content ??= { 'application/json': { schema: { type: 'null' }, example: null } };
    for (const media of Object.values(response.content ?? {})) giveExample(media);
  }
  const file = given[200];
  if (file && path.endsWith('/export/')) file.content = exported;
  const takes = (header: string): boolean =>
    ((operation.parameters ?? []) as Parameter[]).some(({ name }) => name === header);
  const errors = errorAnswers({
    path: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!),
    tags: operation.tags ?? [],
    door: path.split('/')[1] ?? '',
    // An unused body is parsed, too.
    hasBody: method !== 'get',
    takesToken: takesToken || /\/logout\/$/.test(path),
    signsIn: /\/(login|login\/password|ext-login|ext-auth)\/$/.test(path),
    isConditional: takes('if-match'),
    upload: { isProtocol: method !== 'get' && takes('tus-resumable'), takesPart: takes('upload-offset') },
    isCounted: /\/(import|export|events|uploads)\/$/.test(path),
  });
  operation.responses = { ...notModified(method, given), ...errors, ...given } as OpenAPIV3_1.ResponsesObject;
  return operation;
}

/** A response with an ETag may be answered 304. */
const notModified = (method: string, given: Record<string, { content?: object }>): object =>
  method === 'get' && Object.keys(given[200]?.content ?? {}).some((type) => type.startsWith('image/'))
    ? { 304: { description: notModifiedMeaning } }
    : {};

/**
 * The method and the words of the path: `getMapLayerObjects`. A plural before the parameter that it names is
 * left out, so that the names stay stable between versions of the document.
 */
function operationId(path: string, method: string): string {
  const parts = path
    .replace(/^\/api\/2\.8\/\{project\}/, '')
    .split('/')
    .filter(Boolean);
  const words = parts.filter((part, i) => parts[i + 1] !== `{${part.replace(/s$/, '')}}`);
  const name = words
    .join('-')
    .replace(/[{}]/g, '')
    .replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
  return `${method}${name || 'Project'}`;
}

function describeParameter(parameter: Parameter): void {
  const { name, schema = {} } = parameter;
  const known = parameter.in === 'path' ? pathParts[name] : undefined;
  parameter.description ??= schema.description ?? known?.[0] ?? name;
  if (parameter.example !== undefined || parameter.examples !== undefined) return;
  const example = known && schema.type === 'string' ? known[1] : exampleOf(schema, name);
  if (example !== '') parameter.example = example;
}

function giveExample(media: Media): void {
  const { schema } = media;
  if (!schema || media.example !== undefined || media.examples !== undefined) return;
  media.example = isBinary(schema) ? '(bytes)' : exampleOf(schema);
}

const isBinary = (schema: Schema & { format?: string }): boolean => schema.format === 'binary';

/** Whether the body may be absent: null is accepted, or no property is required. */
const isOptional = (schema: Schema | undefined): boolean =>
  schema !== undefined &&
  ([schema.type].flat().includes('null') ||
    (schema.anyOf ?? []).some(({ type }) => type === 'null') ||
    (schema.type === 'object' && !schema.required?.length));

/** Whether a function reads a file from the stream, which its schema does not describe. */
const isUpload = (path: string, method: string): boolean =>
  method === 'post' && /\/(import|files)\/$/.test(path);

const collection = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { name: 'Jardin du Luxembourg', hectares: 23 },
      geometry: { type: 'Point', coordinates: [2.3372, 48.8462] },
    },
  ],
};

/** The media type of an export depends on its format. */
const exported: Record<string, Media> = {
  'application/geo+json': { schema: { type: 'object' }, example: collection },
  '*/*': { schema: { type: 'string', format: 'binary' } as Schema, example: '(bytes)' },
};

const fileBody: OpenAPIV3_1.RequestBodyObject = {
  description: 'The file: the body itself, or the variable `file` of a form',
  required: true,
  content: {
    'application/json': { schema: { type: 'object', description: 'GeoJSON' }, example: collection },
    'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file'],
        properties: { file: { type: 'string', format: 'binary', description: 'The file' } },
      },
      example: { file: '(bytes)' },
    },
  },
};
