import { badRequest, type ServiceError } from '@cartulary/errors';

/** Longitude and latitude on WGS 84: the projection of stored geometries. */
export const wgs84 = 'EPSG:4326';

/** Characters of a definition. WKT of compound systems has about 5,000. */
const textLimit = 20_000;

/**
 * Parameters of proj4 that only describe a coordinate system (https://proj.org/usage/projections.html and the pages of its
 * projections). Parameters that name a file or a chain of steps are excluded: `init`, `grids`, `step`…
 */
const acceptedParameters = new Set(
  `proj lat_0 lat_1 lat_2 lat_3 lat_ts lat_b lon_0 lon_1 lon_2 lon_3 lonc alpha gamma azi k k_0 x_0 y_0 h sweep zone
  south ellps datum a b f rf es R R_A towgs84 units to_meter vunits vto_meter pm axis no_defs wktext type over no_uoff
  no_off no_rot nadgrids n M W hyperbolic guam approx algo`.split(/\s+/),
);

/** Normalizes a projection to a form that PROJ reads: `EPSG:n`, `ESRI:n`, WKT, PROJJSON or proj4. Throws 400 naming `srs`. */
export function parseSrs(input: string): string {
  const text = input.trim();
  if (text.length > textLimit) throw wrong('it is too long');
  if (text.includes('\0')) throw wrong('it holds a character that is not text');
  if (text.startsWith('{')) return projJson(text);
  return authority(text) ?? (text.includes('+proj=') && !text.includes('[') ? proj4(text) : wkt(text));
}

const wrong = (why: string): ServiceError => badRequest(`srs: ${why}`, { parameters: ['srs'] });

const patterns = [
  /^()(\d{1,7})$/,
  /^(EPSG|ESRI):{1,2}(\d{1,7})$/i,
  /^urn:(?:x-)?ogc:def:crs:(EPSG|ESRI):[\d.]*:(\d{1,7})$/i,
  /^https?:\/\/www\.opengis\.net\/def\/crs\/(EPSG|ESRI)\/[\d.]+\/(\d{1,7})$/i,
  /^https?:\/\/www\.opengis\.net\/gml\/srs\/(epsg)\.xml#(\d{1,7})$/i,
];

/** `EPSG:n` or `ESRI:n` from a number, a code or a URN. undefined: any other text. */
function authority(text: string): string | undefined {
  if (/^(urn:ogc:def:crs:)?OGC:(1\.3|2)?:?CRS84$|\/def\/crs\/OGC\/[\d.]+\/CRS84$/i.test(text)) return wgs84;
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (!match) continue;
    const code = Number(match[2]);
    if (code === 900913) return 'EPSG:3857'; // the unofficial code of Web Mercator ("GOOGLE" in digits)
    // Codes of EPSG end at 32767; databases use higher numbers for ESRI's codes.
    return `${match[1]?.toUpperCase() || (code > 32_767 ? 'ESRI' : 'EPSG')}:${code}`;
  }
  return undefined;
}

function proj4(text: string): string {
  for (const part of text.split(/\s+/)) {
    const match = /^\+?([A-Za-z_]\w*)(?:=(\S*))?$/.exec(part);
    if (!match || !acceptedParameters.has(match[1]!))
      throw wrong(`'${part.slice(0, 50)}' is not a proj4 parameter that is accepted`);
    const isGrid = match[1] === 'nadgrids' && match[2] !== '@null' && match[2] !== 'null';
    const isSteps =
      match[1] === 'proj' &&
      /^(pipeline|hgridshift|vgridshift|gridshift|xyzgridshift|deformation)$/.test(match[2] ?? '');
    if (isGrid || isSteps) throw wrong(`'${part.slice(0, 50)}' is not accepted`);
  }
  return /\+type=crs/.test(text) ? text : `${text} +type=crs`;
}

function wkt(text: string): string {
  const isSystem =
    /^(PROJCS|GEOGCS|COMPD_CS|PROJCRS|PROJECTEDCRS|GEOGCRS|GEOGRAPHICCRS|GEODCRS|GEODETICCRS|COMPOUNDCRS|BOUNDCRS)\s*[[(]/i;
  if (!isSystem.test(text)) throw wrong(`'${text.slice(0, 50)}' is neither an EPSG number nor WKT nor proj4`);
  if (/PARAMETERFILE/i.test(text)) throw wrong('WKT that names a file is not accepted');
  for (const [, definition] of text.matchAll(/EXTENSION\s*\[\s*"PROJ4"\s*,\s*"([^"]*)"/gi))
    proj4(definition!);
  return text;
}

/** https://proj.org/specifications/projjson.html */
function projJson(text: string): string {
  const parsed = jsonOf(text);
  if (!/^(?:Geographic|Geodetic|Projected|Compound|Bound)CRS$/.test(String(parsed?.type)))
    throw wrong('this JSON describes no projection');
  return JSON.stringify(parsed);
}

function jsonOf(text: string): { type?: unknown; name?: unknown } | undefined {
  // The value of a parameter is a number, unless it is the name of a file.
  const check = (key: string, value: unknown): unknown => {
    if (key === 'value' && typeof value === 'string') throw wrong('JSON that names a file is not accepted');
    return value;
  };
  try {
    return JSON.parse(text, check) as { type?: unknown; name?: unknown };
  } catch (error) {
    if (error instanceof SyntaxError) throw wrong('it is no JSON');
    throw error;
  }
}

/** A short name of a projection: its code, its proj4, or the name in its WKT or JSON. An unnamed WKT gives its datum and method. */
export function srsName(srs: string): string {
  const inWkt = (word: string): string | undefined =>
    new RegExp(`${word}\\s*[[(]\\s*"([^"]*)"`, 'i').exec(srs)?.[1];
  const name = srs.startsWith('{') ? String(jsonOf(srs)?.name ?? 'JSON') : (inWkt('\\b\\w+') ?? srs);
  const parts = /^(?:unnamed|unknown)$/i.test(name)
    ? [inWkt('\\bDATUM'), inWkt('\\b(?:METHOD|PROJECTION)')]
    : [];
  const known = parts.filter((part) => part !== undefined).join(', ');
  return (known || name).slice(0, 200);
}
