import { ServiceError } from '@cartulary/errors';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import type { App } from '../../http/app-type.js';
import { bytesAs, orNotModified, Path } from '../../http/params.js';
import type { PictureFormat } from '../../tiles/pictures/picture-formats.js';
import { TileFilterParameter } from '../../tiles/plan/tile-filter.js';
import type { TileServing } from '../../tiles/serving.js';
import { collectionAt, documentAs, doorOf, mediaTypes, selfLinks } from '../common/addresses.js';
import {
  cornersIn,
  describedSet,
  findMatrixSet,
  isInSet,
  isOfTiles,
  type MatrixSet,
  matrixSize,
  setNames,
  setsIn,
  tileFrame,
  worldSets,
} from '../common/matrix-sets.js';
import { addressList, html, sendDoorPage } from '../common/page.js';
import { DoorQuery, refuseUnknownParameters, viewableMap, wantsPage } from '../common/requests.js';
import type { OgcServices } from '../services.js';
import { boxOfResource, type DrawnResource, drawnResource, idsOf, isEverywhere } from './content.js';
import { listedTileset, type TileKind, type Tileset, tileForms, tilesetMetadata } from './tilesets.js';

const tags = ['ogc'];

/** The parameters that choose what is drawn. */
export const contentParameters = {
  collections: Type.Optional(
    Type.String({ maxLength: 20_000, description: 'Collections of the map, the lowest first, with commas' }),
  ),
  filter: TileFilterParameter,
};

/** Where tiles are: of the map or of a collection, as pictures or as vectors. */
const resources = [
  { path: '/:map/tiles', kind: 'vector', end: 'tiles', ofLayer: false },
  { path: '/:map/map/tiles', kind: 'map', end: 'map/tiles', ofLayer: false },
  { path: '/:map/collections/:layer/tiles', kind: 'vector', end: 'tiles', ofLayer: true },
  { path: '/:map/collections/:layer/map/tiles', kind: 'map', end: 'map/tiles', ofLayer: true },
] as const;

type Resource = (typeof resources)[number];

const paramsOf = ({ ofLayer }: Resource, ...more: string[]) =>
  Path<string>('map', ...(ofLayer ? ['layer'] : []), ...more);

/** OGC API Tiles: matrix sets, lists of tilesets, their metadata, and tiles. */
export function tilesetRoutes(app: App, services: OgcServices, serving: TileServing): void {
  matrixSetRoutes(app, services);
  oneSetRoute(app, services);
  for (const resource of resources) {
    listRoute(app, services, resource);
    metadataRoute(app, services, resource);
    tileRoute(app, services, { resource, serving });
  }
}

interface Served {
  resource: Resource;
  serving: TileServing;
}

/** Throws 404. */
const nothingAt = (message: string): ServiceError =>
  new ServiceError('container_not_found', message.slice(0, 300));

/** A set by its name. Vector tiles are those of the world. Throws 404. */
async function setNamed(db: OgcServices['db'], name: string, kind: TileKind = 'map'): Promise<MatrixSet> {
  const set = await findMatrixSet(db, name);
  if (set && (kind === 'map' || worldSets.includes(set))) return set;
  const known = kind === 'map' ? setNames : worldSets.map(({ id }) => `'${id}'`).join(' or ');
  throw nothingAt(`The tile matrix set is ${known}, not '${name.slice(0, 100)}'`);
}

/** The sets that are told of a resource. */
async function toldSets(
  db: OgcServices['db'],
  drawn: DrawnResource,
  { kind, signal }: { kind: TileKind; signal: AbortSignal },
): Promise<readonly MatrixSet[]> {
  return kind === 'vector' ? worldSets : setsIn(db, await boxOfResource({ db }, drawn, signal));
}

const wayToMap = (request: FastifyRequest, door: string) => [
  { title: (request.params as { map: string }).map, href: `${door}?f=html` },
];

function matrixSetRoutes(app: App, services: OgcServices): void {
  const { db } = services;
  app.get(
    '/:map/tileMatrixSets',
    {
      schema: {
        tags,
        summary: 'Tile matrix sets',
        params: Path('map'),
        querystring: DoorQuery({}),
        response: documentAs(),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const drawn = await drawnResource(services, request);
      const matrixSets = await toldSets(db, drawn, { kind: 'map', signal: request.gone });
      const door = doorOf(request, services.config);
      const at = (id: string): string => `${door}/tileMatrixSets/${id}`;
      if (wantsPage(request))
        return sendDoorPage(reply, {
          title: 'Tile matrix sets',
          way: wayToMap(request, door),
          body: html`<section><ul>${matrixSets.map(({ id, title }) => html`<li><a href="${at(id)}?f=html">${title}</a> <code>${id}</code></li>`)}</ul></section>`,
        });
      const tileMatrixSets = matrixSets.map((set) => {
        const { id, title, uri } = describedSet(set);
        const links = [{ href: at(set.id), rel: 'self', type: mediaTypes.json, title: set.title }];
        return { id, title, uri, crs: set.crs.uri, links };
      });
      return { links: selfLinks(`${door}/tileMatrixSets`, request), tileMatrixSets };
    },
  );
}

function oneSetRoute(app: App, services: OgcServices): void {
  app.get(
    '/:map/tileMatrixSets/:set',
    {
      schema: {
        tags,
        summary: 'A tile matrix set',
        params: Path('map', 'set'),
        querystring: DoorQuery({}),
        response: documentAs(),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      await viewableMap(services, request);
      const set = await setNamed(services.db, request.params.set);
      if (!wantsPage(request)) return describedSet(set);
      const door = doorOf(request, services.config);
      const rows = Array.from({ length: set.last + 1 }, (_, z) => {
        const { columns, rows: count } = matrixSize(set, z);
        return html`<tr><td>${z}</td><td>${set.topScale / 2 ** z}</td><td>${columns}</td><td>${count}</td></tr>`;
      });
      return sendDoorPage(reply, {
        title: set.title,
        way: wayToMap(request, door),
        body: html`<section class="wide" tabindex="0" role="group" aria-label="Levels"><p><code>${set.id}</code>, <code>${set.crs.uri}</code></p>
<table><thead><tr><th>Matrix</th><th>Scale denominator</th><th>Columns</th><th>Rows</th></tr></thead><tbody>${rows}</tbody></table></section>`,
      });
    },
  );
}

function tilesetAt(
  request: FastifyRequest,
  config: OgcServices['config'],
  { kind, end, ofLayer }: Resource,
  title: string,
): Tileset {
  const door = doorOf(request, config);
  const base = ofLayer ? collectionAt(door, (request.params as { layer: string }).layer) : door;
  return { kind, door, at: `${base}/${end}`, title };
}

const kinds: Readonly<Record<TileKind, string>> = { map: 'Map tiles', vector: 'Vector tiles' };

function listRoute(app: App, services: OgcServices, resource: Resource): void {
  const { db, config } = services;
  app.get(
    resource.path,
    {
      schema: {
        tags,
        summary: `${kinds[resource.kind]}: the sets`,
        params: paramsOf(resource),
        querystring: DoorQuery({}),
        response: documentAs(),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const { kind } = resource;
      const drawn = await drawnResource(services, request);
      const { title } = drawn;
      const tileset = tilesetAt(request, config, resource, title);
      const sets = await toldSets(db, drawn, { kind, signal: request.gone });
      if (!wantsPage(request))
        return {
          links: selfLinks(tileset.at, request),
          tilesets: sets.map((set) => listedTileset(tileset, set)),
        };
      const list = sets.map(
        (set) => html`<li><a href="${tileset.at}/${set.id}?f=html">${set.title}</a></li>`,
      );
      return sendDoorPage(reply, {
        title: `${kinds[kind]} of ${title}`,
        way: [{ title: request.params.map!, href: `${tileset.door}?f=html` }],
        body: html`<section><ul>${list}</ul></section>`,
      });
    },
  );
}

function metadataRoute(app: App, services: OgcServices, resource: Resource): void {
  const { db, config } = services;
  app.get(
    `${resource.path}/:set`,
    {
      schema: {
        tags,
        summary: `${kinds[resource.kind]}: metadata`,
        params: paramsOf(resource, 'set'),
        querystring: DoorQuery({}),
        response: documentAs(),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const { kind } = resource;
      const drawn = await drawnResource(services, request);
      const set = await setNamed(db, request.params.set!, kind);
      const tileset = tilesetAt(request, config, resource, drawn.title);
      const box = await cornersIn(db, set, await boxOfResource({ db }, drawn, request.gone));
      const layers = idsOf(drawn).map((id) => drawn.served.content.layers.get(id)!.code);
      const { attribution } = drawn.served;
      const shown = { box, isEverywhere: isEverywhere(drawn), layers, attribution };
      const metadata = tilesetMetadata(tileset, set, shown);
      if (!wantsPage(request)) return metadata;
      const addresses = (metadata.links as { rel: string; title: string; href: string }[])
        .filter(({ rel }) => rel === 'item')
        .map(({ title, href }) => [title, href] as const);
      return sendDoorPage(reply, {
        title: `${kinds[kind]} of ${drawn.title}`,
        way: [
          { title: request.params.map!, href: `${tileset.door}?f=html` },
          { title: kinds[kind], href: `${tileset.at}?f=html` },
        ],
        body: html`<section>${addressList(addresses)}<p><a href="${tileset.door}/tileMatrixSets/${set.id}?f=html">${set.title}</a></p></section>`,
      });
    },
  );
}

/** The form of a picture, by `f` or the header Accept. */
export function pictureForm({ query, headers }: FastifyRequest): PictureFormat {
  const { f } = query as { f?: string };
  const accept = headers.accept ?? '';
  const form = f ?? Object.entries(tileForms.map).find(([, type]) => accept.includes(type))?.[0] ?? 'png';
  return form === 'jpeg' ? 'jpg' : (form as PictureFormat);
}

function tileRoute(app: App, services: OgcServices, { resource, serving }: Served): void {
  const { db } = services;
  const { kind } = resource;
  app.get(
    `${resource.path}/:set/:z/:y/:x`,
    {
      config: { work: 'tiles' },
      schema: {
        tags,
        summary: kind === 'map' ? 'A tile of a map' : 'A vector tile',
        params: paramsOf(resource, 'set', 'z', 'y', 'x'),
        querystring: DoorQuery(contentParameters, Object.keys(tileForms[kind])),
        response: orNotModified(bytesAs('A tile', ...Object.values(tileForms[kind]))),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const { set: name, z, y, x, map } = request.params as Record<'set' | 'z' | 'y' | 'x' | 'map', string>;
      const set = await setNamed(db, name, kind);
      const place = placeOf({ z, y, x }, set);
      const { collections, filter, lng } = request.query as Record<
        'collections' | 'filter' | 'lng',
        string | undefined
      >;
      const drawn = await drawnResource(services, request, collections);
      const main = mainLanguage(request.caller);
      const { layers, base } = drawn;
      if (kind === 'vector') {
        const wanted = { layers, fields: undefined, filter, lng: lng ?? main, main };
        const isInDegrees = !isOfTiles(set);
        return serving.vectors.send(request, reply, {
          map,
          place: { ...place, isInDegrees },
          content: wanted,
        });
      }
      reply.header('vary', 'Accept');
      const format = pictureForm(request);
      const shown = { layers, base, filter, lng: lng ?? main };
      if (!isOfTiles(set))
        return serving.sendPicture(request, reply, {
          map,
          content: shown,
          frame: tileFrame(set, place),
          format,
        });
      const tile = { ...place, ...shown, scale: 1, palette: undefined, main };
      return serving.sendTile(request, reply, { map, tile, format, hasDrafts: false, hasCodes: true });
    },
  );
}

/** The place of a tile. Throws 404 for one that is not in its matrix. */
function placeOf(
  texts: Record<'z' | 'y' | 'x', string>,
  set: MatrixSet,
): { z: number; x: number; y: number } {
  const numberOf = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);
  const place = { z: numberOf(texts.z), x: numberOf(texts.x), y: numberOf(texts.y) };
  if (isInSet(set, place)) return place;
  throw nothingAt(`${set.id} has no tile ${texts.z}/${texts.y}/${texts.x} (matrix, row, column)`);
}
