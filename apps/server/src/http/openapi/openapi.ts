import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { OpenAPIV3_1 } from 'openapi-types';
import type { App } from '../app-type.js';
import { basePath } from '../params.js';
import { errorSchema } from './openapi-errors.js';
import { anyToken, completeOperations } from './openapi-operations.js';
import { pageTheme } from './openapi-page.js';

/**
 * Base path of the interface. `openapi.json` and `docs/` lie beside the projects, so these two are no project
 * codes.
 */
const base = '/api/2.8';

/** The ways of sending a token. */
const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'query',
    name: 'token',
    description: 'The token that login/ returned',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token in a header' },
  xToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Token',
    description: 'The same token in a header',
  },
} as const;

/**
 * Collects the routes that are registered after it into one OpenAPI 3.1 document. Serves it as JSON and as an
 * interactive page.
 */
export async function documentRoutes(
  app: App,
  { version, baseUrl }: { version: string; baseUrl: string },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Cartulary, REST interface 2.8',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
        description:
          'Catalogs of geographic data: projects hold maps, maps hold folders and layers, layers hold columns and objects. ' +
          'Errors below 500 are HTML pages, or the JSON error object for clients that accept `application/json` alone; 500 is always the JSON error object. ' +
          'Switches are read in any case (`true`, `True`), and so are languages (`ru`, `RU`); an empty optional parameter is the same as an absent one. ' +
          'The values of a form are read by the types of their parameters.',
      },
      servers: [{ url: basePath(baseUrl) || '/', description: 'This service' }],
      tags: tags.map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes,
        schemas: { Error: errorSchema as unknown as OpenAPIV3_1.SchemaObject },
      },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => ({
      schema: describeToken(schema ?? {}, url, route.config),
      url: withSlash(url),
    }),
    transformObject: (document) =>
      'openapiObject' in document
        ? (completeOperations(document.openapiObject as OpenAPIV3_1.Document) as OpenAPIV3_1.Document)
        : document.swaggerObject,
  });
  app.get(`${base}/openapi.json`, { schema: { hide: true } }, async () => app.swagger());
  await app.register(swaggerUi, {
    staticCSP: pagePolicy,
    uiHooks: {
      onRequest: (_request, reply, next) => {
        reply.header('referrer-policy', 'same-origin');
        next();
      },
    },
    routePrefix: `${base}/docs`,
    uiConfig: { docExpansion: 'none', deepLinking: true, tryItOutEnabled: true },
    theme: pageTheme,
  });
}

/** Content security policy of the page. It forbids frames, since functions can be called from the page. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The hash of the inline style of Swagger UI; another version of it has another hash.
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** In reading order. The tags of routes that are missing here come after them. */
const tags = [
  ['authentication', 'Sessions: sign in, sign out, act for another user'],
  ['projects', 'The installation: its versions and its projects, which are catalogs of maps'],
  ['maps', 'Maps, their trees of layers and their publication'],
  ['folders', 'Folders of a map, which group its layers'],
  ['layers', 'Layers of a map: names, styles, settings, extents'],
  ['structure', 'Columns of a layer: their types, titles, formats'],
  ['objects', 'Objects of a layer: lists, filters, single objects, geometries'],
  ['transfer', 'Import and export of the objects of a layer'],
  ['jobs', 'Imports and exports that go on after their request: how far they are, what they came to'],
  ['constraints', 'What values the columns of a layer may have, and the dictionaries they come from'],
  ['files', 'Files of objects'],
  ['search', 'Search in the layers and objects of a map'],
  ['images', 'Pictures, at the size that is asked for'],
  ['tiles', 'Raster tiles of maps and icons of layers'],
  ['ogc', 'OGC API Features of maps, for QGIS, GDAL and other programs; errors are problem details'],
  ['icons', 'Icons that styles, layers and folders name'],
  ['users', 'Users of a project and their groups'],
  ['rights', 'Who may do what: grants on projects, maps and layers'],
] as const;

/** Paths are documented with a slash at the end; both forms are served. */
const withSlash = (url: string): string => (/\/$|\.:?[a-z]+$/.test(url) ? url : `${url}/`);

type DocumentedRoute = { token?: 'required' | 'own' } | undefined;

/** Documents the token of a function: required, optional, or none. */
function describeToken<S extends object>(schema: S, url: string, config: DocumentedRoute): S {
  if ('security' in schema) return schema;
  if (config?.token === 'required') return { ...schema, security: anyToken };
  const isInProject = url.includes(':project') && config?.token !== 'own';
  return { ...schema, security: isInProject ? [{}, ...anyToken] : [] };
}
