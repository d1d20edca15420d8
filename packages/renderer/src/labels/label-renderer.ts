import type { MapLayer } from '@cartulary/cartocss';
import { fromMercator, labelledLines, shapeFromTwkb, toMercator } from '@cartulary/geo';
import type { LabelPass, RenderJob } from '../messages.js';
import { interiorOf } from './interior.js';
import type { Label } from './label-picture.js';
import { type LabelPoint, LabelRows, pointsOf, shapeMark } from './label-rows.js';
import type { LabelBox } from './places.js';

/** Gives the rows of a source in an extent in degrees. */
type ReadRows = (datasource: MapLayer['datasource'], extent: number[]) => Iterable<Record<string, unknown>>;

/** The labels in and around a picture of `width` pixels. */
export function* labelsAround(
  job: Pick<RenderJob, 'extent' | 'scale'>,
  pass: Pick<LabelPass, 'around' | 'kinds' | 'rows' | 'unit'>,
  width: number,
  read: ReadRows,
): Generator<Label> {
  const [west, south, east, north] = job.extent;
  const pixel = (east - west) / width;
  const onPicture = ([eastward, northward]: readonly [number, number]): LabelPoint => [
    (eastward - west) / pixel,
    (north - northward) / pixel,
  ];
  const labelOf = labelReader(pass, pass.unit / pixel, onPicture);
  const { around, rows } = pass;
  const [x, y] = [around.x * job.scale, around.y * job.scale];
  if ('chunks' in rows) {
    yield* labelsOfChunks(rows.chunks, labelOf, {
      left: -x,
      top: -y,
      right: width + x,
      bottom: (north - south) / pixel + y,
    });
    return;
  }
  const box = [
    ...fromMercator(west - x * pixel, south - y * pixel),
    ...fromMercator(east + x * pixel, north + y * pixel),
  ];
  for (const { labels } of read(rows.datasource, box)) {
    const found = new LabelRows(typeof labels === 'string' ? labels : '');
    while (found.next()) yield labelOf(found);
  }
}

type OnPicture = (mercator: readonly [number, number]) => LabelPoint;

/** Gives the label of a row. `step`: pixels per unit of positions. */
function labelReader(
  { kinds }: Pick<LabelPass, 'kinds'>,
  step: number,
  onPicture: OnPicture,
): (row: LabelRows) => Label {
  const [left, top] = onPicture([-world / 2, world / 2]);
  const on = (places: string): LabelPoint[] =>
    pointsOf(places, interiorOf).map((point) => onPicture(toMercator(...point)));
  return ({ places, hasPosition, x, y, text, kind, claims }) => {
    if (kinds[kind]?.look?.along) return { points: [], lines: linesOf(places, onPicture), text, kind };
    const points: LabelPoint[] = hasPosition ? [[left + x * step, top + y * step]] : on(places);
    return claims ? { points, claims: on(claims), text, kind } : { points, text, kind };
  };
}

/** The labels of chunks in a box, in their order; an object with several points has a row for each. */
function labelsOfChunks(
  chunks: readonly Uint8Array[],
  labelOf: (row: LabelRows) => Label,
  box: LabelBox,
): Label[] {
  const found: { order: number; label: Label }[] = [];
  for (const bytes of chunks) {
    const rows = new LabelRows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
    while (rows.next()) {
      const label = labelOf(rows);
      const [[x, y] = [Number.NaN, 0]] = label.points;
      if (x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)
        found.push({ order: rows.order, label });
    }
  }
  found.sort((a, b) => a.order - b.order);
  const labels: Label[] = [];
  for (const [i, { order, label }] of found.entries()) {
    const before = labels.at(-1);
    if (before && order === found[i - 1]!.order)
      labels[labels.length - 1] = { ...before, points: [...before.points, ...label.points] };
    else labels.push(label);
  }
  return labels;
}

/** The lines of places along which a label lies. */
function linesOf(places: string, onPicture: OnPicture): Float64Array[] {
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
