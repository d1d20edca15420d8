import type { RasterInfo } from '../engine/orders.js';
import { type GeoTransform, projectionOf } from './georeference.js';

/** What GDAL has written about an image into a file beside it, `<image>.aux.xml` (Persistent Auxiliary Metadata). */
export interface AuxFile {
  transform: GeoTransform | undefined;
  projection: string | undefined;
  /** The value that means "no data" in all bands. */
  nodata: number | undefined;
}

/** Longest content that is read, characters: the rest are statistics. */
const longest = 1_000_000;

const entities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** The contents of all elements of a name, without those of elements in them. */
const contents = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`, 'g'))].map(([, text]) =>
    text!.replace(/&(?:quot|apos|lt|gt|amp);/g, (entity) => entities[entity]!).trim(),
  );

export function parseAuxFile(text: string): AuxFile {
  const xml = text.slice(0, longest);
  const numbers =
    contents(xml, 'GeoTransform')[0]
      ?.split(/[\s,]+/)
      .map(Number) ?? [];
  const isPlace = numbers.length === 6 && numbers.every(Number.isFinite) && numbers.slice(1).some(Boolean);
  const [srs] = contents(xml, 'SRS');
  const values = new Set(contents(xml, 'NoDataValue').map(Number));
  const [nodata] = values;
  return {
    transform: isPlace ? (numbers as unknown as GeoTransform) : undefined,
    projection: srs ? projectionOf(srs) : undefined,
    nodata: values.size === 1 && Number.isFinite(nodata) ? nodata : undefined,
  };
}

/** The properties of an image with the "no data" value of its aux.xml, and the arguments of `gdal_translate` for it. */
export function withNoData(
  info: RasterInfo,
  nodata: number | undefined,
): { info: RasterInfo; args: readonly string[] } {
  if (nodata === undefined) return { info, args: [] };
  const bands = info.bands.map((band) => ({ ...band, noDataValue: nodata }));
  return { info: { ...info, bands }, args: ['-a_nodata', String(nodata)] };
}
