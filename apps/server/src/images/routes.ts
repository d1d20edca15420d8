import type { Database } from '@cartulary/database';
import { type Static, Type } from 'typebox';
import { findFile } from '../files/store.js';
import type { App } from '../http/app-type.js';
import { bytesAs, common, Path } from '../http/params.js';
import { cacheControl, sentUnchanged } from '../http/reply.js';
import { demandPicture, type Fit, longestSidePx, type Resizing } from './resize.js';
import { type PictureResizer, resizedPictureKey } from './resizer.js';

/** Services that this file uses. */
export interface ImageServices {
  readonly db: Database;
  readonly pictureResizer: Pick<PictureResizer, 'resize'>;
}

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

const types = ['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'].map((name) => `image/${name}`);
const Image = bytesAs('The picture', ...types);

/** Route of resized pictures among the files of objects. */
export function imageRoutes(app: App, { db, pictureResizer }: ImageServices): void {
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
      if (sentUnchanged(request, reply, resizedPictureKey(file, wanted))) return reply;
      const picture = await pictureResizer.resize(file, wanted, { owner: request.owner, signal: gone });
      return reply
        .header('content-security-policy', "default-src 'none'")
        .type(picture.mime)
        .send(picture.bytes);
    },
  );
}

/** The normalized query: equal meanings give equal values. */
function resizing({ w, h, fit = 'fill', f }: Static<typeof ImageQuery>): Resizing {
  const own: Fit = w === undefined || h === undefined ? 'fill' : fit;
  return { width: w, height: h, fit: own, format: f === 'jpg' ? 'jpeg' : f };
}
