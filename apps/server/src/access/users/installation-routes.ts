import type { Database } from '@cartulary/database';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.js';
import { answers, common } from '../../http/params.js';
import { versions } from '../../http/versions.js';
import { tokenOf } from '../hook.js';
import { demandInstaller } from '../sign-in/sessions.js';
import { createProject } from './projects.js';

/** Services that this file uses. */
export interface InstallationServices {
  readonly db: Database;
}

const tags = ['projects'];
const Project = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  languages: Type.Array(Type.String(), { description: 'The main one first' }),
});

/** Routes above the projects: the versions, and new projects. */
export function installationRoutes(app: App, { db }: InstallationServices): void {
  app.get(
    '/api',
    {
      schema: {
        tags,
        summary: 'The versions of the interface',
        description: 'The newest first. This document describes 2.8.',
        response: answers(Type.Array(Type.String())),
      },
    },
    async () => versions,
  );

  app.post(
    '/api/2.8',
    {
      preValidation: async (request) => demandInstaller(db, tokenOf(request)),
      schema: {
        tags,
        summary: 'Make a project (administrator of the installation)',
        description: 'With the token of a session in any project.',
        querystring: Type.Object({ token: common.token }),
        body: Type.Object({
          code: Type.String({ description: '1 to 63 Latin letters, digits, underscores and hyphens' }),
          name: Type.Optional(Type.String({ maxLength: 1000 })),
          languages: Type.Optional(
            Type.Array(Type.String(), {
              maxItems: 100,
              description: 'Language codes, the main one first; English when absent',
            }),
          ),
        }),
        security: [{ token: [] }, { bearer: [] }, { xToken: [] }],
        response: answers(Project),
      },
    },
    async ({ body }) => db.transaction((tx) => createProject(tx, body)),
  );
}
