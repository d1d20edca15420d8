import { type Pixel, writePng } from './png.js';

export const red: Pixel = [255, 0, 0, 255];
export const green: Pixel = [0, 255, 0, 255];
export const blue: Pixel = [0, 0, 255, 255];
export const yellow: Pixel = [255, 255, 0, 255];
export const white: Pixel = [255, 255, 255, 255];
export const clear: Pixel = [0, 0, 0, 0];

/** An image of 32 by 16 pixels with four bands of 8 pixels: red, green, blue and yellow from the left. */
export const bands = writePng(32, 16, (x) => [red, green, blue, yellow][x >> 3]!);

const jpeg = Buffer.from(
  '/9j/2wBDAAYEBQYFBAYGBQYHBwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYaKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAQACADAREAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAABwgJ/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABcBAAMBAAAAAAAAAAAAAAAAAAYHCQj/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwA6BzSJiCCeiXm8TiaDpuDBG5wnyYggnol5vE4mg6bgwf/Z',
  'base64',
);

/** The same image as a JPEG with an `Orientation` in its EXIF (TIFF 6.0, tag 274). */
export function turnedBands(orientation: number): Buffer {
  const exif = Buffer.from('FFE100224578696600004D4D002A00000008000101120003000000010000000000000000', 'hex');
  exif[29] = orientation;
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)]);
}
