import { badRequest } from '@cartulary/errors';
import { isInMatrix, maxZoom, tilesAt } from '@cartulary/geo';
import { type Static, Type } from 'typebox';
import { isOn, ofContent } from '../http/params.js';
import { LayersParameter, parseIds } from './plan/layers-parameter.js';
import { TileFilterParameter } from './plan/tile-filter.js';
import type { TileRequest } from './plan/tile-request.js';
import { DraftFlag } from './png-answer.js';

/** The query parameters that every address of a raster tile takes. */
export const pictureParameters = {
  base: Type.Optional(
    Type.Enum(['0', '1', 'true', 'false'], {
      default: '1',
      description: "Whether the map's background is painted, and its base layer drawn",
    }),
  ),
  layers: LayersParameter,
  filter: TileFilterParameter,
  q: Type.Optional(
    Type.Enum(['0', '1'], {
      description:
        '0 = full-colour PNG, 1 = limited palette (PNG8); when absent 0, or 1 where all that is drawn lies in folders of tiles_quality 1',
    }),
  ),
  draft: DraftFlag,
  ...ofContent,
};
const PictureQuery = Type.Object(pictureParameters);

/** The number of pixels of a tile per pixel of the style. */
export const Retina = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 4, default: 1, description: '2 gives 512 × 512 pixels' }),
);

/** A place in the tile matrix, with the row counted from the north. */
export interface MatrixPlace {
  z: number;
  x: number;
  y: number;
}

/** Throws 400 for a place outside of the tile matrix. */
export function demandInMatrix({ z, x, y }: MatrixPlace): void {
  if (isInMatrix(z, x, y)) return;
  const isZoom = Number.isInteger(z) && z >= 0 && z <= maxZoom;
  const why = isZoom ? `at zoom level ${z}, x and y are 0 to ${tilesAt(z) - 1}` : `z is 0 to ${maxZoom}`;
  throw badRequest(`There is no tile z=${z}, x=${x}, y=${y}: ${why}`, { parameters: ['z', 'x', 'y'] });
}

/** A tile of a query that is checked by its schema. Throws 400 for `layers` that are no ids. */
export const tileOf = (
  place: MatrixPlace,
  { base, layers, filter, q, lng }: Static<typeof PictureQuery>,
  { scale, main }: { scale: number; main: string },
): TileRequest => ({
  ...place,
  base: base === undefined || isOn(base),
  layers: layers === undefined ? undefined : parseIds(layers),
  filter,
  scale,
  palette: q === undefined ? undefined : q === '1',
  lng: lng ?? main,
  main,
});
