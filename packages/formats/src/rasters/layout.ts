import { ServiceError } from '@cartulary/errors';
import type { RasterInfo } from '../engine/orders.js';
import type { RasterKind } from './image.js';

/** How the bands of an image become the drawn bands: arguments of GDAL's programs. */
export interface Layout {
  kind: RasterKind;
  /** Arguments of `gdal_translate`, before the reprojection to EPSG:3857. */
  prepare: readonly string[];
  /** Arguments of `gdalwarp`. */
  warp: readonly string[];
  /** Resampling of overviews: the average of pixels, or the nearest pixel where an average has no meaning. */
  overviews: 'AVERAGE' | 'NEAREST';
  /** For 16 bits, which are scaled to 8: the maximum of alpha. */
  wide: { alpha: number } | undefined;
  notes: readonly string[];
}

const failed = (message: string): ServiceError => new ServiceError('import_failed', message);

/** Data types of single values, and the wider type with room for a "no data" value. */
const roomier: Readonly<Record<string, string>> = {
  Byte: 'Int16',
  Int8: 'Int16',
  Int16: 'Int32',
  UInt16: 'Int32',
  Int32: 'Float64',
  UInt32: 'Float64',
  Float32: 'Float32',
  Float64: 'Float64',
};

/** The "no data" value for files without one: a value that measurements do not contain. */
const noData: Readonly<Record<string, string>> = {
  Int16: '-32768',
  Int32: '-2147483648',
  // The minimum of Float32, which Float64 represents exactly.
  Float32: '-3.4028234663852886e+38',
  Float64: '-3.4028234663852886e+38',
};

/**
 * Determines how an image is drawn from its bands. Throws `import_failed` for bands that are neither a picture nor
 * single values.
 */
export function layoutOf({ bands }: Pick<RasterInfo, 'bands'>): Layout {
  const [first] = bands;
  if (!first) throw failed('The image has no bands');
  const types = new Set(bands.map(({ type }) => type));
  const isAlpha = bands.at(-1)!.colorInterpretation === 'Alpha';
  if (types.size > 1) throw failed(`The bands of the image are of different types: ${[...types].join(', ')}`);
  if (bands.length === 1) return first.colorTable ? palette(first.colorTable.entries) : values(first);
  if (bands.length === 2 && isAlpha) return grayWithAlpha(first);
  if (bands.length === 3 || bands.length === 4) return picture(first.type, bands.length, isAlpha);
  throw failed(
    `The image has ${bands.length} bands: images of 1 band (values, gray, palette), 3 bands (RGB) and 4 (with alpha) are read`,
  );
}

const unified = ['-wo', 'UNIFIED_SRC_NODATA=YES'];

const byColumns = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => ['-b', String(i + 1)]).flat();

function palette(entries: readonly number[][]): Layout {
  const hasAlpha = entries.some((entry) => (entry[3] ?? 255) < 255);
  return {
    kind: 'picture',
    prepare: ['-expand', hasAlpha ? 'rgba' : 'rgb'],
    warp: ['-r', 'near', '-dstalpha'],
    overviews: 'NEAREST',
    wide: undefined,
    notes: [],
  };
}

function picture(type: string, count: number, isAlpha: boolean): Layout {
  const isWide = type === 'UInt16' || type === 'Int16';
  if (type !== 'Byte' && !isWide) {
    throw failed(
      `The image has ${count} bands of the type ${type}: of several bands those of 8 and 16 bits are read`,
    );
  }
  const hasFourth = count === 4 && !isAlpha;
  return {
    kind: 'picture',
    prepare: hasFourth ? byColumns(3) : [],
    warp: ['-r', 'bilinear', '-dstalpha', ...unified],
    overviews: 'AVERAGE',
    wide: isWide ? { alpha: type === 'Int16' ? 32_767 : 65_535 } : undefined,
    notes: hasFourth ? ['The fourth band is no alpha: it is not drawn'] : [],
  };
}

function grayWithAlpha({ type }: RasterInfo['bands'][number]): Layout {
  const bands = ['-b', '1', '-b', '1', '-b', '1', '-b', '2'];
  const like = picture(type, 4, true);
  return { ...like, prepare: [...bands, '-colorinterp', 'red,green,blue,alpha'] };
}

function values({ type, noDataValue, colorInterpretation }: RasterInfo['bands'][number]): Layout {
  const wider = roomier[type];
  if (!wider || colorInterpretation === 'Alpha') throw failed(`An image of the type ${type} is not read`);
  const own = ownNoData(type, noDataValue);
  const isReal = type.startsWith('Float');
  const none = own ?? noData[wider]!;
  return {
    kind: 'values',
    prepare: [],
    warp: [
      ...['-r', 'near', '-ot', own === undefined ? wider : type, '-dstnodata', none],
      // NaN is not a valid value.
      ...(isReal && own === undefined ? ['-srcnodata', 'nan'] : []),
    ],
    overviews: isReal ? 'AVERAGE' : 'NEAREST',
    wide: undefined,
    notes: [],
  };
}

/** The "no data" value of a file, if its type can represent it. */
function ownNoData(type: string, value: number | string | null | undefined): string | undefined {
  const number = typeof value === 'number' ? value : Number.NaN;
  if (!Number.isFinite(number)) return undefined;
  // Mapnik compares it as a 32-bit number.
  if (type.startsWith('Float'))
    return Math.fround(number) === number || type === 'Float32' ? String(number) : undefined;
  const isWhole = Number.isInteger(number);
  const [least, most] = ranges[type] ?? [0, 0];
  return isWhole && number >= least && number <= most ? String(number) : undefined;
}

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  Byte: [0, 255],
  Int16: [-32_768, 32_767],
  UInt16: [0, 65_535],
  Int32: [-(2 ** 31), 2 ** 31 - 1],
};
