import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.js';
import { originOf, searchOf } from '../../http/origin.js';
import { jsonAs } from '../../http/params.js';

/** A link (RFC 8288) in an answer. */
export interface Link {
  href: string;
  rel: string;
  type?: string;
  title?: string;
}

/** Media types of the answers. */
export const mediaTypes = {
  json: 'application/json',
  geojson: 'application/geo+json',
  html: 'text/html',
  schema: 'application/schema+json',
  openapi: 'application/vnd.oai.openapi+json;version=3.0',
} as const;

/** The documented response with a document, or its page. */
export const documentAs = (type: string = mediaTypes.json) =>
  jsonAs('The document, or a page', type.split(';')[0]!, mediaTypes.html);

type Asked = Pick<FastifyRequest, 'protocol' | 'host' | 'url'>;

/** The address of the door of a map, or of its project without one, without a slash at the end. */
export function doorOf(
  request: Asked & { params: unknown },
  config: Pick<Config, 'baseUrl' | 'hosts'>,
): string {
  const { project, map } = request.params as { project: string; map?: string };
  return `${originOf(request, config)}/ogc/${project}${map === undefined ? '' : `/${map}`}`;
}

/** Where a service is. */
export interface ServiceAddress {
  /** Without a slash at the end. */
  address: string;
  /** The namespace of its types. */
  namespace: string;
  /** What addresses repeat of the request. */
  query: string;
}

/** The address of the WFS of the map of a request. */
export function serviceOf(
  request: FastifyRequest,
  config: Pick<Config, 'baseUrl' | 'hosts'>,
): ServiceAddress {
  const { project, map } = request.params as { project: string; map: string };
  const address = `${originOf(request, config)}/wfs/${project}/${map}`;
  const { lng, token } = request.query as { lng?: string; token?: string };
  const query = new URLSearchParams({ ...(lng ? { lng } : {}), ...(token ? { token } : {}) }).toString();
  return { address, namespace: address, query };
}

/** The address of another service of the map of a door: `wms`, `tiles`. */
export const besideDoor = (door: string, service: string): string => door.replace('/ogc/', `/${service}/`);

/** The address of a collection. */
export const collectionAt = (door: string, layer: string): string => `${door}/collections/${layer}`;

/** A relation that the standards define. */
export const relation = (name: string): string => `http://www.opengis.net/def/rel/ogc/1.0/${name}`;

/** The links from a map or a collection to its picture and its map tiles. */
export const pictureLinks = (at: string): Link[] => [
  { href: `${at}/map`, rel: relation('map'), type: 'image/png', title: 'Picture' },
  { href: `${at}/map/tiles`, rel: relation('tilesets-map'), type: mediaTypes.json, title: 'Map tiles' },
];

/** The links from a map or a collection to its picture and its tiles. */
export const drawnLinks = (at: string): Link[] => [
  ...pictureLinks(at),
  { href: `${at}/tiles`, rel: relation('tilesets-vector'), type: mediaTypes.json, title: 'Vector tiles' },
];

/** The address of the request below the door, with other values of some parameters; undefined removes one. Tokens are left out. */
export function selfWith(
  base: string,
  { url }: Pick<FastifyRequest, 'url'>,
  changed: Readonly<Record<string, string | undefined>> = {},
): string {
  const parameters = new URLSearchParams(searchOf(url));
  parameters.delete('token');
  for (const [name, value] of Object.entries(changed)) {
    if (value === undefined) parameters.delete(name);
    else parameters.set(name, value);
  }
  const query = parameters.toString();
  return query ? `${base}?${query}` : base;
}

/** The links from an answer to itself and to its other form. */
export function selfLinks(
  base: string,
  request: Pick<FastifyRequest, 'url'>,
  type: string = mediaTypes.json,
): Link[] {
  return [
    { href: selfWith(base, request), rel: 'self', type, title: 'This document' },
    {
      href: selfWith(base, request, { f: 'html' }),
      rel: 'alternate',
      type: mediaTypes.html,
      title: 'This document as a page',
    },
  ];
}

/** Sends JSON under exactly this media type: the framework would add a charset to that of a text. */
export const sendJson = (reply: FastifyReply, type: string, value: unknown): FastifyReply =>
  reply
    .header('content-type', type)
    .send(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));
