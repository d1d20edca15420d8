import { completed, type ImageCase, picture, translated, values } from './case.js';
import { testImages } from './drawn.js';

const structures: readonly ImageCase[] = [
  picture('strips of a row', '-co BLOCKYSIZE=1'),
  picture(
    'band by band in tiles',
    '-co INTERLEAVE=BAND -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=16 -co COMPRESS=DEFLATE',
  ),
  picture('band by band, ZSTD', '-co INTERLEAVE=BAND -co COMPRESS=ZSTD'),
  picture('blue, green and red', '-b 3 -b 2 -b 1 -colorinterp blue,green,red', {
    args: '-b 3 -b 2 -b 1'.split(' '),
  }),
  picture('BigTIFF', '-co BIGTIFF=YES'),
  values('big-endian, 16 bits', 'gray.pgm', '-ot UInt16 -co ENDIANNESS=BIG'),
  values('big-endian, real numbers', 'gray.pgm', '-ot Float32 -co ENDIANNESS=BIG -co COMPRESS=DEFLATE'),
  values('big-endian, 16 bits, ZSTD', 'gray.pgm', '-ot UInt16 -co ENDIANNESS=BIG -co COMPRESS=ZSTD'),
  picture('big-endian BigTIFF, ZSTD', '-co ENDIANNESS=BIG -co BIGTIFF=YES -co COMPRESS=ZSTD'),
  {
    what: 'overviews',
    make: completed(translated('rgb.ppm', ''), 'gdaladdo', '-q made.tif 2 4'),
    becomes: 'picture',
  },
  {
    what: 'overviews beside it',
    make: completed(translated('rgb.ppm', ''), 'gdaladdo', '-q -ro made.tif 2 4'),
    becomes: 'picture',
    beside: ['made.tif.ovr'],
  },
  {
    what: 'Cloud Optimized',
    make: (folder) =>
      completed(
        translated('rgb.ppm', ''),
        'gdal_translate',
        '-q -of COG -co BLOCKSIZE=128 -co COMPRESS=LZW made.tif cog.tif',
      )(folder) && 'cog.tif',
    becomes: 'picture',
  },
  {
    what: 'several images',
    make: completed(
      translated('rgb.ppm', ''),
      'gdal_translate',
      '-q -of GTiff -co APPEND_SUBDATASET=YES gray.pgm made.tif',
    ),
    becomes: 'picture',
    notes: /2 images: the first/,
  },
];

testImages({ 'structure of files': structures });
