import type { Queryable } from '@cartulary/database';
import { requiredMissing } from '@cartulary/errors';
import type { Extent } from '@cartulary/geo';
import type { PictureFrame } from '../../tiles/pictures/frame.js';
import { type EncodedFormat, encodedTypes } from '../../tiles/pictures/picture-formats.js';
import { inWorld } from '../common/boxes.js';
import { type Crs, findCrs } from '../common/crs.js';
import type { KvpParameters } from '../common/kvp.js';
import { styleName } from '../common/map-layers.js';
import { type WmsVersion, wmsError } from './exceptions.js';

/** Longest filter, as that of tiles. */
const longestFilter = 20_000;

/** A version of two numbers, as clients send it, has the third: 0. */
const wholeVersion = (text: string): string => (/^\d+\.\d+$/.test(text.trim()) ? `${text.trim()}.0` : text);

/** The version of a request; 1.1.0 is read as 1.1.1, which differs in its document alone. Throws for others; GetCapabilities takes the next one that is known. */
export function wmsVersionOf(kvp: KvpParameters, isNegotiated: boolean): WmsVersion {
  const version = wholeVersion(kvp.get('version') ?? kvp.get('wmtver') ?? '1.3.0');
  if (version === '1.3.0' || version === '1.1.1') return version;
  if (isNegotiated || version === '1.1.0') return answeredVersion(version);
  throw wmsError(
    'InvalidParameterValue',
    `The version is 1.3.0 or 1.1.1, not '${version.slice(0, 100)}'`,
    'version',
  );
}

/** The version in which an error is written. */
export const answeredVersion = (version: unknown): WmsVersion =>
  typeof version === 'string' && wholeVersion(version).localeCompare('1.3.0', 'en', { numeric: true }) < 0
    ? '1.1.1'
    : '1.3.0';

/** What a GetMap request asks, before its layers are known. */
export interface AskedMap {
  names: string[];
  crs: Crs;
  frame: PictureFrame;
  filter: string | undefined;
}

/** The name of the version, or that of the other version where a request has it alone, as many do. */
export const givenName = (kvp: KvpParameters, [own, other]: readonly [own: string, other: string]): string =>
  !kvp.has(own) && kvp.has(other) ? other : own;

/** Parameters by which clients would send a style of their own. */
const styling = ['sld', 'sld_body'];

/** The layers, the place and the filter of a GetMap request, which GetFeatureInfo repeats. */
export async function askedMap(db: Queryable, kvp: KvpParameters, version: WmsVersion): Promise<AskedMap> {
  const crsName = givenName(kvp, version === '1.3.0' ? ['crs', 'srs'] : ['srs', 'crs']);
  const missing = ['layers', crsName, 'bbox', 'width', 'height'].filter((name) => !kvp.has(name));
  const sld = styling.find((name) => kvp.has(name));
  if (sld)
    throw wmsError(
      'OperationNotSupported',
      `${sld}: layers are drawn in their own style; SLD is not taken`,
      sld,
    );
  if (missing.length) throw requiredMissing(...missing);
  const names = layerNames(kvp.get('layers')!, 'layers');
  demandStyles(kvp.get('styles') ?? '', names.length);
  const crs = await crsOf(db, kvp.get(crsName)!, crsName);
  const frame = {
    crs,
    ...inWorld(boxOf(kvp.get('bbox')!, version === '1.3.0' && crs.isNorthFirst), crs),
    width: wholeOf(kvp, 'width'),
    height: wholeOf(kvp, 'height'),
    scale: scaleOf(kvp),
  };
  return { names, crs, frame, filter: filterOf(kvp) };
}

/** Most names of layers of a request. */
export const mostLayers = 1_000;

/** Names of layers. Throws for none, and for too many. */
export function layerNames(text: string, parameter: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === ''))
    throw wmsError('LayerNotDefined', `${parameter}: names of layers, separated by commas`, parameter);
  if (names.length > mostLayers)
    throw wmsError('InvalidParameterValue', `${parameter}: more than ${mostLayers} layers`, parameter);
  return names;
}

function demandStyles(text: string, layers: number): void {
  const styles = text === '' ? [] : text.split(',');
  const wrong = styles.find((style) => style !== '' && style !== styleName);
  if (wrong !== undefined)
    throw wmsError(
      'StyleNotDefined',
      `The style of each layer is '${styleName}', not '${wrong.slice(0, 100)}'`,
      'styles',
    );
  if (styles.length > Math.max(1, layers))
    throw wmsError('StyleNotDefined', `styles: ${styles.length} styles of ${layers} layers`, 'styles');
}

/** A reference system by any of its names. WMS has short ones, but programs pass on those of other services, too. */
const crsOf = (db: Queryable, text: string, parameter: string): Promise<Crs> =>
  findCrs(db, text, parameter).catch((error) => {
    throw error?.code === 'bad_request' ? unknownCrs(text.trim(), parameter) : error;
  });

const unknownCrs = (name: string, parameter: string) =>
  wmsError(
    'InvalidCRS',
    `${parameter}: '${name.slice(0, 100)}' is not known; it is CRS:84 or an EPSG code such as EPSG:3857`,
    parameter,
  );

/** A box, with the coordinate to the east first. Throws for an empty one. */
function boxOf(text: string, isNorthFirst: boolean): Extent {
  const numbers = text
    .split(',')
    .map((part) => (/^\s*[-+]?[\d.]+(e[-+]?\d+)?\s*$/i.test(part) ? Number(part) : Number.NaN));
  if (numbers.length !== 4 || !numbers.every(Number.isFinite))
    throw wmsError('InvalidParameterValue', 'bbox: four numbers, separated by commas', 'bbox');
  const [a, b, c, d] = numbers as Extent;
  if (!(a < c && b < d))
    throw wmsError(
      'InvalidParameterValue',
      'bbox: the box is empty: the lower corner comes first, in the order of the axes',
      'bbox',
    );
  return isNorthFirst ? [b, a, d, c] : [a, b, c, d];
}

/** A whole number from 0. Programs that compute with fractions write 200 as 200.0. */
export function wholeOf(kvp: KvpParameters, name: string): number {
  const text = kvp.get(name);
  if (text === undefined) throw requiredMissing(name);
  if (!/^\d{1,10}(\.0*)?$/.test(text.trim()))
    throw wmsError('InvalidParameterValue', `${name}: a whole number, not '${text.slice(0, 100)}'`, name);
  return Number(text);
}

/** The column or row in which a pixel lies. Programs send positions between pixels where those of their screens are larger. */
export function pixelIndexOf(kvp: KvpParameters, name: string, side: number): number {
  const text = kvp.get(name);
  if (text === undefined) throw requiredMissing(name);
  const pixel = /^-?\d{1,10}(\.\d*)?$/.test(text.trim()) ? Math.floor(Number(text)) : Number.NaN;
  if (!(pixel >= 0 && pixel < side))
    throw wmsError(
      'InvalidPoint',
      `${name} is a pixel of the picture, 0 to ${side - 1}, not '${text.slice(0, 100)}'`,
      name,
    );
  return pixel;
}

/** Resolution of screens, as clients send it. */
const screenDpi = 96;

/** Pixels per pixel of the style, by the resolution that QGIS, MapServer and GeoServer know under three names. */
function scaleOf(kvp: KvpParameters): number {
  const options = /(?:^|;)dpi:([^;]*)/i.exec(kvp.get('format_options') ?? '')?.[1];
  const text = kvp.get('dpi') ?? kvp.get('map_resolution') ?? options;
  if (text === undefined || text === '') return 1;
  const dpi = Number(text);
  if (!(dpi >= 10 && dpi <= 1_000))
    throw wmsError('InvalidParameterValue', `dpi: 10 to 1000, not '${text.slice(0, 100)}'`, 'dpi');
  // 90.7 dpi is the pixel of the standard.
  const scale = dpi > 90 && dpi < 97 ? 1 : dpi / screenDpi;
  return Math.min(4, Math.max(0.5, Math.round(scale * 100) / 100));
}

/** The filter in CQL2. Throws for other languages. */
function filterOf(kvp: KvpParameters): string | undefined {
  const name = kvp.has('cql_filter') ? 'cql_filter' : 'filter';
  const text = kvp.get(name)?.trim();
  if (!text) return undefined;
  if (/^\(?\s*</.test(text))
    throw wmsError('InvalidParameterValue', `${name}: CQL2 is taken, XML is not`, name);
  if (text.length > longestFilter)
    throw wmsError('InvalidParameterValue', `${name}: at most ${longestFilter} characters`, name);
  return text;
}

const encodedFormats = Object.keys(encodedTypes) as EncodedFormat[];

/** Names of other services for PNG with all colours. */
const trueColourTypes: ReadonlySet<string> = new Set(['image/png24', 'image/png32', 'image/vnd.jpeg-png']);

/** The format of a picture. */
export function formatOf(text: string): EncodedFormat {
  const whole = text.toLowerCase().replace(/\s/g, '');
  const [type] = whole.split(';');
  if (whole === 'image/png;mode=8bit' || type === 'image/png8') return 'png8';
  const format = encodedFormats.find((one) => encodedTypes[one] === type);
  if (format) return format;
  if (trueColourTypes.has(type!)) return 'png';
  if (type === 'image/jpg') return 'jpg';
  throw wmsError(
    'InvalidFormat',
    `Formats are ${Object.values(encodedTypes).join(', ')}, not '${text.slice(0, 100)}'`,
    'format',
  );
}

/** The colour behind the map; undefined: none. */
export function paperOf(kvp: KvpParameters, format: EncodedFormat): string | undefined {
  const transparent = (kvp.get('transparent') ?? 'false').toLowerCase();
  if (transparent !== 'true' && transparent !== 'false')
    throw wmsError('InvalidParameterValue', 'transparent is TRUE or FALSE', 'transparent');
  const color = kvp.get('bgcolor') ?? '0xFFFFFF';
  const digits = /^(?:0x|#)?([0-9a-f]{6})$/i.exec(color)?.[1];
  if (digits === undefined)
    throw wmsError(
      'InvalidParameterValue',
      `bgcolor is a colour such as 0xFFFFFF, not '${color.slice(0, 100)}'`,
      'bgcolor',
    );
  return transparent === 'true' && format !== 'jpg' ? undefined : `#${digits.toLowerCase()}`;
}
