import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.js';
import { originOf } from '../../http/origin.js';

/** What the addresses of a map's tiles repeat of a request. */
export interface AddressParts {
  request: Pick<FastifyRequest, 'protocol' | 'host' | 'caller'>;
  config: Pick<Config, 'baseUrl' | 'hosts'>;
  map: string;
}

type QueryValue = string | number | undefined;

type Query = Readonly<Record<string, QueryValue>>;

/** The template of the addresses of a map's tiles: `{z}/{x}/{y}` and what comes after it. */
export const tileTemplate = (parts: AddressParts, end: string, query: Query): string =>
  addressBelow(parts, `{z}/{x}/{y}${end}`, query);

/** An address below that of a map's tiles. */
export function addressBelow({ request, config, map }: AddressParts, path: string, query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`],
  );
  const address = `${originOf(request, config)}/tiles/${request.caller.project.code}/${map}/${path}`;
  return given.length ? `${address}?${given.join('&')}` : address;
}

/** Degrees that Web Mercator reaches. */
const mercatorLatitude = 85.0511;

export type LonLatBox = readonly [west: number, south: number, east: number, north: number];

export const worldBox: LonLatBox = [-180, -mercatorLatitude, 180, mercatorLatitude];

const mercatorY = (lat: number): number => 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI);

const latitudeAt = (y: number): number => (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI;

/** Largest zoom level at which a map starts, whatever it shows. */
const maxStartZoom = 14;

/** The middle of a box, and the zoom level at which about a window of 512 pixels shows all of it. */
export function centreOf(
  [west, south, east, north]: LonLatBox,
  { minzoom, maxzoom }: { minzoom: number; maxzoom: number },
): [lon: number, lat: number, zoom: number] {
  const share = Math.max((east - west) / 360, mercatorY(south) - mercatorY(north), 1e-9);
  const zoom = Math.min(Math.max(Math.floor(1 - Math.log2(share)), minzoom), maxzoom, maxStartZoom);
  const lat = latitudeAt((mercatorY(south) + mercatorY(north)) / 2);
  return [round((west + east) / 2), round(lat), Math.max(0, zoom)];
}

const round = (degrees: number): number => Number(degrees.toFixed(6));

/** A box with the pixels around it that symbols reach at a zoom level, where the world has 256 pixels at level 0. */
export function widened([west, south, east, north]: LonLatBox, pixels: number, zoom: number): LonLatBox {
  const share = pixels / (256 * 2 ** zoom);
  const y = (lat: number, by: number): number => latitudeAt(Math.min(1, Math.max(0, mercatorY(lat) + by)));
  return [
    Math.max(-180, west - 360 * share),
    round(y(south, share)),
    Math.min(180, east + 360 * share),
    round(y(north, -share)),
  ];
}
