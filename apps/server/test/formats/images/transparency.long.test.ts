import { described, type ImageCase, picture, translated, values, withFiles } from './case.js';
import { testImages } from './drawn.js';

/** Colours of a palette in VRT. */
const palette = (vrt: string): string =>
  vrt.replace(
    '<ColorInterp>Gray</ColorInterp>',
    `<ColorInterp>Palette</ColorInterp><ColorTable>${['220,40,40', '40,160,60', '40,80,200', '240,210,40']
      .map((color) => color.split(','))
      .map(([red, green, blue]) => `<Entry c1="${red}" c2="${green}" c3="${blue}" c4="255"/>`)
      .join('')}</ColorTable>`,
  );
const paletted = (what: string, args: string, rest: Partial<ImageCase> = {}): ImageCase => ({
  what,
  make: described('to3.pgm', palette, args),
  becomes: 'picture',
  ...rest,
});

const internalMask =
  '--config GDAL_TIFF_INTERNAL_MASK YES -b 1 -b 2 -b 3 -mask 4 -colorinterp red,green,blue';
const outerMask = internalMask.replace('YES', 'NO');
const noDataXml =
  '<PAMDataset><PAMRasterBand band="1"><NoDataValue>9.0E+01</NoDataValue></PAMRasterBand></PAMDataset>';
const transparent = (what: string, args: string, rest: Partial<ImageCase> = {}): ImageCase => ({
  what,
  make: translated('rgba.raw', args),
  becomes: 'picture',
  ...rest,
});
const asAlpha = '-colorinterp red,green,blue,alpha';

/** Values of which one, of a type that has more than 8 bits, means "no data". */
const holes = (what: string, type: string, nodata: string): ImageCase => ({
  what,
  make: described(
    'gray.pgm',
    (vrt) =>
      vrt
        .replace('dataType="Byte"', `dataType="${type}"`)
        .replaceAll('SimpleSource', 'ComplexSource')
        .replace('</ComplexSource>', `<LUT>0:0,89:89,90:${nodata},91:91,255:255</LUT></ComplexSource>`),
    `-a_nodata ${nodata}`,
  ),
  becomes: 'values',
});

const transparencies: readonly ImageCase[] = [
  paletted('a palette', ''),
  paletted('a palette of 2 bits', '-co NBITS=2'),
  paletted('a palette of 16 bits', '-ot UInt16'),
  paletted('a palette with "no data"', '-a_nodata 2'),
  paletted('a palette, ZSTD', '-co COMPRESS=ZSTD'),
  transparent('alpha', asAlpha),
  transparent('alpha, WEBP', `${asAlpha} -co COMPRESS=WEBP -co WEBP_LOSSLESS=YES`),
  transparent('alpha, JPEG', `${asAlpha} -co COMPRESS=JPEG -co JPEG_QUALITY=100`, { tolerance: 8 }),
  transparent('alpha of 8 bits beside colours of 16', `${asAlpha} -ot UInt16 -scale_1 0 255 0 9000`, {
    isStretched: true,
    args: '-scale_4 0 255 0 65535'.split(' '),
  }),
  transparent('premultiplied alpha', `${asAlpha} -co ALPHA=PREMULTIPLIED`),
  transparent('alpha that is not said to be', '-co ALPHA=NO -colorinterp red,green,blue,undefined', {
    notes: /fourth band/,
  }),
  transparent('gray with alpha', '-b 1 -b 4 -colorinterp gray,alpha'),
  transparent(
    'gray with alpha, 16 bits',
    '-b 1 -b 4 -colorinterp gray,alpha -ot UInt16 -scale_1 0 255 0 65535 -scale_2 0 255 0 65535',
    { isStretched: true },
  ),
  transparent('a mask', internalMask),
  transparent('a mask, JPEG', `${internalMask} -co COMPRESS=JPEG -co JPEG_QUALITY=100`, { tolerance: 8 }),
  transparent('a mask, ZSTD', `${internalMask} -co COMPRESS=ZSTD`),
  transparent('a mask of one band', '--config GDAL_TIFF_INTERNAL_MASK YES -b 1 -mask 4', {
    becomes: 'values',
  }),
  transparent(
    'a mask of one band, ZSTD',
    '--config GDAL_TIFF_INTERNAL_MASK YES -b 1 -mask 4 -co COMPRESS=ZSTD',
    { becomes: 'values' },
  ),
  ...['', ' -co COMPRESS=ZSTD'].map((how) =>
    transparent(`a mask beside it${how}`, `${outerMask}${how}`, { beside: ['made.tif.msk'] }),
  ),
  values('"no data" in .aux.xml', 'gray.pgm', '', {
    make: withFiles(translated('gray.pgm', ''), { 'made.tif.aux.xml': noDataXml }),
    beside: ['made.tif.aux.xml'],
    args: ['-a_nodata', '90'],
  }),
  transparent('2 bands', '-b 1 -b 2', { becomes: /2 bands/ }),
  transparent('5 bands', '-b 1 -b 2 -b 3 -b 4 -b 1', { becomes: /5 bands/ }),
  values('"no data"', 'gray.pgm', '-a_nodata 90'),
  values('"no data" of real numbers', 'gray.pgm', '-ot Float32 -a_nodata 90'),
  values('"no data" that is no value of the type', 'gray.pgm', '-a_nodata -9999'),
  values('"no data" that is not a number', 'gray.pgm', '-ot Float32 -a_nodata nan'),
  holes('"no data" that needs all bits of an integer', 'Int32', '2147483647'),
  holes('"no data" that needs many digits', 'Float64', '100000000000000000000'),
  values('"no data" of 64 bits', 'gray.pgm', '-ot Int64 -a_nodata 90'),
  picture('"no data" of one of 3 bands', '-a_nodata 30'),
  values('"no data" of 3 bands', 'gray.pgm', '-b 1 -b 1 -b 1 -colorinterp red,green,blue -a_nodata 90', {
    becomes: 'picture',
  }),
  values('"no data", ZSTD', 'gray.pgm', '-a_nodata 90 -co COMPRESS=ZSTD'),
  ...['', ' -co COMPRESS=ZSTD'].flatMap((how) => [
    values(`scale and offset${how}`, 'gray.pgm', `-ot Int16 -a_scale 0.5 -a_offset 10${how}`, {
      args: ['-unscale', '-ot', 'Float32'],
      notes: /scaled as the file says: × 0.5 \+ 10/,
    }),
    values(
      `scale, offset and "no data"${how}`,
      'gray.pgm',
      `-ot Int16 -a_scale 0.5 -a_offset 10 -a_nodata 90${how}`,
      {
        args: ['-unscale', '-ot', 'Float32', '-a_nodata', '90'],
      },
    ),
  ]),
];

testImages({ transparency: transparencies });
