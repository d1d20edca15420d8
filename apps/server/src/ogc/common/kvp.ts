import { ServiceError } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { App } from '../../http/app-type.js';
import { acceptForms, formType, isFormBody, parametersOf } from '../../http/body/body.js';
import { Path } from '../../http/params.js';
import { otherMediaType } from './problem.js';

/** The parameters of a request in the query, whose names have no case. */
export type KvpParameters = ReadonlyMap<string, string>;

/** Parameters whose values are names of the standards: programs write them in either case. */
const named: ReadonlySet<string> = new Set(['service', 'request', 'version']);

/**
 * Reads the query. An empty value counts as absent. A parameter may come again with its value: QGIS adds `SERVICE` and `REQUEST` to
 * an address that has them. Throws an error for two different values.
 */
export function kvpOf(query: Readonly<Record<string, unknown>>): KvpParameters {
  const found = new Map<string, string>();
  for (const [name, sent] of Object.entries(query)) {
    const key = name.toLowerCase();
    const comparable = (value: string): string => (named.has(key) ? value.toLowerCase() : value);
    for (const value of [sent].flat()) {
      const before = found.get(key) ?? value;
      if (typeof value !== 'string' || comparable(String(before)) !== comparable(value))
        throw new ServiceError('bad_request', `${name.slice(0, 100)} must be given once`, {
          parameters: [name.slice(0, 100)],
          exception: 'InvalidParameterValue',
        });
      if (value !== '') found.set(key, value);
    }
  }
  return found;
}

/** A media type in lower case. A plus sign in an address is a blank, which no type has. */
export const mediaTypeIn = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/ (json|xml)/, '+$1');

/** The parameters that a request sends: those of its query, and of a form in its body. */
export const sentParameters = (request: FastifyRequest): Record<string, unknown> =>
  isFormBody(request.body) ? parametersOf(request) : ((request.query ?? {}) as Record<string, unknown>);

/** Takes the parameters of this scope by POST, too: a filter may be longer than an address. Bodies are forms, whose type OWSLib does not say. */
function acceptKvpForms(app: App): void {
  acceptForms(app);
  app.addHook('preParsing', async ({ headers, method }) => {
    const type = (headers['content-type'] ?? formType).split(';')[0]!.trim().toLowerCase();
    if (method === 'POST' && type !== formType) throw otherMediaType([formType], type);
  });
}

interface KvpRoute {
  summary: string;
  /** The parameters, in the query and in a form alike. */
  parameters: TObject;
  response: Record<string, unknown>;
  answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** Registers the operations of a map by GET, and by POST of a form, in this scope. */
export function kvpRoutes(app: App, { summary, parameters, response, answer }: KvpRoute): void {
  const config = { work: 'tiles' } as const;
  const schema = { tags: ['tiles'], params: Path('map'), querystring: parameters, response };
  acceptKvpForms(app);
  app.get('/:map', { config, schema: { ...schema, summary } }, answer);
  app.post(
    '/:map',
    {
      config,
      schema: {
        ...schema,
        summary: `${summary}; parameters in a form`,
        consumes: [formType],
        body: parameters,
      },
    },
    answer,
  );
}

/** An error of a filter with the name under which the request sent it: doors take `cql_filter`, too, and the functions below do not know it. */
export function asSent(error: ServiceError, request: FastifyRequest): ServiceError {
  const sent = new Set(Object.keys(sentParameters(request)).map((name) => name.toLowerCase()));
  const { parameters } = error.data;
  const isOther =
    Array.isArray(parameters) && parameters[0] === 'filter' && sent.has('cql_filter') && !sent.has('filter');
  if (!isOther) return error;
  const message = error.message.replace(/^filter\b/, 'cql_filter');
  return new ServiceError(error.code, message, { ...error.data, parameters: ['cql_filter'] }, error.status);
}
