import type { Database } from '@cartulary/database';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { accountOf } from '../access/caller.js';
import { installationAdministratorOf } from '../access/installation-administrator.js';
import {
  changeProject,
  createProject,
  deleteProject,
  findProject,
  listProjects,
} from '../access/users/projects.js';
import type { Config } from '../config.js';
import { countProject } from '../deletion/counts.js';
import { DeletionCounts } from '../deletion/routes.js';
import type { App } from '../http/app-type.js';
import { answers, common, Flag, isOn, Path, Query } from '../http/params.js';
import type { JournalAction } from './journal/actions.js';
import type { Journal } from './journal/journal.js';
import { projectUsages } from './storage.js';

/** Services that this file uses. */
export interface ProjectAdministrationServices {
  readonly db: Database;
  readonly config: Config;
}

const Project = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  languages: Type.Array(Type.String(), { description: 'The main one first' }),
});
const extras = {
  maps: Type.Optional(Type.Integer({ description: 'With returnUsage=1: maps' })),
  users: Type.Optional(Type.Integer({ description: 'With returnUsage=1: users' })),
  bytes: Type.Optional(Type.Integer({ description: 'With returnUsage=1: bytes that are stored' })),
  holds: Type.Optional(DeletionCounts),
};
const fields = {
  name: Type.Optional(Type.String({ maxLength: 1000 })),
  languages: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description: 'Language codes, the main one first; English when absent in a new project',
    }),
  ),
};
const tags = ['projects'];
const config = { token: 'required' } as const;
const who = 'With the token of a session in any project.';
const extension = `${who} An extension of the interface.`;
const ofProject = Type.Object({ project: Path('project').properties.project });
const tokenOnly = Type.Object({ token: common.token });

/** Routes of projects, for administrators of the installation. */
export function projectAdministrationRoutes(
  app: App,
  services: ProjectAdministrationServices,
  journal: Journal,
): void {
  const preValidation = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.caller = await installationAdministratorOf(request, reply, services);
  };
  /** Records what a request has done to a project. */
  const note = ({ caller }: FastifyRequest, action: JournalAction, item: string): void => {
    const login = accountOf(caller).login;
    journal.note({ projectId: null, login, action, map: null, layer: null, item });
  };
  const parts = { services, preValidation, note };
  listRoutes(app, parts); // GET, POST /api/2.8
  changeRoutes(app, parts); // PATCH, DELETE /api/2.8/:project; GET is a function of earlier versions
}

interface Parts {
  services: ProjectAdministrationServices;
  preValidation: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  note: (request: FastifyRequest, action: JournalAction, item: string) => void;
}

const all = '/api/2.8';
const one = '/api/2.8/:project';

function listRoutes(app: App, { services: { db }, preValidation, note }: Parts): void {
  app.get(
    all,
    {
      config,
      preValidation,
      schema: {
        tags,
        summary: 'All projects (administrator of the installation)',
        description: extension,
        querystring: Type.Object({
          token: common.token,
          project: Type.Optional(Type.String({ description: 'Only the project of this code' })),
          returnUsage: Flag('Adds `maps`, `users` and `bytes` to each project'),
          returnCounts: Flag('Adds `holds` to the project that `project` names'),
        }),
        response: answers(Type.Array(Type.Object({ ...Project.properties, ...extras }))),
      },
    },
    async ({ caller, query, gone }) => {
      const { project: code } = query;
      const projects = code === undefined ? await listProjects(db) : [await findProject(db, code)];
      const usages = isOn(query.returnUsage) ? await projectUsages(db.heavy, gone) : [];
      const counts = isOn(query.returnCounts) && code !== undefined;
      return Promise.all(
        projects.map(async (project) => ({
          ...project,
          ...usages.find(({ id }) => id === project.id),
          ...(counts ? { holds: await countProject(db.heavy, { ...caller, project }, gone) } : {}),
        })),
      );
    },
  );

  app.post(
    all,
    {
      config,
      preValidation,
      schema: {
        tags,
        summary: 'Make a project (administrator of the installation)',
        description: who,
        querystring: tokenOnly,
        body: Type.Object({
          code: Type.String({ description: '1 to 63 Latin letters, digits, underscores and hyphens' }),
          ...fields,
        }),
        response: answers(Project),
      },
    },
    async (request) => {
      const made = await db.transaction((tx) => createProject(tx, request.body));
      note(request, 'project_made', made.code);
      return made;
    },
  );
}

function changeRoutes(app: App, { services: { db }, preValidation, note }: Parts): void {
  app.patch(
    one,
    {
      config,
      preValidation,
      schema: {
        tags,
        summary: 'Change the name or the languages of a project (administrator of the installation)',
        description: `What is absent keeps its value. ${extension}`,
        params: ofProject,
        querystring: Query({}),
        body: Type.Object(fields),
        response: answers(Project),
      },
    },
    async (request) => {
      const { project } = request.params;
      const changed = await db.transaction((tx) => changeProject(tx, project, request.body));
      note(request, 'project_changed', project);
      return changed;
    },
  );

  app.delete(
    one,
    {
      config,
      preValidation,
      schema: {
        tags,
        summary: 'Delete a project with all its maps, users and data (administrator of the installation)',
        description: extension,
        params: ofProject,
        querystring: Query({}),
        response: answers(Type.Literal(true)),
      },
    },
    async (request) => {
      const { project } = request.params;
      await db.transaction((tx) => deleteProject(tx, project));
      note(request, 'project_deleted', project);
      return true;
    },
  );
}
