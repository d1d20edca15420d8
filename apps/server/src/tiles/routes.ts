import { flipRow, maxZoom } from '@cartulary/geo';
import { Type } from 'typebox';
import { mainLanguage } from '../access/caller.js';
import type { App } from '../http/app-type.js';
import { isOn, Path } from '../http/params.js';
import { pngAnswer } from './png-answer.js';
import type { SendTile } from './serve-tile.js';
import { demandInMatrix, pictureParameters, Retina, tileOf } from './tile-parameters.js';

const { base, layers, ...others } = pictureParameters;

const TileQuery = Type.Object({
  z: Type.Integer({ description: `Zoom level, 0 to ${maxZoom}` }),
  x: Type.Integer({ description: 'Column, from the west' }),
  y: Type.Integer({ description: 'Row, from the south (TMS)' }),
  base,
  layers,
  retina: Retina,
  ...others,
});

const tileSchema = {
  tags: ['tiles'],
  summary: 'A raster tile of a map',
  description: 'Never older than the last acknowledged write. Answers 304 where the client has the picture.',
  params: Path('map'),
  querystring: TileQuery,
  response: pngAnswer,
};

/** Registers the raster tiles of maps under `/tms/<project>/<map>/`, in a scope of their own. */
export function tileRoutes(app: App, sendTile: SendTile): void {
  app.get('/:map', { config: { work: 'tiles' }, schema: tileSchema }, async (request, reply) => {
    const { caller, params, query } = request;
    const { z, x, y } = query;
    demandInMatrix({ z, x, y });
    const tile = tileOf({ z, x, y: flipRow(y, z) }, query, {
      scale: query.retina ?? 1,
      main: mainLanguage(caller),
    });
    return sendTile(request, reply, { map: params.map, tile, format: 'png', hasDrafts: isOn(query.draft) });
  });
}
