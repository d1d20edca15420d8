import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { OpenAPIV3_1 } from 'openapi-types';
import { errorCatalogue } from '../errors.js';
import type { App } from './service.js';

/** Where the interface begins; `openapi.json` and `docs/` lie beside the projects, so these two are no project codes. */
const base = '/api/2.8';

/** Collects the routes that are added after it into one OpenAPI 3.1 document, served as JSON and as a page to read and try. */
export async function documentRoutes(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Cartulary, REST interface 2.8',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'Catalogs of geographic data: projects hold maps, maps hold folders and layers, layers hold columns and objects. ' +
          'Errors below 500 are HTML pages, or the JSON error object for clients that accept `application/json` alone; 500 is always the JSON error object.',
      },
      servers: [{ url: '/', description: 'This service' }],
      tags: tags.map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          token: {
            type: 'apiKey',
            in: 'query',
            name: 'token',
            description: 'The token that login/ returned',
          },
          bearer: { type: 'http', scheme: 'bearer' },
        },
        schemas: { Error: errorSchema },
      },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => ({
      schema: describeErrors(schema ?? {}, route.config),
      url: withSlash(url),
    }),
  });
  app.get(`${base}/openapi.json`, { schema: { hide: true } }, async () => app.swagger());
  await app.register(swaggerUi, {
    routePrefix: `${base}/docs`,
    uiConfig: { docExpansion: 'none', deepLinking: true, tryItOutEnabled: false },
    theme: { title: 'Cartulary: the REST interface' },
  });
}

const tags = [
  ['authentication', 'Sessions'],
  ['users', 'Users and groups of a project'],
  ['rights', 'Who may do what'],
  ['projects', 'Catalogs of the installation'],
  ['maps', 'Maps and their publication'],
  ['folders', 'Folders of a map'],
  ['layers', 'Layers of a map'],
  ['structure', 'Columns of a layer'],
  ['objects', 'Objects of a layer'],
  ['transfer', 'Import and export'],
  ['tiles', 'Raster tiles and icons'],
] as const;

const errorSchema: OpenAPIV3_1.SchemaObject = {
  type: 'object',
  required: ['error', 'code', 'message', 'data'],
  properties: {
    error: { type: 'string', enum: ['error', 'warning', 'notice'] },
    code: { type: 'string', enum: Object.keys(errorCatalogue) },
    message: { type: 'string', description: 'What is wrong, for a person' },
    data: { type: 'object', description: 'What is wrong, by name, such as {"columns": ["pop"]}' },
  },
};

/** Paths are written with a slash at the end; both forms are served. */
const withSlash = (url: string): string => (/\/$|\.[a-z]+$/.test(url) ? url : `${url}/`);

const errorAnswer = (description: string): object => ({
  description,
  content: {
    'text/html': { schema: { type: 'string' } },
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
  },
});

type DocumentedRoute = { token?: 'required' | 'own' } | undefined;

/** Adds to a route's schema what all routes share: the session's token and the forms of errors. */
function describeErrors<S extends object>(schema: S, config: DocumentedRoute): S {
  const { response } = schema as { response?: object };
  return {
    ...schema,
    ...(config?.token === 'required' ? { security: [{ token: [] }, { bearer: [] }] } : {}),
    response: {
      ...response,
      '4XX': errorAnswer('The request cannot be understood, or names what is not there or not allowed'),
      500: {
        description: 'The request failed while it was executed',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}
