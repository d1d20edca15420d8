import { type Static, Type } from 'typebox';
import { findFile } from '../files/store.js';
import { ownerOf } from '../http/owner.js';
import { common, Path } from '../http/params.js';
import { cacheControl, isFresh } from '../http/reply.js';
import type { App, Services } from '../http/service.js';
import { demandPicture, type Fit, longestSidePx, type Resizing } from './resize.js';
import { pictureKey } from './resizer.js';

const side = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: longestSidePx, description: `${description}, pixels` }));

const ImageQuery = Type.Object({
  w: side('Width; the proportions are kept when h is absent'),
  h: side('Height; the proportions are kept when w is absent'),
  fit: Type.Optional(
    Type.Enum(['none', 'fill', 'contain', 'cover', 'scale-down'], {
      default: 'fill',
      description:
        'How the picture comes into the box of w and h, as CSS object-fit does it. What it leaves empty is transparent, in JPEG white',
    }),
  ),
  f: Type.Optional(
    Type.Enum(['png', 'jpg', 'jpeg'], {
      description: 'Format of the result; that of the source when absent',
    }),
  ),
  token: common.token,
});

/** Answers are pictures, which the types of JSON answers do not know. */
const Image: Record<string, unknown> = {
  200: {
    description: 'The picture',
    content: Object.fromEntries(
      ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif', 'image/tiff'].map((type) => [
        type,
        { schema: { type: 'string', format: 'binary' } },
      ]),
    ),
  },
};

/** Pictures among the files of objects, resized. */
export function imageRoutes(app: App, { db, resizePicture }: Services): void {
  app.get(
    '/image/:uuid',
    {
      schema: {
        tags: ['files'],
        summary: 'A picture, resized',
        description:
          'JPEG, PNG, WebP, GIF, AVIF and TIFF; of an animated picture the first frame. Turned as its EXIF says, in sRGB, without its metadata.',
        params: Path('uuid'),
        querystring: ImageQuery,
        response: Image,
      },
    },
    async (request, reply) => {
      const { caller, params, query, gone } = request;
      const file = await findFile(db, caller, params.uuid);
      const wanted = resizing(query);
      demandPicture(file.mime);
      reply.header('cache-control', cacheControl(request, file.isPublic));
      if (isFresh(request, reply, pictureKey(file, wanted))) return reply.code(304).send();
      const picture = await resizePicture(file, wanted, {
        owner: ownerOf(caller, request.ip),
        signal: gone,
      }).catch((error) => {
        reply.removeHeader('etag');
        throw error;
      });
      return reply
        .header('content-security-policy', "default-src 'none'")
        .type(picture.mime)
        .send(picture.bytes);
    },
  );
}

/** The query as it is understood: what means the same becomes the same. */
function resizing({ w, h, fit = 'fill', f }: Static<typeof ImageQuery>): Resizing {
  const own: Fit = w === undefined || h === undefined ? 'fill' : fit;
  return { width: w, height: h, fit: own, format: f === 'jpg' ? 'jpeg' : f };
}
