import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { Type } from 'typebox';
import { demandOnProject } from '../access/rights.js';
import { isLogin } from '../access/sign-in/logins.js';
import type { Config } from '../config.js';
import { isPossibleCode } from '../containers/containers.js';
import type { App } from '../http/app-type.js';
import { answers, Path, Query } from '../http/params.js';
import { listJournal } from './journal/journal.js';
import { settingViews } from './settings.js';
import { storageOf } from './storage.js';

/** Services that this file uses. */
export interface AdministrationServices {
  readonly db: Database;
  readonly config: Config;
}

const tags = ['projects'];
const token = { token: 'required' } as const;
const privately = 'private, no-store';
const extension = 'An extension of the interface.';

const bytes = Type.Integer({ description: 'Bytes' });
const Amount = Type.Object({ count: Type.Integer(), bytes });
const Text = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const Storage = Type.Object({
  bytes: Type.Integer({ description: 'All together' }),
  maps: Type.Array(
    Type.Object({
      code: Type.String(),
      name: Type.String(),
      layers: Type.Integer(),
      objects: Type.Integer({ description: 'Of large layers an estimate' }),
      tables: Type.Integer({ description: 'Bytes of the objects and their indexes' }),
      files: Amount,
      images: { ...Amount, description: 'Of raster layers: as they came, and as they are drawn' },
      bytes,
    }),
    { description: 'The largest first' },
  ),
  icons: Amount,
  uploads: { ...Amount, description: 'Resumable uploads, with their whole size' },
  exports: { ...Amount, description: 'Kept files of exports' },
});

const Entry = Type.Object({
  id: Type.Integer({ description: 'Rises with time' }),
  at: Type.String({ format: 'date-time' }),
  login: Text('null: not signed in'),
  action: Type.String({ description: 'What was done, such as layer_made or rights_changed' }),
  map: Text('Code of the map'),
  layer: Text('Code of the layer'),
  item: Text('What else was changed: its code, name, login or id'),
  count: Type.Integer({ description: 'Equal changes of one user within a second' }),
});

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
const Setting = Type.Object({
  name: Type.String({ description: 'The environment variable' }),
  subject: Type.String({ description: 'Its part of the page of settings' }),
  value: Type.Union([Value, Type.Null()], { description: 'null: secret' }),
  default: Value,
  unit: Type.String({ description: 'Unit or form of the value' }),
  meaning: Type.String(),
  isSecret: Type.Boolean(),
  isChanged: Type.Boolean({ description: 'Whether it has another value than the default' }),
});

/** Routes of what administrators look after. */
export function administrationRoutes(app: App, services: AdministrationServices): void {
  storageRoute(app, services);
  journalRoute(app, services);
  settingsRoute(app, services);
}

function storageRoute(app: App, { db }: AdministrationServices): void {
  app.get(
    '/administration/storage',
    {
      config: { ...token, work: 'lists' },
      schema: {
        tags,
        summary: 'What the project and its maps take (administrator)',
        description: `Counts and bytes. The caches of tiles belong to the whole service and are not counted. ${extension}`,
        params: Path(),
        querystring: Query({}),
        response: answers(Storage),
      },
    },
    async ({ caller, owner, query, gone }, reply) => {
      await demandOnProject(db, caller, 'administer');
      reply.header('cache-control', privately);
      return storageOf(db.for(owner).heavy, caller, gone, query.lng);
    },
  );
}

function journalRoute(app: App, { db }: AdministrationServices): void {
  app.get(
    '/administration/journal',
    {
      config: token,
      schema: {
        tags,
        summary: 'Who changed what in the project (administrator)',
        description:
          'The newest first. An entry appears within a second or two after the change. For administrators of the installation with what was done to projects. ' +
          `\`CARTULARY_JOURNAL_ENTRIES\` says how many entries are kept. ${extension}`,
        params: Path(),
        querystring: Query({
          limit: Type.Optional(
            Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Most entries' }),
          ),
          before: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: Number.MAX_SAFE_INTEGER,
              description: 'Only entries before this id',
            }),
          ),
          login: Type.Optional(Type.String({ description: 'Only what this user did' })),
          map: Type.Optional(Type.String({ description: 'Only what was done to the map of this code' })),
        }),
        response: answers(Type.Array(Entry)),
      },
    },
    async ({ caller, query }, reply) => {
      await demandOnProject(db, caller, 'administer');
      reply.header('cache-control', privately);
      const { limit = 100, before, login, map } = query;
      // Nothing has such a name, and the database does not take every text.
      if ((login && !isLogin(login)) || (map && !isPossibleCode(map))) return [];
      const of = { projectId: caller.project.id, isInstaller: caller.isInstaller };
      return listJournal(db, of, {
        limit,
        ...(before === undefined ? {} : { before }),
        ...(login ? { login } : {}),
        ...(map ? { map } : {}),
      });
    },
  );
}

function settingsRoute(app: App, { config }: AdministrationServices): void {
  app.get(
    '/administration/settings',
    {
      config: token,
      schema: {
        tags,
        summary: 'The settings in force (administrator of the installation)',
        description: `Set when the service starts. Secrets are never shown. ${extension}`,
        params: Path(),
        querystring: Query({}),
        response: answers(Type.Array(Setting)),
      },
    },
    async ({ caller }, reply) => {
      if (!caller.isInstaller)
        throw new ServiceError('forbidden', 'Only an administrator of the installation may do this');
      reply.header('cache-control', privately);
      return settingViews(config);
    },
  );
}
