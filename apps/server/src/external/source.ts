/** The settings of an external layer (`json`), and the hosts that it needs. Pure. */
import { badRequest, type ServiceError } from '@cartulary/errors';
import { type Policy, portOf } from './policy.js';

/** The valid settings of an external layer. */
export interface ExternalSource {
  type: 'xyz' | 'tms' | 'wms';
  /** Template with placeholders. */
  url: string;
  /** Values of `{s}`. */
  subdomains: readonly string[];
  /** Zoom levels of the server. Beyond the deepest its pictures are enlarged. */
  minZoom: number;
  maxZoom: number;
  /** Pixels of a tile. */
  tileSize: 256 | 512;
  /** Degrees. Nothing is fetched outside of it. */
  extent: Box | undefined;
  /** Whether an answer 404 stands for an empty picture. */
  isSparse: boolean;
  /** Whether the service draws the layer, in addition to clients. */
  isDrawn: boolean;
}

/** West, south, east, north. */
type Box = readonly [number, number, number, number];

const wrong = (key: string, why: string): ServiceError =>
  badRequest(`json.${key} ${why}`, { parameters: [`json.${key}`] });

const maxUrlLength = 2_000;
const placeholders: Readonly<Record<ExternalSource['type'], readonly string[]>> = {
  xyz: ['x', 'y', '-y', 'z', 's', 'r'],
  tms: ['x', 'y', 'z', 's', 'r'],
  wms: ['bbox', 'width', 'height', 's'],
};

/** Reads the settings. Throws 400 that names the wrong key. */
export function readSource(json: Record<string, unknown>): ExternalSource {
  const { type = 'xyz', fetch = 'server', missing = 'error', tileSize = 256 } = json;
  if (type !== 'xyz' && type !== 'tms' && type !== 'wms') throw wrong('type', 'is xyz, tms or wms');
  if (fetch !== 'server' && fetch !== 'client') throw wrong('fetch', 'is server or client');
  if (missing !== 'error' && missing !== 'empty') throw wrong('missing', 'is error or empty');
  if (tileSize !== 256 && tileSize !== 512) throw wrong('tileSize', 'is 256 or 512');
  if (json.attribution !== undefined && typeof json.attribution !== 'string')
    throw wrong('attribution', 'is a text');
  const subdomains = subdomainsOf(json.subdomains);
  const minZoom = zoomOf('minZoom', json.minZoom, 0);
  const maxZoom = zoomOf('maxZoom', json.maxZoom, 24);
  if (minZoom > maxZoom) throw wrong('minZoom', 'is at most maxZoom');
  const source = {
    type,
    url: type === 'wms' ? wmsTemplate(json) : urlOf(json),
    subdomains,
    minZoom,
    maxZoom,
    tileSize,
    extent: extentOf(json.extent),
    isSparse: missing === 'empty',
    isDrawn: fetch === 'server',
  } as const;
  checkTemplate(source);
  return source;
}

/** The settings; undefined when they are invalid. */
export function sourceOf(json: Record<string, unknown>): ExternalSource | undefined {
  try {
    return readSource(json);
  } catch {
    return undefined;
  }
}

function urlOf({ url }: Record<string, unknown>): string {
  if (typeof url !== 'string' || url.trim() === '') throw wrong('url', 'is the template of an address');
  if (url.length > maxUrlLength) throw wrong('url', `has at most ${maxUrlLength} characters`);
  return url.trim();
}

function zoomOf(key: string, value: unknown, initial: number): number {
  if (value === undefined) return initial;
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > 24)
    throw wrong(key, 'is a whole number from 0 to 24');
  return value as number;
}

function subdomainsOf(value: unknown): string[] {
  const list = typeof value === 'string' ? [...value] : (value ?? []);
  const isRight =
    Array.isArray(list) && list.length <= 20 && list.every((one) => /^[a-z0-9-]{1,63}$/i.test(String(one)));
  if (!isRight) throw wrong('subdomains', 'is a list of parts of host names, such as ["a", "b"]');
  return list.map(String);
}

function extentOf(value: unknown): Box | undefined {
  if (value === undefined || value === null) return undefined;
  const isBox = Array.isArray(value) && value.length === 4 && value.every(Number.isFinite);
  const [west, south, east, north] = (isBox ? value : []) as unknown as [number, number, number, number];
  if (!isBox || west >= east || south >= north || west < -180 || east > 180 || south < -90 || north > 90)
    throw wrong('extent', 'is [west, south, east, north] in degrees');
  return [west, south, east, north];
}

/** The extent of a layer by its `json`; undefined when it names none. */
export const extentOfJson = (json: Record<string, unknown>): Box | undefined => sourceOf(json)?.extent;

/**
 * The given template, or one made of the address of the server and the names of its layers (WMS 1.3.0, 7.3).
 */
function wmsTemplate(json: Record<string, unknown>): string {
  const url = urlOf(json);
  if (url.includes('{bbox}')) return url;
  const { layers, version = '1.3.0', format = 'image/png', styles = '' } = json;
  if (typeof layers !== 'string' || layers === '')
    throw wrong('layers', 'is the names of layers, with commas');
  if (version !== '1.3.0' && version !== '1.1.1') throw wrong('version', 'is 1.3.0 or 1.1.1');
  if (typeof format !== 'string' || !/^image\/(png|jpeg|webp)\b/.test(format))
    throw wrong('format', 'is image/png, image/jpeg or image/webp');
  if (typeof styles !== 'string') throw wrong('styles', 'is names of styles, with commas');
  const projection = version === '1.3.0' ? 'CRS' : 'SRS';
  const asked = new URLSearchParams({
    SERVICE: 'WMS',
    REQUEST: 'GetMap',
    VERSION: version,
    LAYERS: layers,
    STYLES: styles,
    FORMAT: format,
    TRANSPARENT: 'TRUE',
    [projection]: 'EPSG:3857',
  });
  const beginning = url.includes('?') ? `${url.replace(/[?&]$/, '')}&` : `${url}?`;
  return `${beginning.replace('?&', '?')}${asked}&BBOX={bbox}&WIDTH={width}&HEIGHT={height}`;
}

/** Values for placeholders by their names. */
export type Values = Readonly<Record<string, string | number>>;

/** The address of one picture. */
export const fillTemplate = (url: string, values: Values): string =>
  url.replace(/\{(-?[a-z]+)\}/g, (whole, name: string) =>
    String(Object.hasOwn(values, name) ? values[name] : whole),
  );

/** Example URLs, one for each host of the template. */
const examples = ({ url, subdomains }: Pick<ExternalSource, 'url' | 'subdomains'>): URL[] =>
  (subdomains.length ? subdomains : ['']).map((s) => {
    const example = fillTemplate(url, {
      s,
      x: 0,
      y: 0,
      '-y': 0,
      z: 0,
      r: '',
      bbox: '0,0,1,1',
      width: 1,
      height: 1,
    });
    if (!URL.canParse(example)) throw wrong('url', 'is not the template of an address');
    return new URL(example);
  });

function checkTemplate(source: Pick<ExternalSource, 'type' | 'url' | 'subdomains'>): void {
  const { type, url, subdomains } = source;
  const used = [...url.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name!);
  const unknown = used.find((name) => !placeholders[type].includes(name));
  if (unknown !== undefined)
    throw wrong('url', `has {${unknown}}; known are {${placeholders[type].join('}, {')}}`);
  const lacks = (...names: string[]): boolean => !names.some((name) => used.includes(name));
  if (type === 'wms' ? lacks('width') || lacks('height') : lacks('x') || lacks('y', '-y') || lacks('z'))
    throw wrong(
      'url',
      `lacks one of ${type === 'wms' ? '{bbox}, {width}, {height}' : '{x}, {y} or {-y}, {z}'}`,
    );
  if (used.includes('s') !== subdomains.length > 0) throw wrong('subdomains', 'belong to {s} in the url');
  const [, host = ''] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (/\{(?!s\})/.test(host)) throw wrong('url', 'may have no placeholder but {s} in its host');
  for (const { protocol, username, password, hash } of examples(source)) {
    if (protocol !== 'http:' && protocol !== 'https:') throw wrong('url', 'begins with http:// or https://');
    if (username || password) throw wrong('url', 'may have no user and no password');
    if (hash) throw wrong('url', 'may have no #');
  }
}

/** The first host of a source that the policy does not allow. */
export function forbiddenHost(source: ExternalSource, policy: Policy): string | undefined {
  const url = examples(source).find((example) => !policy.allows(example));
  return url && (url.port ? `${url.hostname}:${portOf(url)}` : url.hostname);
}
