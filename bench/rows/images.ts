import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { type Check, demand, during, inParallel, openClient } from '../load.js';
import { compare } from '../measure.js';
import { sharpAlone } from '../peers/sharp.js';
import { makeMap, type Service, serviceOf } from '../service.js';
import type { Row } from './row.js';

/** Pixels. */
const size = { width: 4000, height: 3000 };
const width = 400;
/** Number of images that the service resizes concurrently. */
const atOnce = 2;

/** Row 8: resized images. */
export const images: Row = {
  code: 'images',
  what: `a JPEG of ${size.width} × ${size.height} pixels to ${width}`,
  async measure(stage) {
    const service = await serviceOf(stage, 'unkept');
    const file = join(stage.folder, 'picture.jpg');
    const bytes = await makePicture();
    await writeFile(file, bytes);
    const path = `/api/2.8/demo/image/${await store(service, bytes)}/?w=${width}`;
    const client = openClient(service.url, atOnce);
    const { seconds } = stage.options;
    const our = async (): Promise<number> => {
      let done = 0;
      const start = performance.now();
      await inParallel(
        during(seconds, () => path),
        atOnce,
        async () => {
          demandPicture(await client.get(path), path);
          done += 1;
        },
      );
      return (done * 1000) / (performance.now() - start);
    };
    const found = await compare(stage.options, our, () => sharpAlone(file, { width, seconds, atOnce }));
    client.close();
    return {
      findings: [{ work: this.what, unit: 'pictures/s', peer: 'sharp', target: { atLeast: 0.9 }, ...found }],
    };
  },
};

/** Demands a JPEG of plausible size. */
const demandPicture: Check = (answer, path) => {
  demand('image/jpeg')(answer, path);
  if (answer.bytes.readUInt16BE(0) !== 0xffd8 || answer.bytes.length < 5_000)
    throw new Error(`${path}: no picture`);
};

/** An image with the entropy of a photograph: soft spots of all colours. */
const makePicture = (): Promise<Buffer> =>
  sharp({
    create: {
      ...size,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .blur(3)
    .normalise()
    .jpeg({ quality: 90 })
    .toBuffer();

/** Stores an image with an object. Returns its uuid. */
async function store(service: Service, bytes: Buffer): Promise<string> {
  await makeMap(service, 'images');
  const layer = '/images/layers/photos';
  await service.admin('POST', '/images/layers/', { code: 'photos' });
  await service.admin('POST', `${layer}/structure/`, { code: 'photo', type: 'file' });
  const { id } = await service.admin('POST', `${layer}/objects/`, { fields: {} });
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), 'picture.jpg');
  const { uuid } = await service.admin('POST', `${layer}/objects/${id}/files/?field=photo`, form);
  return uuid;
}
