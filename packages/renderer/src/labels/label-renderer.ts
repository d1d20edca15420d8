import { fromMercator, toMercator } from '@cartulary/geo';
import type { LabelPass, RenderJob } from '../messages.js';
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
    for (const label of readLabels(labels)) {
      const [eastward, northward] = toMercator(label.x, label.y);
      yield {
        x: (eastward - west) / pixel,
        y: (north - northward) / pixel,
        text: label.text,
        look: label.look,
      };
    }
}
