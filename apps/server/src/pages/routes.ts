import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '@cartulary/database';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Caller } from '../access/caller.js';
import { callersOfRequest } from '../access/page-sessions.js';
import type { Config } from '../config.js';
import type { App } from '../http/app-type.js';
import { wayUp } from '../http/error-page.js';
import { pageLanguages } from '../http/headers/languages.js';
import { isFromOwnPage, searchOf } from '../http/origin.js';
import { etagOf, sentUnchanged } from '../http/reply.js';
import { builtPages, docsPolicy, type PageTemplate, readPage, renderPage } from './html.js';
import { findMapPage, listMaps } from './maps.js';
import { pageSessionRoutes } from './session-routes.js';

/** Services that this file uses. */
export interface PageServices {
  readonly db: Database;
  readonly config: Config;
}

const hide = { hide: true } as const;

/** Routes of the pages: the list of maps, a page for each map, the console, and their assets. Registered at the root. */
export async function pageRoutes(app: App, services: PageServices): Promise<void> {
  const home = readPage('home');
  const consolePage = readPage('console');
  pageSessionRoutes(app, services);

  app.get('/', { schema: hide }, (request, reply) =>
    sendPage(reply, home, { url: request.url, title: 'Cartulary', status: 200, frameAncestors: "'none'" }),
  );

  mapRoutes(app, services);

  // The console finds out itself what an address below it means.
  for (const path of ['/console', '/console/*'])
    app.get(path, { schema: hide }, (request, reply) =>
      sendPage(reply, consolePage, {
        url: request.url,
        title: 'Console · Cartulary',
        status: 200,
        frameAncestors: "'none'",
      }),
    );

  await serveDocs(app);
  await serveAssets(app);
}

/** The list of maps, and the page of each. */
function mapRoutes(app: App, services: PageServices): void {
  const { db, config } = services;
  const { frameAncestors } = config;
  const viewer = readPage('viewer');
  const readers = (request: FastifyRequest): Promise<Caller[]> => callersOfRequest(request, services);

  app.get(
    '/pages/maps.json',
    {
      schema: { ...hide, querystring: Type.Object({ project: optionalText, map: optionalText }) },
    },
    async (request, reply) => {
      const callers = isFromOwnPage(request, config) ? await readers(request) : [];
      const maps = await listMaps(db, callers, request.query);
      reply
        .header('cache-control', callers.length ? 'private, no-cache' : 'no-cache')
        .header('vary', 'Cookie');
      if (sentUnchanged(request, reply, etagOf(maps))) return reply;
      return maps;
    },
  );

  app.get(
    '/maps/:project/:map',
    {
      schema: {
        ...hide,
        params: Type.Object({ project: Type.String(), map: Type.String() }),
        // The page itself ignores a code that is none.
        querystring: Type.Object({ lng: Type.Optional(Type.Unknown()) }),
      },
    },
    async (request, reply) => {
      const query = searchOf(request.url);
      const [path = ''] = request.url.split('?', 1);
      if (!path.endsWith('/')) {
        const last = path.slice(path.lastIndexOf('/') + 1);
        return reply.redirect(`./${last}/${query ? `?${query}` : ''}`, 301);
      }
      const callers = await readers(request);
      const languages = pageLanguages(request);
      const found = await findMapPage(db, callers, { ...request.params, languages });
      reply.header('vary', 'Accept-Language, Cookie');
      return sendPage(reply, viewer, {
        url: request.url,
        frameAncestors,
        ...found,
        isOwn: callers.length > 0,
      });
    },
  );

  app.get('/maps/*', { schema: hide }, (request, reply) =>
    sendPage(reply, viewer, { url: request.url, title: 'Cartulary', status: 404, frameAncestors }),
  );
}

const optionalText = Type.Optional(Type.String({ maxLength: 100 }));

interface SentPage {
  url: string;
  title: string;
  status: number;
  /** Origins that may show the page in a frame. */
  frameAncestors: string;
  /** Whether the page depends on a session: its title may be that of a private map. */
  isOwn?: boolean;
}

function sendPage(
  reply: FastifyReply,
  template: PageTemplate,
  { url, title, status, frameAncestors, isOwn = false }: SentPage,
): FastifyReply {
  const { html, headers } = renderPage(template, { url, title, frameAncestors });
  reply.code(status).headers(headers);
  if (isOwn) reply.header('cache-control', 'private, no-cache');
  return reply.send(html);
}

/** Serves the built documentation. */
async function serveDocs(app: App): Promise<void> {
  const root = join(builtPages, 'docs');
  if (!existsSync(root)) return;
  // The guide begins at the start of the documentation.
  for (const path of ['/docs', '/docs/guide', '/docs/guide/index.html'])
    app.get(path, { schema: hide }, (request, reply) =>
      reply.redirect(`${wayUp(request.url)}/docs/index.html`, 302),
    );
  await app.register(fastifyStatic, {
    root,
    prefix: '/docs/',
    decorateReply: false,
    index: false,
    cacheControl: false,
    schemaHide: true,
    setHeaders: (reply) => {
      reply.header('cache-control', 'no-cache');
      reply.header('x-content-type-options', 'nosniff');
      reply.header('content-security-policy', docsPolicy);
    },
  });
}

/**
 * Serves scripts, styles and pictures. Their names contain a hash of their content, so browsers may cache
 * them for ever.
 */
async function serveAssets(app: App): Promise<void> {
  const root = join(builtPages, 'assets');
  if (!existsSync(root)) return;
  await app.register(fastifyStatic, {
    root,
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    schemaHide: true,
    setHeaders: (reply) => {
      reply.header('x-content-type-options', 'nosniff');
    },
  });
}
