import { fromMercator, toMercator } from '@cartulary/geo';
import type { LabelPass, RenderJob } from '../messages.js';
import { interiorOf } from './interior.js';
import type { Label } from './label-picture.js';
import { readLabels } from './label-rows.js';

/** The labels in and around a picture of `width` pixels. `read` returns the source's rows in an extent in degrees. */
export function* labelsAround(
  { extent: [west, south, east, north], scale }: Pick<RenderJob, 'extent' | 'scale'>,
  { around }: Pick<LabelPass, 'around'>,
  width: number,
  read: (extent: number[]) => Iterable<Record<string, unknown>>,
): Generator<Label> {
  const pixel = (east - west) / width;
  const [x, y] = [around.x * scale * pixel, around.y * scale * pixel];
  const box = [...fromMercator(west - x, south - y), ...fromMercator(east + x, north + y)];
  for (const { labels } of read(box))
    for (const { points, text, look } of readLabels(labels, interiorOf))
      yield {
        points: points.map(([longitude, latitude]) => {
          const [eastward, northward] = toMercator(longitude, latitude);
          return [(eastward - west) / pixel, (north - northward) / pixel];
        }),
        text,
        look,
      };
}
