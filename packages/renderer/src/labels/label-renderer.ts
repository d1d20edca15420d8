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
  const reader = labelReader(pass, pass.unit / pixel, onPicture);
  const { around, rows } = pass;
  const [x, y] = [around.x * job.scale, around.y * job.scale];
  if ('chunks' in rows) {
    yield* labelsOfChunks(rows.chunks, reader, {
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
    while (found.next()) yield reader.labelOf(found);
  }
}

type OnPicture = (mercator: readonly [number, number]) => LabelPoint;

/** Gives the labels of rows, and places of positions on the picture. `step`: pixels per unit of positions. */
function labelReader({ kinds }: Pick<LabelPass, 'kinds'>, step: number, onPicture: OnPicture): LabelReader {
  const [left, top] = onPicture([-world / 2, world / 2]);
  const on = (places: string): LabelPoint[] =>
    pointsOf(places, interiorOf).map((point) => onPicture(toMercator(...point)));
  const xOf = (x: number): number => left + x * step;
  const yOf = (y: number): number => top + y * step;
  const labelOf = (row: LabelRows): RowLabel => {
    const { places, hasPosition, kind, claims } = row;
    if (kinds[kind]?.look?.along) return new RowLabel(row, [], { lines: linesOf(places, onPicture) });
    const points: LabelPoint[] = hasPosition ? [[xOf(row.x), yOf(row.y)]] : on(places);
    return new RowLabel(row, points, claims ? { claims: on(claims) } : {});
  };
  return { xOf, yOf, labelOf };
}

interface LabelReader {
  xOf(position: number): number;
  yOf(position: number): number;
  labelOf(row: LabelRows): RowLabel;
}

/** The label of a row. Its text is cut out of all rows where it is read, since most labels find no room whatever their text is. */
class RowLabel implements Label {
  points: readonly LabelPoint[];
  readonly claims: readonly LabelPoint[] | undefined;
  readonly lines: readonly Float64Array[] | undefined;
  readonly kind: number;
  readonly order: number;
  readonly #all: string;
  readonly #textStart: number;
  readonly #textEnd: number;

  constructor(
    { all, kind, order, textStart, textEnd }: LabelRows,
    points: readonly LabelPoint[],
    { claims, lines }: Pick<Label, 'claims'> & { lines?: readonly Float64Array[] },
  ) {
    this.points = points;
    this.claims = claims;
    this.lines = lines;
    this.kind = kind;
    this.order = order;
    this.#all = all;
    this.#textStart = textStart;
    this.#textEnd = textEnd;
  }

  get text(): string {
    return this.#all.slice(this.#textStart, this.#textEnd);
  }
}

/** The labels of chunks in a box, in their order; an object with several points has a row for each. */
function labelsOfChunks(
  chunks: readonly Uint8Array[],
  { xOf, yOf, labelOf }: LabelReader,
  box: LabelBox,
): Label[] {
  const isWanted = (column: number, row: number): boolean => {
    const [x, y] = [xOf(column), yOf(row)];
    return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
  };
  const found: RowLabel[] = [];
  for (const bytes of chunks) {
    const rows = new LabelRows(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
    while (rows.next(isWanted)) found.push(labelOf(rows));
  }
  found.sort((a, b) => a.order - b.order);
  const labels: RowLabel[] = [];
  for (const label of found) {
    const before = labels.at(-1);
    if (before?.order === label.order) before.points = [...before.points, ...label.points];
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
