import type { Data, RasterInfo } from '../engine/orders.js';
import type { Band } from './image.js';
import { carryOut, info, type RasterWork } from './work.js';

const sample = { file: 'sample.tif', driver: 'GTiff' } as const satisfies Data;

/** Side in pixels of the reduced copy from which statistics of larger images are taken. */
const sampled = 2_048;

/** Computes the statistics of the bands. */
export async function statistics(work: RasterWork, data: Data): Promise<Band[]> {
  const { size } = await info(work, data);
  const longest = Math.max(...size);
  let of: Data = data;
  if (longest > sampled) {
    const side = size.map((pixels) => String(Math.max(1, Math.round((pixels * sampled) / longest))));
    const args = ['-of', 'GTiff', '-r', 'near', '-outsize', ...side];
    await carryOut(work, { kind: 'raster-translate', data, target: sample.file, args });
    of = sample;
  }
  // An image without any value has no statistics, which is not an error.
  const { raster } = await work.job.ask({ kind: 'raster-info', data: of, values: true });
  return (raster?.bands ?? []).map(bandOf);
}

const orNull = (value: number | string | null | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

function bandOf({
  type,
  noDataValue,
  minimum,
  maximum,
  mean,
  stdDev,
  histogram,
}: RasterInfo['bands'][number]): Band {
  return {
    type,
    nodata: orNull(noDataValue),
    min: orNull(minimum),
    max: orNull(maximum),
    mean: orNull(mean),
    stddev: orNull(stdDev),
    low: quantile(histogram, 0.02) ?? orNull(minimum),
    high: quantile(histogram, 0.98) ?? orNull(maximum),
  };
}

/** The quantile of the values, accurate to a bucket of the histogram. */
function quantile(histogram: RasterInfo['bands'][number]['histogram'], part: number): number | undefined {
  if (!histogram) return undefined;
  const { buckets, min, max } = histogram;
  const wanted = part * buckets.reduce((sum, count) => sum + count, 0);
  const width = (max - min) / buckets.length;
  let below = 0;
  for (const [i, count] of buckets.entries()) {
    below += count;
    if (below >= wanted && below > 0) return min + width * (i + 0.5);
  }
  return undefined;
}
