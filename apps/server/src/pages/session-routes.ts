import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { sql } from '@cartulary/sql';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { sessionsOf, signIn, signOut } from '../access/page-sessions.js';
import type { Config } from '../config.js';
import type { App } from '../http/app-type.js';
import { isFromOwnPage } from '../http/origin.js';

const path = '/pages/session';
const text = (maxLength: number) => Type.String({ maxLength });

/** Services that this file uses. */
export interface PageSessionServices {
  readonly db: Database;
  readonly config: Config;
}

/** Routes of sign-in at the pages. */
export function pageSessionRoutes(app: App, services: PageSessionServices): void {
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    prepare(request, reply, services);
    const projects = await services.db.query<{ code: string }>(
      sql`select code from cartulary.project order by id limit 2`,
    );
    return {
      sessions: await sessionsOf(request, services),
      // With a single project the user does not have to enter its code.
      project: projects.length === 1 ? projects[0]!.code : null,
    };
  });

  const body = Type.Object({ project: text(63), login: text(1000), password: text(10_000) });
  app.post(path, { schema: { hide: true, body } }, async (request, reply) => {
    prepare(request, reply, services);
    const { session, cookie } = await signIn(request, services, request.body);
    reply.header('set-cookie', cookie);
    return session;
  });

  const querystring = Type.Object({ project: text(63) });
  app.delete(path, { schema: { hide: true, querystring } }, async (request, reply) => {
    prepare(request, reply, services);
    reply.header('set-cookie', await signOut(request, services, request.query.project));
    // Clears private maps from the browser's cache.
    reply.header('clear-site-data', '"cache"');
    return true;
  });
}

/** Throws 403 unless one of our own pages sent the request, so that no other site signs users in or out. */
function prepare(
  request: FastifyRequest,
  reply: FastifyReply,
  { config }: Pick<PageSessionServices, 'config'>,
): void {
  if (!isFromOwnPage(request, config))
    throw new ServiceError('forbidden', 'Only the pages of this service may ask for this');
  reply.header('cache-control', 'private, no-store');
}
