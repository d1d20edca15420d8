import type { KvpParameters } from '../common/kvp.js';
import { wmsError } from './exceptions.js';
import { wholeOf } from './parameters.js';

/** Pixels of a legend: least height of a row without its gap, gap between rows and before texts, room for texts. */
export const legendRow = { height: 20, gap: 6, text: 220 };

/** The size of the picture of one entry, pixels. */
export interface SampleSize {
  width: number;
  height: number;
}

/** The size where a request does not say it. */
const usualSample: SampleSize = { width: 20, height: 20 };

/** The height of a row of a legend with texts. */
export const rowHeight = ({ height }: SampleSize): number =>
  Math.max(height, legendRow.height) + legendRow.gap;

/** The size of a legend with so many entries; a single one has no text. */
export const legendSize = (
  entries: number,
  sample: SampleSize = usualSample,
): { width: number; height: number } =>
  entries <= 1
    ? sample
    : {
        width: sample.width + legendRow.gap + legendRow.text,
        height: entries * rowHeight(sample),
      };

/** Longest side of a sample, pixels. */
const longestSide = 512;

/** Most pixels of a legend. */
const mostPixels = 16_000_000;

/** Throws for a legend that is too large. */
export function demandLegend({ width, height }: { width: number; height: number }): void {
  if (width * height > mostPixels)
    throw wmsError(
      'InvalidParameterValue',
      `height: the legend would have ${width} × ${height} pixels, more than ${mostPixels}`,
      'height',
    );
}

/** The size of a sample by `width` and `height`. With `bbox` they are those of a map, as QGIS asks for the legend of what a map shows. */
export function sampleOf(kvp: KvpParameters): SampleSize {
  if (kvp.has('bbox')) return usualSample;
  const side = (name: 'width' | 'height'): number => {
    if (!kvp.get(name)) return usualSample[name];
    const pixels = wholeOf(kvp, name);
    if (pixels >= 1 && pixels <= longestSide) return pixels;
    throw wmsError(
      'InvalidParameterValue',
      `${name}: the size of a sample is 1 to ${longestSide} pixels`,
      name,
    );
  };
  return { width: side('width'), height: side('height') };
}
