import { ServiceError } from '@cartulary/errors';
import { noteOf } from '@cartulary/errors/notes';
import type { RasterInfo } from '../engine/orders.js';
import type { ImageHeader } from './header.js';
import type { RasterKind } from './image.js';

/** How the bands of an image become the drawn bands: arguments of GDAL's programs. */
export interface RasterLayout {
  kind: RasterKind;
  /** Arguments of `gdal_translate`, before the reprojection to EPSG:3857. */
  prepare: readonly string[];
  /** Arguments of `gdalwarp`. */
  warp: readonly string[];
  /** Resampling of overviews: the average of pixels, or the nearest pixel where an average has no meaning. */
  overviews: 'AVERAGE' | 'NEAREST';
  /** For 16 bits, which are scaled to 8: the maximum of alpha. */
  wide: { alpha: number } | undefined;
  /** How stored values become those that they mean: stored × scale + offset. */
  linear?: Linear | undefined;
  notes: readonly string[];
}

export interface Linear {
  scale: number;
  offset: number;
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
  Int64: 'Float64',
  UInt64: 'Float64',
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
export function rasterLayoutOf(
  { bands }: Pick<RasterInfo, 'bands'>,
  { isWhiteZero = false }: Partial<Pick<ImageHeader, 'isWhiteZero'>> = {},
): RasterLayout {
  const [first] = bands;
  if (!first) throw failed(noteOf('noBands'));
  const types = new Set(bands.map(({ type }) => type));
  const isAlpha = bands.at(-1)!.colorInterpretation === 'Alpha';
  if (types.size > 1) throw failed(noteOf('bandTypes', { types: [...types].join(', ') }));
  // GDAL reads 0 as white by a palette, which its report of the image conceals.
  if (bands.length === 1 && isWhiteZero && hasPalette.has(first.type)) return palette([]);
  if (bands.length === 1) return first.colorTable ? palette(first.colorTable.entries) : values(first);
  if (bands.length === 2 && isAlpha) return grayWithAlpha(first);
  if (bands.length === 3 || bands.length === 4) return picture(first.type, bands.length, isAlpha);
  throw failed(noteOf('bandCount', { count: bands.length }));
}

/** Types of bands that GDAL gives a palette. */
const hasPalette: ReadonlySet<string> = new Set(['Byte', 'UInt16']);

const unified = ['-wo', 'UNIFIED_SRC_NODATA=YES'];

const byColumns = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => ['-b', String(i + 1)]).flat();

function palette(entries: readonly number[][]): RasterLayout {
  const hasAlpha = entries.some((entry) => (entry[3] ?? 255) < 255);
  return {
    kind: 'picture',
    // The colours of a palette have 8 bits, whatever its indexes have.
    prepare: ['-expand', hasAlpha ? 'rgba' : 'rgb', '-ot', 'Byte'],
    warp: ['-r', 'near', '-dstalpha'],
    overviews: 'NEAREST',
    wide: undefined,
    notes: [],
  };
}

function picture(type: string, count: number, isAlpha: boolean): RasterLayout {
  const isWide = type === 'UInt16' || type === 'Int16';
  if (type !== 'Byte' && !isWide) {
    throw failed(noteOf('bandType', { count, type }));
  }
  const hasFourth = count === 4 && !isAlpha;
  return {
    kind: 'picture',
    prepare: hasFourth ? byColumns(3) : [],
    warp: ['-r', 'bilinear', '-dstalpha', ...unified],
    overviews: 'AVERAGE',
    wide: isWide ? { alpha: type === 'Int16' ? 32_767 : 65_535 } : undefined,
    notes: hasFourth ? [noteOf('fourthBand')] : [],
  };
}

function grayWithAlpha({ type }: RasterInfo['bands'][number]): RasterLayout {
  const bands = ['-b', '1', '-b', '1', '-b', '1', '-b', '2'];
  const like = picture(type, 4, true);
  return { ...like, prepare: [...bands, '-colorinterp', 'red,green,blue,alpha'] };
}

function values(band: RasterInfo['bands'][number]): RasterLayout {
  const { type, noDataValue } = band;
  const wider = roomier[type];
  if (!wider || band.colorInterpretation === 'Alpha') throw failed(noteOf('imageType', { type }));
  const linear = linearOf(band);
  const own = ownNoData(type, noDataValue);
  const isReal = type.startsWith('Float');
  const kept = linear ? undefined : own;
  const drawn = linear ? (exact.has(type) ? 'Float32' : 'Float64') : kept === undefined ? wider : type;
  return {
    kind: 'values',
    prepare: [],
    warp: [
      ...['-r', 'near', '-ot', drawn, '-dstnodata', kept ?? noData[drawn]!],
      // NaN is not a valid value.
      ...(isReal && !isNumber(noDataValue) ? ['-srcnodata', 'nan'] : []),
    ],
    overviews: isReal || linear ? 'AVERAGE' : 'NEAREST',
    wide: undefined,
    linear,
    notes: linear ? [noteOf('valuesScaled', linear)] : [],
  };
}

/** Types whose values Float32 represents exactly. */
const exact: ReadonlySet<string> = new Set(['Byte', 'Int8', 'Int16', 'UInt16', 'Float32']);

function linearOf({ scale = 1, offset = 0 }: RasterInfo['bands'][number]): Linear | undefined {
  const isUsual = scale === 1 && offset === 0;
  return isUsual || !scale || !Number.isFinite(scale * offset) ? undefined : { scale, offset };
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

/** The "no data" value of a file, if its type and Mapnik, which compares it as a 32-bit real number, can represent it. */
function ownNoData(type: string, value: number | string | null | undefined): string | undefined {
  if (!isNumber(value)) return undefined;
  if (type === 'Float32') return String(value);
  if (Math.fround(value) !== value) return undefined;
  if (type === 'Float64') return String(value);
  const [least, most] = ranges[type] ?? [0, 0];
  return Number.isInteger(value) && value >= least && value <= most ? String(value) : undefined;
}

const ranges: Readonly<Record<string, readonly [number, number]>> = {
  Byte: [0, 255],
  Int16: [-32_768, 32_767],
  UInt16: [0, 65_535],
  Int32: [-(2 ** 31), 2 ** 31 - 1],
};
