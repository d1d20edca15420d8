import { badRequest } from '@cartulary/errors';
import { Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import type { App } from '../../http/app-type.js';
import { bytesAs, Path } from '../../http/params.js';
import { demandFrame } from '../../tiles/pictures/send-picture.js';
import type { TileServing } from '../../tiles/serving.js';
import { type Crs, findCrs, mercator } from '../common/crs.js';
import { DoorQuery, refuseUnknownParameters } from '../common/requests.js';
import type { OgcServices } from '../services.js';
import { boxOfResource, drawnResource } from './content.js';
import { type PicturePlace, picturePlace, usualPixelMm } from './place.js';
import { contentParameters, pictureForm } from './tile-routes.js';
import { tileForms } from './tilesets.js';

const text = (description: string) => Type.Optional(Type.String({ maxLength: 1_000, description }));

const pixels = (name: string) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `${name} in pixels; absent: by the other one and the box, or as the other one where there is no box`,
    }),
  );

/** The parameters of pictures. */
const mapParameters = {
  ...contentParameters,
  bbox: text(
    'Lower and upper corner, in the order of the axes of bbox-crs; with a west beyond the east, a box across 180 degrees. Absent: all that is drawn. Heights of six numbers choose nothing',
  ),
  'bbox-crs': text('Reference system of bbox; CRS84 when absent'),
  subset: Type.Optional(
    Type.Union([Type.String({ maxLength: 1_000 }), Type.Array(Type.String({ maxLength: 1_000 }))], {
      description:
        'The box as intervals of axes: Lat and Lon, or E and N of a projected system, such as Lat(40:50),Lon(10:20). An axis that is left out: all that is drawn. Not with bbox or center',
    }),
  ),
  'subset-crs': text('Reference system of subset; CRS84 when absent'),
  center: text(
    'Middle of the picture, in the order of the axes of center-crs; width, height and scale-denominator say what is around it. Not with bbox or subset',
  ),
  'center-crs': text('Reference system of center; CRS84 when absent'),
  crs: text('Reference system of the picture; EPSG:3857 when absent'),
  width: pixels('Width'),
  height: pixels('Height'),
  'scale-denominator': Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      description:
        'Metres on the ground per metre of the display, at the middle of the picture. With bbox or subset it says the size, and width and height are refused',
    }),
  ),
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

type Params = ReturnType<typeof Path<'map'>>;

function pictureRoute(
  app: App,
  services: OgcServices,
  { serving, params, path }: { serving: TileServing; params: Params; path: string },
): void {
  const { db, config } = services;
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
      const drawn = await drawnResource(services, request, query.collections);
      const crs = query.crs === undefined ? mercator : await findCrs(db, query.crs, 'crs');
      const place = await picturePlace(query, {
        db,
        crs,
        whole: () => boxOfResource({ db }, drawn, gone),
        largestSide: config.pictureSidePixels,
      });
      const { isAround, ...placed } = place;
      const scale =
        Math.round(Math.min(4, Math.max(0.5, usualPixelMm / (query['mm-per-pixel'] ?? usualPixelMm))) * 100) /
        100;
      const frame = { crs, ...placed, scale, ...(isAround && { isAround }) };
      demandFrame(frame, config.pictureSidePixels);
      reply
        .header('content-crs', `<${crs.uri}>`)
        .header('content-bbox', toldBox(place, crs).join(','))
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

/** A box in the order of the axes. In degrees, the east of one across 180 degrees is less than its west. */
function toldBox({ box: [west, south, edge, north], isAround }: PicturePlace, crs: Crs): readonly number[] {
  const east = isAround && crs.isDegrees ? edge - 360 : edge;
  return crs.isNorthFirst ? [south, west, north, east] : [west, south, east, north];
}

const named: ReadonlyMap<string, string> = new Map([
  ['white', '#ffffff'],
  ['black', '#000000'],
  ['gray', '#808080'],
  ['grey', '#808080'],
]);

/** The colour behind a picture; undefined: it is transparent. */
function paperOf({ bgcolor, transparent }: { bgcolor?: string; transparent?: string }): string | undefined {
  if (bgcolor !== undefined) {
    const digits = /^(?:0x|#)?([0-9a-f]{6})$/i.exec(bgcolor)?.[1];
    const color = digits === undefined ? named.get(bgcolor.toLowerCase()) : `#${digits.toLowerCase()}`;
    if (color === undefined)
      throw badRequest('bgcolor: a colour such as 0xFFFFFF', { parameters: ['bgcolor'] });
    return transparent === 'true' ? undefined : color;
  }
  return transparent === 'false' ? '#ffffff' : undefined;
}
