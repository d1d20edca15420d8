import { ServiceError } from '@cartulary/errors';
import type { Band, RasterInfo, RasterLayout, RasterSource, RasterTarget } from '@cartulary/formats';
import { type Box, srsName } from '@cartulary/geo';
import type { Raster } from '../rasters/store.js';
import type { ImportReport } from './session/report.js';

/** The report of the import of an image. */
export interface RasterReport extends Omit<ImportReport, 'added' | 'changed'> {
  raster: RasterView | null;
  columns?: [];
  extent?: [west: number, south: number, east: number, north: number] | null;
}

export interface RasterView {
  kind: Raster['kind'];
  /** Of the image as it came. */
  width: number;
  height: number;
  bands: number;
  type: string;
  /** Of the image that is drawn, in EPSG:3857; its pixel in metres there. */
  processed: { width: number; height: number; pixel: number; bands: readonly Band[] | null };
  /** West, south, east, north in degrees. */
  extent: [number, number, number, number];
}

/** The facts of a planned image. */
export interface Told {
  source: RasterSource;
  info: RasterInfo;
  layout: RasterLayout;
  target: RasterTarget;
  projection: string;
  notes: readonly string[];
}

/** The name of a projection that is given or lies beside the image, else of the image's own. */
export function projectionName({ coordinateSystem, gcps, stac }: RasterInfo, srs?: string): string {
  if (srs !== undefined) return srsName(srs);
  const code = stac?.['proj:epsg'];
  if (code) return `EPSG:${code}`;
  return (
    /^\s*\w+\s*\[\s*"([^"]*)"/
      .exec((coordinateSystem ?? gcps?.coordinateSystem)?.wkt ?? '')?.[1]
      ?.slice(0, 200) ?? 'unknown'
  );
}

const cornersOf = ({ west, south, east, north }: Box): [number, number, number, number] => [
  west,
  south,
  east,
  north,
];

/** The report of a dry run for a valid image. */
export const planned = (told: Told): RasterReport => ({
  ...report(told, null),
  stored: 0,
  columns: [],
  extent: cornersOf(told.target.extent),
});

export function report(
  { source, info, layout, target, projection, notes }: Told,
  bands: readonly Band[] | null,
): RasterReport {
  const { width, height, extent } = target;
  const [first] = info.bands;
  return {
    ...blank,
    read: 1,
    stored: 1,
    format: source.format,
    projection: projection.slice(0, 200),
    notes: [...notes],
    raster: {
      kind: layout.kind,
      width: info.size[0],
      height: info.size[1],
      bands: info.bands.length,
      type: first!.type,
      processed: { width, height, pixel: rasterPixelOf(target), bands },
      extent: cornersOf(extent),
    },
  };
}

const blank = {
  read: 0,
  stored: 0,
  refused: 0,
  errors: [],
  format: '',
  encoding: null,
  encoding_certainty: null,
  projection: null,
  geometries: {},
  notes: [],
};

/** Metres of EPSG:3857. */
export const rasterPixelOf = ({ width, extent }: RasterTarget): number =>
  (((extent.east - extent.west) / 360) * (2 * Math.PI * 6_378_137)) / width;

/** The report of a dry run for an image that cannot be imported. */
export function refused(error: unknown): RasterReport {
  if (!(error instanceof ServiceError) || !/^(import_|too_large)/.test(error.code)) throw error;
  const { code, message } = error;
  return {
    ...blank,
    read: 1,
    refused: 1,
    errors: [{ feature: 1, code, message }],
    raster: null,
    columns: [],
    extent: null,
  };
}
