import { fromMercator, labelledLines, shapeFromTwkb, toMercator } from '@cartulary/geo';
import type { LabelPass, RenderJob } from '../messages.js';
import { interiorOf } from './interior.js';
import type { Label } from './label-picture.js';
import { type LabelPoint, pointsOf, readLabels, shapeMark } from './label-rows.js';

/** The labels in and around a picture of `width` pixels. `read` returns the source's rows in an extent in degrees. */
export function* labelsAround(
  { extent: [west, south, east, north], scale }: Pick<RenderJob, 'extent' | 'scale'>,
  { around, kinds }: Pick<LabelPass, 'around' | 'kinds'>,
  width: number,
  read: (extent: number[]) => Iterable<Record<string, unknown>>,
): Generator<Label> {
  const pixel = (east - west) / width;
  const [x, y] = [around.x * scale * pixel, around.y * scale * pixel];
  const box = [...fromMercator(west - x, south - y), ...fromMercator(east + x, north + y)];
  const onPicture = ([eastward, northward]: readonly [number, number]): LabelPoint => [
    (eastward - west) / pixel,
    (north - northward) / pixel,
  ];
  for (const { labels } of read(box))
    for (const { places, text, kind, claims } of readLabels(labels))
      if (kinds[kind]?.look?.along) yield { points: [], lines: linesOf(places, onPicture), text, kind };
      else {
        const on = (where: string): LabelPoint[] =>
          pointsOf(where, interiorOf).map((point) => onPicture(toMercator(...point)));
        yield { points: on(places), ...(claims ? { claims: on(claims) } : {}), text, kind };
      }
}

/** The lines of places along which a label lies. */
function linesOf(
  places: string,
  onPicture: (mercator: readonly [number, number]) => LabelPoint,
): Float64Array[] {
  if (!places.startsWith(shapeMark)) return [];
  const shape = shapeFromTwkb(Buffer.from(places.slice(shapeMark.length), 'base64'));
  return (shape ? labelledLines(shape) : []).map((line) => {
    for (let i = 0; i < line.length; i += 2)
      [line[i], line[i + 1]] = onPicture([(line[i]! - 0.5) * world, (0.5 - line[i + 1]!) * world]);
    return line;
  });
}

/** Width of the world in EPSG:3857, metres. */
const world = 2 * Math.PI * 6_378_137;
