import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { common } from '../http/params.js';
import { etagOf, isFresh } from '../http/reply.js';
import type { App, Services } from '../http/service.js';
import { builtPages, docsPolicy, type PageTemplate, readPage, renderPage } from './html.js';
import { findPage, listMaps } from './maps.js';

const hide = { hide: true } as const;

/** The pages for people: the list of maps, a page per map, and what they load. Registered at the root. */
export async function pageRoutes(app: App, services: Services): Promise<void> {
  const { db, config } = services;
  const { frameAncestors } = config;
  const home = readPage('home');
  const viewer = readPage('viewer');

  app.get('/', { schema: hide }, (request, reply) =>
    sendPage(reply, home, { url: request.url, title: 'Cartulary', status: 200, frameAncestors: "'none'" }),
  );

  app.get(
    '/pages/maps.json',
    {
      schema: {
        ...hide,
        querystring: Type.Object({ lng: common.lng, project: optionalText, map: optionalText }),
      },
    },
    async (request, reply) => {
      const maps = await listMaps(db, request.query);
      if (isFresh(request, reply.header('cache-control', 'no-cache'), etagOf(maps)))
        return reply.code(304).send();
      return maps;
    },
  );

  app.get(
    '/maps/:project/:map',
    { schema: { ...hide, params: Type.Object({ project: Type.String(), map: Type.String() }) } },
    async (request, reply) => {
      const [path, query] = request.url.split('?');
      if (!path!.endsWith('/')) {
        const last = path!.slice(path!.lastIndexOf('/') + 1);
        return reply.redirect(`./${last}/${query ? `?${query}` : ''}`, 301);
      }
      return sendPage(reply, viewer, {
        url: request.url,
        frameAncestors,
        ...(await findPage(db, request.params)),
      });
    },
  );

  app.get('/maps/*', { schema: hide }, (request, reply) =>
    sendPage(reply, viewer, { url: request.url, title: 'Cartulary', status: 404, frameAncestors }),
  );

  await serveDocs(app);
  await serveAssets(app);
}

const optionalText = Type.Optional(Type.String({ maxLength: 100 }));

interface SentPage {
  url: string;
  title: string;
  status: number;
  /** Who may show it in a frame. */
  frameAncestors: string;
}

function sendPage(
  reply: FastifyReply,
  template: PageTemplate,
  { url, title, status, frameAncestors }: SentPage,
): FastifyReply {
  const { html, headers } = renderPage(template, { url, title, frameAncestors });
  return reply.code(status).headers(headers).send(html);
}

/** The documentation, as it was built. */
async function serveDocs(app: App): Promise<void> {
  const root = join(builtPages, 'docs');
  if (!existsSync(root)) return;
  app.get('/docs', { schema: hide }, (request, reply) =>
    reply.redirect(request.url.split('?')[0]!.endsWith('/') ? './index.html' : './docs/index.html', 302),
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

/** Scripts, styles and pictures of the pages: their names change with what is in them, so they may be kept for ever. */
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
