import { type ImageCase, picture, values } from './case.js';
import { testImages } from './drawn.js';

const types: readonly ImageCase[] = [
  values('1 bit', 'to1.pgm', '-co NBITS=1', { becomes: 'picture' }),
  values('4 bits', 'to15.pgm', '-co NBITS=4', { white: 15 }),
  values('8 bits', 'gray.pgm', ''),
  values('12 bits', 'gray.pgm', '-ot UInt16 -scale 0 255 0 4080 -co NBITS=12', { white: 4080 }),
  values('16 bits', 'gray.pgm', '-ot UInt16 -scale 0 255 0 65280', { white: 65280 }),
  values('16 bits with a sign', 'gray.pgm', '-ot Int16 -scale 0 255 0 25500', { white: 25500 }),
  values('32 bits with a sign', 'gray.pgm', '-ot Int32 -scale 0 255 0 2040000000', { white: 2_040_000_000 }),
  values('64 bits', 'gray.pgm', '-ot UInt64'),
  values('real numbers of 16 bits', 'gray.pgm', '-ot Float32 -co NBITS=16'),
  values('real numbers of 32 bits', 'gray.pgm', '-ot Float32 -scale 0 255 0 1', { white: 1 }),
  values('8 bits with a sign', 'to127.pgm', '-co PIXELTYPE=SIGNEDBYTE', { white: 127 }),
  values('complex numbers', 'gray.pgm', '-ot CFloat32', { becomes: /complex/ }),
  picture('3 bands of 16 bits', '-ot UInt16', { isStretched: true, notes: /scaled to 8/ }),
  values('white is zero, 4 bits', 'to15.pgm', '-co NBITS=4 -co PHOTOMETRIC=MINISWHITE', {
    becomes: 'picture',
  }),
  values('white is zero, 8 bits', 'gray.pgm', '-co PHOTOMETRIC=MINISWHITE', { becomes: 'picture' }),
  values('white is zero, 16 bits', 'gray.pgm', '-ot UInt16 -scale 0 255 0 65280 -co PHOTOMETRIC=MINISWHITE', {
    becomes: 'picture',
  }),
  values('white is zero, ZSTD', 'gray.pgm', '-co COMPRESS=ZSTD -co PHOTOMETRIC=MINISWHITE', {
    becomes: 'picture',
  }),
];

const compressions: readonly ImageCase[] = [
  ...['NONE', 'LZW', 'DEFLATE', 'PACKBITS', 'ZSTD', 'LERC_DEFLATE'].map((name) =>
    picture(name, `-co COMPRESS=${name}`),
  ),
  picture('WEBP', '-co COMPRESS=WEBP -co WEBP_LOSSLESS=YES'),
  picture('JPEG', '-co COMPRESS=JPEG -co JPEG_QUALITY=100', { tolerance: 8 }),
  picture(
    'JPEG of YCbCr',
    '-outsize 1600% 1600% -co COMPRESS=JPEG -co PHOTOMETRIC=YCBCR -co JPEG_QUALITY=95',
    { tolerance: 12 },
  ),
  ...['CCITTFAX3', 'CCITTFAX4'].map((name) =>
    values(name, 'to1.pgm', `-co NBITS=1 -co COMPRESS=${name}`, { becomes: 'picture' }),
  ),
  picture('LZMA', '-co COMPRESS=LZMA', { becomes: /LZMA .* is not read/ }),
  ...['LZW', 'ZSTD'].flatMap((name) => [
    picture(`${name} with a predictor`, `-co COMPRESS=${name} -co PREDICTOR=2`),
    values(
      `${name} with a predictor of 16 bits`,
      'gray.pgm',
      `-ot UInt16 -co COMPRESS=${name} -co PREDICTOR=2`,
    ),
    values(
      `${name} with a predictor of real numbers`,
      'gray.pgm',
      `-ot Float32 -co COMPRESS=${name} -co PREDICTOR=3`,
    ),
  ]),
  values('LERC of real numbers', 'gray.pgm', '-ot Float32 -co COMPRESS=LERC'),
  values('ZSTD of 16 bits', 'gray.pgm', '-ot UInt16 -co COMPRESS=ZSTD'),
];

testImages({ types, compressions });
