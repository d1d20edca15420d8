import { badRequest } from '@cartulary/errors';
import type { Extent } from '@cartulary/geo';
import { Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import type { App } from '../../http/app-type.js';
import { bytesAs, Path } from '../../http/params.js';
import { boxOn } from '../../tiles/pictures/positions.js';
import { demandFrame } from '../../tiles/pictures/send-picture.js';
import type { TileServing } from '../../tiles/serving.js';
import { crs84, findCrs, mercator } from '../common/crs.js';
import { DoorQuery, refuseUnknownParameters } from '../common/requests.js';
import type { OgcServices } from '../services.js';
import { boxOfResource, drawnResource } from './content.js';
import { contentParameters, pictureForm } from './tile-routes.js';
import { tileForms } from './tilesets.js';

const text = (description: string) => Type.Optional(Type.String({ maxLength: 1_000, description }));

const pixels = (name: string) =>
  Type.Optional(
    Type.Integer({ minimum: 1, description: `${name} in pixels; absent: by the other one and the box` }),
  );

/** The parameters of pictures. */
const mapParameters = {
  ...contentParameters,
  bbox: text('Lower and upper corner, in the order of the axes of bbox-crs; absent: all that is drawn'),
  'bbox-crs': text('Reference system of bbox; CRS84 when absent'),
  crs: text('Reference system of the picture; EPSG:3857 when absent'),
  width: pixels('Width'),
  height: pixels('Height'),
  'mm-per-pixel': Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 10,
      description: 'Side of a pixel of the display; 0.28 when absent',
    }),
  ),
  bgcolor: text('Colour behind the map, such as 0xFFFFFF or white'),
  transparent: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Whether the picture has no background; true without bgcolor',
    }),
  ),
};

/** OGC API Maps: a picture of the map, or of a collection. */
export function mapPictureRoutes(app: App, services: OgcServices, serving: TileServing): void {
  for (const params of [Path('map'), Path('map', 'layer')] as const)
    pictureRoute(app, services, {
      serving,
      params,
      path: 'layer' in params.properties ? '/:map/collections/:layer/map' : '/:map/map',
    });
}

/** Longer side of a picture whose size is not given, pixels. */
const usualSide = 1_024;

type Params = ReturnType<typeof Path<'map'>>;

function pictureRoute(
  app: App,
  { db, config }: OgcServices,
  { serving, params, path }: { serving: TileServing; params: Params; path: string },
): void {
  app.get(
    path,
    {
      config: { work: 'tiles' },
      schema: {
        tags: ['ogc'],
        summary: 'A picture of a map',
        params,
        querystring: DoorQuery(mapParameters, Object.keys(tileForms.map)),
        response: bytesAs('A picture', ...Object.values(tileForms.map)),
      },
    },
    async (request, reply) => {
      refuseUnknownParameters(request);
      const { query, gone } = request;
      const parts = { db, readContent: serving.vectors.parts.readContent };
      const drawn = await drawnResource(parts, request, query.collections);
      const crs = query.crs === undefined ? mercator : await findCrs(db, query.crs, 'crs');
      const asked = await findCrs(db, query['bbox-crs'], 'bbox-crs');
      const given =
        query.bbox === undefined
          ? { box: [...(await boxOfResource({ db }, drawn, gone))] as Extent, crs: crs84 }
          : { box: boxOf(query.bbox, asked.isNorthFirst), crs: asked };
      const box = await boxOn(db, given, crs);
      const size = sizeOf(query, box);
      const scale =
        Math.round(Math.min(4, Math.max(0.5, 0.28 / (query['mm-per-pixel'] ?? 0.28))) * 100) / 100;
      const frame = { crs, box, ...size, scale };
      demandFrame(frame, config.pictureSide);
      const [a, b, c, d] = box;
      reply
        .header('content-crs', `<${crs.uri}>`)
        .header('content-bbox', (crs.isNorthFirst ? [b, a, d, c] : box).join(','))
        .header('vary', 'Accept');
      const { layers, base } = drawn;
      const main = mainLanguage(request.caller);
      const shown = { layers, base, filter: query.filter, lng: query.lng ?? main, paper: paperOf(query) };
      return serving.sendPicture(request, reply, {
        map: (request.params as { map: string }).map,
        content: shown,
        frame,
        format: pictureForm(request),
      });
    },
  );
}

/** A box with the coordinate to the east first. Throws 400. */
function boxOf(textOf: string, isNorthFirst: boolean): Extent {
  const numbers = textOf
    .split(',')
    .map((part) => (/^\s*[-+]?[\d.]+(e[-+]?\d+)?\s*$/i.test(part) ? Number(part) : Number.NaN));
  if (numbers.length !== 4 || !numbers.every(Number.isFinite))
    throw badRequest('bbox: four numbers, separated by commas', { parameters: ['bbox'] });
  const [a, b, c, d] = numbers as Extent;
  if (!(a < c && b < d))
    throw badRequest('bbox: the box is empty: the lower corner comes first, in the order of the axes', {
      parameters: ['bbox'],
    });
  return isNorthFirst ? [b, a, d, c] : [a, b, c, d];
}

/** Width and height; what is not given follows from the box, with square pixels. */
function sizeOf(
  { width, height }: { width?: number; height?: number },
  box: Extent,
): { width: number; height: number } {
  const ratio = (box[2] - box[0]) / (box[3] - box[1]);
  const side = (length: number): number => Math.max(1, Math.round(length));
  if (width !== undefined) return { width, height: height ?? side(width / ratio) };
  if (height !== undefined) return { width: side(height * ratio), height };
  return ratio >= 1
    ? { width: usualSide, height: side(usualSide / ratio) }
    : { width: side(usualSide * ratio), height: usualSide };
}

const named: Readonly<Record<string, string>> = {
  white: '#ffffff',
  black: '#000000',
  gray: '#808080',
  grey: '#808080',
};

/** The colour behind a picture; undefined: it is transparent. */
function paperOf({ bgcolor, transparent }: { bgcolor?: string; transparent?: string }): string | undefined {
  if (bgcolor !== undefined) {
    const digits = /^(?:0x|#)([0-9a-f]{6})$/i.exec(bgcolor)?.[1];
    const color = digits === undefined ? named[bgcolor.toLowerCase()] : `#${digits.toLowerCase()}`;
    if (color === undefined)
      throw badRequest('bgcolor: a colour such as 0xFFFFFF', { parameters: ['bgcolor'] });
    return transparent === 'true' ? undefined : color;
  }
  return transparent === 'false' ? '#ffffff' : undefined;
}
