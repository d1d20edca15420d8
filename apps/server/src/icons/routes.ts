import { readFile } from 'node:fs/promises';
import { ServiceError } from '@cartulary/errors';
import { Type } from 'typebox';
import { demandOnProject } from '../access/rights.js';
import type { App } from '../http/app-type.js';
import { acceptMultipart } from '../http/body/body.js';
import { discardRest } from '../http/body/incoming.js';
import { answers, bytesAs, Flag, isOn, ofContent, Path, Query } from '../http/params.js';
import { cacheControl, etagOf, sentUnchanged } from '../http/reply.js';
import type { IconServices } from './services.js';
import { startIconSizePx, startSet } from './start-set.js';
import { deleteIcon, demandIcons, findOwnIcon, type Icon, iconNotFound, ownIcons } from './store.js';
import { upload } from './upload.js';
import { iconView, mimes } from './view.js';

const tags = ['icons'];

const IconAnswer = Type.Object({
  name: Type.String({ description: 'Name in styles: `marker-file: url(name)`', examples: ['cafe'] }),
  path: Type.String({ description: 'URL of its picture; also a value of `icon` of layers and folders' }),
  mime: Type.String({ description: 'image/svg+xml or image/png' }),
  width: Type.Number({ description: 'Pixels' }),
  height: Type.Number({ description: 'Pixels' }),
  own: Type.Boolean({ description: 'Whether it was uploaded; false: one of the initial icons' }),
});

const startIcon = (name: string): Pick<Icon, 'name' | 'kind' | 'width' | 'height'> => ({
  name,
  kind: 'svg',
  width: startIconSizePx,
  height: startIconSizePx,
});

/** Routes of the icons of a project. */
export async function projectIconRoutes(app: App, services: IconServices): Promise<void> {
  reading(app, services);
  serving(app, services);
  removing(app, services);
  await app.register(async (own: App) => storing(own, services));
}

function reading(app: App, services: IconServices): void {
  const { db } = services;
  app.get(
    '/icons',
    {
      schema: {
        tags,
        summary: 'The icons that styles of the project can name',
        description: 'Those that were uploaded and those of the start set, by name.',
        querystring: Query({}),
        params: Path(),
        response: answers(Type.Array(IconAnswer)),
      },
    },
    async ({ caller }) => {
      await demandOnProject(db, caller, 'view');
      const own = new Map((await ownIcons(db, caller.project.id)).map((icon) => [icon.name, icon]));
      const names = [...new Set([...startSet.keys(), ...own.keys()])].sort();
      return names.map((name) =>
        iconView(services, caller.project.code, own.get(name) ?? startIcon(name), own.has(name)),
      );
    },
  );
}

const Content = bytesAs('The picture', ...Object.values(mimes));

/** An SVG may run and load nothing when it is opened by itself. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

function serving(app: App, { db, storage }: IconServices): void {
  app.get(
    '/icons/:icon',
    {
      schema: {
        tags,
        summary: 'The picture of an icon',
        description:
          'For everybody who may view the project or anything in it, since maps are shown with it.',
        params: Path('icon'),
        querystring: Type.Object({ f: ofContent.f, token: ofContent.token }),
        response: Content,
      },
    },
    async (request, reply) => {
      const { caller, params } = request;
      const { isPublic } = await demandIcons(db, caller);
      const own = await findOwnIcon(db, caller.project.id, params.icon);
      const file = startSet.get(params.icon);
      if (!own && file === undefined) throw iconNotFound(params.icon);
      reply.header('cache-control', cacheControl(request, isPublic));
      if (sentUnchanged(request, reply, etagOf(own?.content ?? file))) return reply;
      const bytes = own ? await (await storage.get(own.content))?.toArray() : [await readFile(file!)];
      if (!bytes)
        throw new ServiceError('file_not_found', `The picture of the icon '${params.icon}' is lost`);
      return reply
        .type(mimes[own?.kind ?? 'svg'])
        .header('content-security-policy', policy)
        .send(Buffer.concat(bytes));
    },
  );
}

function removing(app: App, { db }: IconServices): void {
  app.delete(
    '/icons/:icon',
    {
      config: { token: 'required' },
      schema: {
        tags,
        summary: 'Delete an icon',
        description:
          'Refused while styles or settings name it, unless one of the start set has the same name and takes its place.',
        params: Path('icon'),
        querystring: Query({
          force: Flag('Delete it even if layers are drawn with it: they cannot be drawn then'),
        }),
        response: answers(Type.Boolean(), 'true'),
      },
    },
    async ({ caller, owner, params, query }) => {
      await demandOnProject(db, caller, 'edit');
      await db.for(owner).transaction((tx) => deleteIcon(tx, caller, params.icon, isOn(query.force)));
      return true;
    },
  );
}

function storing(app: App, services: IconServices): void {
  // Every body except multipart is the file itself, whatever its content type is.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  acceptMultipart(app);
  app.addHook('onResponse', async (request) => discardRest(request));
  const common = {
    // `fileOf` enforces the limit and leaves the connection open for the response.
    config: { token: 'required', upload: true },
  } as const;
  const description =
    'An SVG or a PNG: the variable `file` of a multipart form, or the body with a header `X-Filename`. It is written anew with nothing but shapes or pixels; what could run, load or refer to something is refused.';
  const name = Type.Optional(
    Type.String({ description: 'The name of the icon; that of the file without its ending when absent' }),
  );
  app.post(
    '/icons',
    {
      ...common,
      schema: {
        tags,
        summary: 'Upload an icon',
        description,
        params: Path(),
        querystring: Query({ name }),
        response: answers(IconAnswer),
      },
    },
    async (request) => upload(services, request, undefined),
  );
  app.put(
    '/icons/:icon',
    {
      ...common,
      schema: {
        tags,
        summary: 'Upload an icon in the place of another',
        description: `${description} Tiles that are drawn with it show the new picture at once.`,
        params: Path('icon'),
        querystring: Query({}),
        response: answers(IconAnswer),
      },
    },
    async (request) => upload(services, request, (request.params as { icon: string }).icon),
  );
}
