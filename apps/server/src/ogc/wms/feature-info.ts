import { valueColumns } from '@cartulary/columns';
import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import { fromMercator } from '@cartulary/geo';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mainLanguage } from '../../access/caller.js';
import { findLayer } from '../../layers/layers.js';
import { findObjectText, type GmlOutput } from '../../objects/store.js';
import type { DrawnObject, Identify } from '../../tiles/identify/identify.js';
import { type PictureFrame, pictureLevel } from '../../tiles/pictures/frame.js';
import { lonLatOf } from '../../tiles/pictures/positions.js';
import { serviceOf } from '../common/addresses.js';
import type { Crs } from '../common/crs.js';
import { featureOutput } from '../common/feature-queries.js';
import type { KvpParameters } from '../common/kvp.js';
import type { VisibleLayers } from '../common/map-layers.js';
import { prefix, xmlName } from '../common/xml.js';
import type { OgcServices } from '../services.js';
import { type WmsVersion, wmsError } from './exceptions.js';
import { type FoundFeature, writtenInfo } from './info-documents.js';
import { type InfoFormat, infoTypes } from './info-formats.js';
import { type AskedMap, givenName, pixelIndexOf, wholeOf } from './parameters.js';

/** Most objects of an answer. */
const mostObjects = 100;

/** What GetFeatureInfo asks beside its map. */
export interface AskedInfo {
  format: InfoFormat;
  count: number;
  /** Pixels around the point in which objects are found. */
  tolerance: number;
  /** Pixel, from the north-west. */
  at: { x: number; y: number };
}

/** The parameters of GetFeatureInfo. */
export function askedInfo(kvp: KvpParameters, version: WmsVersion, { frame }: AskedMap): AskedInfo {
  const type = kvp.get('info_format') ?? 'text/plain';
  const plain = type.split(';')[0]!.trim().toLowerCase();
  const format = (Object.keys(infoTypes) as InfoFormat[]).find(
    (one) =>
      infoTypes[one] === plain || (one === 'json' && /^application\/(geo\+json|vnd\.geo\+json)$/.test(plain)),
  );
  if (!format)
    throw wmsError(
      'InvalidFormat',
      `info_format is ${Object.values(infoTypes).join(', ')}, not '${type.slice(0, 100)}'`,
      'info_format',
    );
  const is13 = version === '1.3.0';
  const at = {
    x: pixelIndexOf(kvp, givenName(kvp, is13 ? ['i', 'x'] : ['x', 'i']), frame.width),
    y: pixelIndexOf(kvp, givenName(kvp, is13 ? ['j', 'y'] : ['y', 'j']), frame.height),
  };
  const count = kvp.has('feature_count') ? wholeOf(kvp, 'feature_count') : 1;
  const tolerance = kvp.has('fi_point_tolerance') ? wholeOf(kvp, 'fi_point_tolerance') : 4;
  return { format, count: Math.min(mostObjects, Math.max(1, count)), tolerance: Math.min(32, tolerance), at };
}

/** The position of a pixel's middle in degrees. */
async function positionOf(db: Database, { crs, box, width, height }: PictureFrame, at: AskedInfo['at']) {
  const x = box[0] + ((at.x + 0.5) / width) * (box[2] - box[0]);
  const y = box[3] - ((at.y + 0.5) / height) * (box[3] - box[1]);
  const around = (lon: number): number => (lon > 180 ? lon - 360 : lon);
  if (crs.srid === 4326) return { lon: around(x), lat: y };
  if (crs.srid === 3857) {
    const [lon, lat] = fromMercator(x, y);
    return { lon: around(lon), lat };
  }
  return lonLatOf(db, [x, y], { srid: crs.srid, parameters: ['bbox'] });
}

/** Beyond it EPSG:3857 draws nothing. */
const lastLatitude = 85.05;

interface InfoParts {
  db: Database;
  config: OgcServices['config'];
  identify: Identify;
}

/** Answers GetFeatureInfo: what is drawn at a pixel. */
export async function sendFeatureInfo(
  { db, config, identify }: InfoParts,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  wanted: {
    map: string;
    asked: AskedMap;
    info: AskedInfo;
    layers: number[] | undefined;
    visible: Pick<VisibleLayers, 'layers'>;
    lng: string | undefined;
  },
): Promise<FastifyReply> {
  const { map, asked, info, layers, visible, lng } = wanted;
  const { caller, gone } = request;
  const main = mainLanguage(caller);
  const { frame, crs, filter } = asked;
  const { lon, lat } = await positionOf(db, frame, info.at);
  const isOnMap = Math.abs(lon) <= 180 && Math.abs(lat) <= lastLatitude;
  const pointed = {
    ...{ lon, lat, z: pictureLevel(frame), tolerance: info.tolerance, layers, visible, filter },
    tellsRules: false,
    ...{ limit: info.count, lng: lng ?? main, main },
  };
  const drawn = isOnMap ? await identify(caller, map, pointed, gone) : [];
  const found: FoundFeature[] = [];
  for (const one of drawn) {
    const feature = await featureOf(db, request, { map, one, crs, lng, format: info.format });
    if (feature) found.push(feature);
  }
  reply.header('cache-control', 'no-store').type(`${infoTypes[info.format]}; charset=utf-8`);
  capitalizeType(reply);
  const { namespace } = serviceOf(request, config);
  return reply.send(writtenInfo[info.format](found, { crs, namespace }));
}

/** QGIS compares the name of the header Content-Type with regard to case, and does not find GeoJSON otherwise. */
function capitalizeType({ raw }: FastifyReply): void {
  const writeHead = raw.writeHead.bind(raw) as (status: number, headers: object) => typeof raw;
  raw.writeHead = ((status: number, { 'content-type': type, ...headers }: Record<string, string>) =>
    writeHead(status, { ...headers, 'Content-Type': type })) as typeof raw.writeHead;
}

async function featureOf(
  db: Database,
  { caller, gone }: FastifyRequest,
  {
    map,
    one,
    crs,
    lng,
    format,
  }: { map: string; one: DrawnObject; crs: Crs; lng: string | undefined; format: InfoFormat },
): Promise<FoundFeature | undefined> {
  const layer = await findLayer(db, caller, { map, layer: one.layer }, 'view').catch((error) => {
    // It was deleted or hidden in this moment.
    if (error instanceof ServiceError && error.status < 500) return undefined;
    throw error;
  });
  if (!layer) return undefined;
  const output = {
    columns: valueColumns(layer.columns),
    lng,
    main: mainLanguage(caller),
    display: false,
    ...featureOutput({ ...crs, isNorthFirst: false }),
    gml: format === 'gml' ? gmlOutput(layer.code, crs) : undefined,
  };
  const text = await findObjectText(db, layer, { id: one.svc_id, output }, gone);
  return text && { layer: one.layer, id: one.svc_id, text: text.text };
}

/** Positions have x before y, which the name of the system says in this form. */
const gmlOutput = (layer: string, { srid }: Crs): GmlOutput => ({
  version: '2.1',
  feature: `${prefix}:${xmlName(layer)}`,
  idPrefix: `${xmlName(layer)}.`,
  nameOf: (code) => `${prefix}:${xmlName(code)}`,
  srsName: `EPSG:${srid}`,
});
