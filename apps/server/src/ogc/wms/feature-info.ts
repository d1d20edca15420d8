import { valueColumns } from '@cartulary/columns';
import type { Database } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mainLanguage } from '../../access/caller.js';
import { findLayer } from '../../layers/layers.js';
import { findObjectText, type GmlOutput } from '../../objects/store.js';
import { type DrawnObject, type Identify, pointFrame } from '../../tiles/identify/identify.js';
import { type PictureFrame, pictureLevel, worldWidth } from '../../tiles/pictures/frame.js';
import { serviceOf } from '../common/addresses.js';
import { type Crs, shortName } from '../common/crs.js';
import { featureOutput } from '../common/feature-queries.js';
import { type KvpParameters, mediaTypeIn } from '../common/kvp.js';
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
  const plain = mediaTypeIn(type.split(';')[0]!);
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

/** The parts of the world around a pixel: in a picture across 180 degrees symbols of either side reach over the edge. */
function framesAt({ crs, box, width, height, scale, isAround }: PictureFrame, { at, tolerance }: AskedInfo) {
  const side = { x: (box[2] - box[0]) / width, y: (box[3] - box[1]) / height };
  const x = box[0] + (at.x + 0.5) * side.x;
  const y = box[3] - (at.y + 0.5) * side.y;
  const pixel = { x: side.x * scale, y: side.y * scale };
  const columns = isAround ? [x, x - worldWidth(crs)!] : [x];
  return columns.map((one) => pointFrame([one, y], { crs, pixel, tolerance }));
}

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
  const pointed = {
    ...{ z: pictureLevel(frame), layers, visible, filter },
    tellsRules: false,
    ...{ limit: info.count, lng: lng ?? main, main },
  };
  const drawn = new Map<string, DrawnObject>();
  for (const part of framesAt(frame, info))
    for (const one of await identify(caller, map, { ...pointed, frame: part }, gone))
      drawn.set(`${one.layer}/${one.svc_id}`, one);
  const found: FoundFeature[] = [];
  for (const one of [...drawn.values()].slice(0, info.count)) {
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
const gmlOutput = (layer: string, crs: Crs): GmlOutput => ({
  version: '2.1',
  feature: `${prefix}:${xmlName(layer)}`,
  idPrefix: `${xmlName(layer)}.`,
  nameOf: (code) => `${prefix}:${xmlName(code)}`,
  srsName: shortName(crs),
});
