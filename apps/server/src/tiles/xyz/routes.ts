import { badRequest } from '@cartulary/errors';
import { maxZoom } from '@cartulary/geo';
import { type Static, Type } from 'typebox';
import { mainLanguage } from '../../access/caller.js';
import type { App } from '../../http/app-type.js';
import { isOn, Path } from '../../http/params.js';
import { type PictureFormat, pictureTypes } from '../pictures/picture-formats.js';
import type { TileServing } from '../serving.js';
import { demandInMatrix, type MatrixPlace, pictureParameters, tileOf } from '../tile-parameters.js';
import { VectorQuery, vectorAnswer } from '../vector/routes.js';
import { vectorRequest } from '../vector/tile.js';
import { type AssetServices, assetRoutes } from './asset-routes.js';
import { descriptionRoutes } from './description-routes.js';

const place = {
  z: Type.Integer({ description: `Zoom level, 0 to ${maxZoom}` }),
  x: Type.Integer({ description: 'Column, from the west' }),
};
const row = (more = '') =>
  Type.String({ maxLength: 20, description: `Row, from the north (XYZ)${more}`, examples: ['1408'] });

const TilePath = Type.Object({
  ...Path('map').properties,
  ...place,
  y: row('; `@2x` after it gives 512 × 512 pixels, `@1x` to `@4x` are possible'),
  format: Type.String({
    maxLength: 20,
    description: 'png, webp or jpg; mvt is a vector tile',
    examples: ['png'],
  }),
});

const pictureAnswer: Record<string, unknown> = {
  200: {
    description: 'A picture',
    content: Object.fromEntries(
      Object.values(pictureTypes).map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
    ),
  },
};

/** Registers the tiles of maps by plain addresses, `/tiles/<project>/<map>/{z}/{x}/{y}.png`, in a scope of their own. */
export function addressRoutes(
  app: App,
  services: AssetServices,
  { sendTile, vectors }: Pick<TileServing, 'sendTile' | 'vectors'>,
): void {
  app.get(
    '/:map/:z/:x/:y.:format',
    {
      config: { work: 'tiles' },
      schema: {
        tags: ['tiles'],
        summary: 'A raster tile of a map, by a plain address',
        description:
          'The picture of `/tms/`, with rows from the north, for programs that take an address with {z}, {x} and {y}. A JPEG has a white background where the map has none.',
        params: TilePath,
        querystring: Type.Object(pictureParameters),
        response: pictureAnswer,
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request;
      const { y, scale, format } = addressedPicture(params);
      const at = { z: params.z, x: params.x, y };
      demandInMatrix(at);
      const tile = tileOf(at, query, { scale, main: mainLanguage(caller) });
      return sendTile(request, reply, { map: params.map, tile, format, hasDrafts: isOn(query.draft) });
    },
  );
  vectorTiles(app, '.mvt', vectors);
  vectorTiles(app, '.pbf', vectors);
  descriptionRoutes(app, services);
  assetRoutes(app, services);
}

/** Registers vector tiles under an end of the address: many programs ask for `.pbf`. */
function vectorTiles(app: App, end: '.mvt' | '.pbf', vectors: TileServing['vectors']): void {
  app.get(
    `/:map/:z/:x/:y${end}`,
    {
      schema: {
        tags: ['tiles'],
        summary: `A vector tile of a map, by a plain address${end === '.pbf' ? ' with the other end' : ''}`,
        description: 'The vector tile of `/mvt/`.',
        params: Type.Object({ ...Path('map').properties, ...place, y: row() }),
        querystring: VectorQuery,
        response: vectorAnswer,
      },
    },
    async (request, reply) => {
      const { caller, params, query } = request;
      const at: MatrixPlace = { z: params.z, x: params.x, y: rowOf(params.y) };
      const content = vectorRequest(query, mainLanguage(caller));
      return vectors.send(request, reply, { map: params.map, place: at, content });
    },
  );
}

/** The row, scale and format of an address. Throws 400. */
function addressedPicture({ y, format }: Static<typeof TilePath>): {
  y: number;
  scale: number;
  format: PictureFormat;
} {
  if (!Object.hasOwn(pictureTypes, format))
    throw badRequest(`Tiles are ${Object.keys(pictureTypes).join(', ')} or mvt, not '${format}'`, {
      parameters: ['format'],
    });
  const [rowText = '', density, ...more] = y.split('@');
  if (more.length || (density !== undefined && !/^[1-4]x$/.test(density)))
    throw badRequest(`Pixel densities are @1x to @4x, not '@${[density, ...more].join('@')}'`, {
      parameters: ['y'],
    });
  return {
    y: rowOf(rowText),
    scale: density === undefined ? 1 : Number(density[0]),
    format: format as PictureFormat,
  };
}

function rowOf(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw badRequest(`The row '${text}' is no number`, { parameters: ['y'] });
  return Number(text);
}
