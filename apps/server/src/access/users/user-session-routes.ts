import type { Database } from '@cartulary/database';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.js';
import { answers, Path, Query } from '../../http/params.js';
import { demandOnProject } from '../rights.js';
import { findUserId } from '../sign-in/logins.js';
import { SessionAnswer } from '../sign-in/own-routes.js';
import { endOtherSessions, endSession, listSessions } from '../sign-in/own-sessions.js';

/** Services that this file uses. */
export interface UserSessionServices {
  readonly db: Database;
}

const config = { token: 'required' } as const;
const shared = { tags: ['users'], querystring: Query({}) };

/** Routes of the sessions of a user, for administrators of the project. */
export function userSessionRoutes(app: App, { db }: UserSessionServices): void {
  app.get(
    '/users/:login/sessions',
    {
      config,
      schema: {
        ...shared,
        summary: 'The sessions of a user (administrator)',
        description:
          'Each has a token, which nobody can read. The last used first. An extension of the interface.',
        params: Path('login'),
        response: answers(Type.Array(SessionAnswer)),
      },
    },
    async ({ caller, params, token }, reply) => {
      await demandOnProject(db, caller, 'administer');
      reply.header('cache-control', 'private, no-store');
      return listSessions(db, await findUserId(db, caller.project.id, params.login), token ?? '');
    },
  );

  app.delete(
    '/users/:login/sessions',
    {
      config,
      schema: {
        ...shared,
        summary: 'End all sessions of a user (administrator)',
        description:
          'Their tokens are good no longer; that of the request stays. An extension of the interface.',
        params: Path('login'),
        response: answers(Type.Object({ ended: Type.Integer({ description: 'Sessions that were ended' }) })),
      },
    },
    async ({ caller, params, token }) => {
      await demandOnProject(db, caller, 'administer');
      const id = await findUserId(db, caller.project.id, params.login);
      return { ended: await db.shortTransaction((tx) => endOtherSessions(tx, id, token ?? '')) };
    },
  );

  app.delete(
    '/users/:login/sessions/:session',
    {
      config,
      schema: {
        ...shared,
        summary: 'End one session of a user (administrator)',
        description: 'An extension of the interface.',
        params: Path('login', 'session'),
        response: answers(Type.Literal(true)),
      },
    },
    async ({ caller, params }) => {
      await demandOnProject(db, caller, 'administer');
      await endSession(db, await findUserId(db, caller.project.id, params.login), params.session);
      return true;
    },
  );
}
