import { digestOf } from '@cartulary/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { App } from '../../http/app-type.js';
import { answers, bytesAs, ofContent, orNotModified, Path, Query } from '../../http/params.js';
import { asBuffer, cacheControl, etagOf, sentUnchanged } from '../../http/reply.js';
import { mapState } from '../plan/map-state.js';
import { pngAnswer } from '../png-answer.js';
import type { RendererPool } from '../render/pool.js';
import { pictureParameters } from '../tile-parameters.js';
import { type DescriptionServices, describedMap } from './description-routes.js';
import { GlyphRanges } from './glyphs.js';
import { stylePictures } from './map-style.js';
import { type Sprite, SpriteSheets } from './sprites.js';

/** The services of these routes. */
export interface AssetServices extends DescriptionServices {
  readonly renderers: Pick<RendererPool, 'render' | 'glyphs'>;
}

const { layers, base } = pictureParameters;

const SpriteQuery = Type.Object({ layers, base, ...ofContent });

const GlyphPath = Type.Object({
  ...Path('map').properties,
  fonts: Type.String({
    maxLength: 500,
    description: 'Names of fonts, with commas between them',
    examples: ['Noto Sans Regular'],
  }),
  range: Type.String({ maxLength: 20, description: 'Characters: 0-255 to 65280-65535', examples: ['0-255'] }),
});

const glyphAnswer = orNotModified(bytesAs('Glyphs as signed distance fields', 'application/x-protobuf'));

/** Registers what the style of a map needs beside its tiles: icons in a sheet, and glyphs of fonts. */
export function assetRoutes(app: App, services: AssetServices): void {
  const sheets = new SpriteSheets(services.renderers);
  for (const [density, ratio] of [
    ['', 1],
    ['@2x', 2],
  ] as const) {
    const sendSprite = async (
      request: SpriteRequest,
      reply: FastifyReply,
      { type, bytesOf }: { type: string; bytesOf(sprite: Sprite): Buffer },
    ): Promise<FastifyReply> => {
      const wanted = describedMap(request, request.params.map, request.query, services);
      const { pictures, isPublic } = await stylePictures(services, wanted, request.gone);
      reply.header('cache-control', cacheControl(request, isPublic));
      const names = pictures.map(({ name }) => name).sort();
      if (sentUnchanged(request, reply, etagOf(names, ratio))) return reply;
      return reply.type(type).send(bytesOf(await sheets.sheet(pictures, ratio)));
    };
    const schema = { tags: ['tiles'], params: Path('map'), querystring: SpriteQuery };
    const pixels = ratio === 1 ? '' : ', at twice the pixels';
    app.get(
      `/:map/sprite${density}.json`,
      {
        schema: {
          ...schema,
          summary: `The places of the icons of a map in its sprite sheet${pixels}`,
          response: orNotModified(
            answers(Type.Record(Type.String(), Type.Unknown()), 'Name of an icon → its place'),
          ),
        },
      },
      (request, reply) =>
        sendSprite(request, reply, {
          type: 'application/json',
          bytesOf: ({ index }) => Buffer.from(index),
        }),
    );
    app.get(
      `/:map/sprite${density}.png`,
      {
        schema: { ...schema, summary: `The icons of a map as a sprite sheet${pixels}`, response: pngAnswer },
      },
      (request, reply) =>
        sendSprite(request, reply, { type: 'image/png', bytesOf: ({ png }) => asBuffer(png) }),
    );
  }
  glyphRoute(app, services);
}

type SpriteRequest = FastifyRequest & { params: { map: string }; query: Static<typeof SpriteQuery> };

function glyphRoute(app: App, { db, renderers }: AssetServices): void {
  const ranges = new GlyphRanges(renderers);
  app.get(
    '/:map/glyphs/:fonts/:range.pbf',
    {
      schema: {
        tags: ['tiles'],
        summary: 'Glyphs of a range of characters for the labels of a map',
        description:
          'For `glyphs` of a MapLibre style. The fonts are those of the tiles; characters that a font lacks come from the others.',
        params: GlyphPath,
        querystring: Query({}),
        response: glyphAnswer,
      },
    },
    async (request, reply) => {
      const { caller, params } = request;
      const state = await mapState(db, caller, params.map, caller.at);
      const glyphs = await ranges.range(params.fonts, params.range);
      reply.header('cache-control', cacheControl(request, state.has_publication));
      if (sentUnchanged(request, reply, etagOf(digestOf(glyphs)))) return reply;
      return reply.type('application/x-protobuf').send(asBuffer(glyphs));
    },
  );
}
