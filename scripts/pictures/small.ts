import sharp, { type Sharp } from 'sharp';

/** Bytes of a picture of the guide, at most. */
export const mostBytes = 20_000;

/** An image as a PNG with a palette of as many colours as the size limit allows. */
export async function smallPng(picture: Sharp): Promise<Buffer> {
  const whole = await picture.png().toBuffer();
  for (const quality of [100, 97, 94, 90, 85]) {
    const png = await sharp(whole).png({ palette: true, quality, effort: 10 }).toBuffer();
    if (png.length <= mostBytes) return png;
  }
  return whole;
}
