import { type BoxEdges, unionOf } from '@cartulary/geo';
import svgPath from 'svgpath';
import { pixelsOf } from './svg-length.js';

/**
 * The cost of an icon for a renderer. Lengths are relative to the longer side of the icon, so they hold for
 * every size.
 */
export interface SvgCost {
  /** Points of all shapes, including those of curves. */
  points: number;
  /**
   * Upper bound of the length of all outlines, along the control points of curves. Outlines are drawn in
   * steps of about a pixel.
   */
  length: number;
  /** Dashes and gaps of all lines, including those that an offset skips. */
  dashes: number;
  /** Width of the widest line. Its round corners are drawn in steps, too. */
  width: number;
  /** Size of the box around all shapes, pixels. A pattern draws all of it into one picture. */
  extent: number;
  /** Upper bound of painted pixels: the sum of the boxes of all shapes. */
  area: number;
}

/** Largest accepted costs: far beyond real icons, and drawn in a fraction of a second. */
const most: Readonly<SvgCost> = {
  points: 30_000,
  length: 5_000,
  dashes: 50_000,
  width: 20,
  extent: 2_048,
  area: 50e6,
};

const sayings: Readonly<Record<keyof SvgCost, string>> = {
  points: 'its shapes have too many points',
  length: 'its outlines are too long',
  dashes: 'its lines have too many dashes',
  width: 'a line is too wide',
  extent: 'its shapes reach too far',
  area: 'its shapes cover too many pixels',
};

/** Properties that an element passes to its children. */
export interface Drawn {
  transform: string;
  dashes: string;
  dashOffset: string;
  width: string;
}

export const initialStyle: Drawn = { transform: '', dashes: 'none', dashOffset: '0', width: '1' };

/** The properties inside an element with these attributes. */
export const drawnIn = (outer: Drawn, kept: ReadonlyMap<string, string>): Drawn => ({
  transform: `${outer.transform} ${kept.get('transform') ?? ''}`,
  dashes: kept.get('stroke-dasharray') ?? outer.dashes,
  dashOffset: kept.get('stroke-dashoffset') ?? outer.dashOffset,
  width: kept.get('stroke-width') ?? outer.width,
});

/** Sums the cost of the shapes of an icon. `side`: the longer side of its box, in its own units. */
export class CostOfSvg {
  readonly #cost: SvgCost = { points: 0, length: 0, dashes: 0, width: 0, extent: 0, area: 0 };
  #box: BoxEdges = unionOf([]);

  /** `pixels`: the longer side in pixels. */
  constructor(
    private readonly side: number,
    private readonly pixels: number,
  ) {}

  /** Adds a shape. Returns the reason when the icon is refused. */
  add(tag: string, kept: ReadonlyMap<string, string>, drawn: Drawn): string | undefined {
    const path = pathOf(tag, kept, this.side);
    if (path === undefined) return undefined;
    const cost = this.#cost;
    // Checked before the path is parsed, since a very long path takes time.
    if (cost.points + numbersIn(path) / 2 > most.points) return sayings.points;
    const own = measure(path);
    if (own === undefined) return tag === 'path' ? 'the value of d' : 'the value of points';
    const isMoved = drawn.transform.trim() !== '';
    const seen = isMoved ? measure(path, drawn.transform)! : own;
    cost.points += own.points;
    cost.length += seen.length / this.side;
    const scale = isMoved ? scaleOf(drawn.transform) : 1;
    cost.width = Math.max(cost.width, (Math.abs(lengthOf(drawn.width, this.side)) * scale) / this.side);
    this.#box = unionOf([this.#box, seen.box]);
    cost.extent = Math.max(...this.#sidesOf(this.#box));
    const [width, height] = this.#sidesOf(seen.box);
    cost.area += width * height;
    cost.dashes += dashesOf(own.length, drawn, this.side);
    const excess = (Object.keys(most) as (keyof SvgCost)[]).find((name) => !(cost[name] <= most[name]));
    return excess && sayings[excess];
  }

  /** Pixels; 0 for an empty box. */
  #sidesOf([west, south, east, north]: BoxEdges): [width: number, height: number] {
    const scale = this.pixels / this.side;
    return [Math.max(0, east - west) * scale, Math.max(0, north - south) * scale];
  }
}

const numbersIn = (path: string): number => path.match(/[-+]?(?:\d+\.?\d*|\.\d+)/g)?.length ?? 0;

/** Pixels per `em`: the usual font size, since an icon has no text. */
const emSize = 16;

/** A length in the units of the shape; a percentage refers to the longer side. 0 when it is absent. */
function lengthOf(length: string | undefined, side: number): number {
  const relative = Number.parseFloat(length ?? '') || 0;
  return pixelsOf(length) ?? relative * (length?.trim().endsWith('%') ? side / 100 : emSize);
}

const dashesOf = (length: number, { dashes, dashOffset }: Drawn, side: number): number => {
  const lengths = dashes
    .split(/[\s,]+/)
    .map(Number.parseFloat)
    .filter(Number.isFinite);
  const period = lengths.reduce((sum, one) => sum + one, 0);
  return period > 0 ? ((length + Math.abs(lengthOf(dashOffset, side))) / period) * lengths.length : 0;
};

/** Upper bound of the factor by which a transform widens a line: the length of its longer axis. */
const scaleOf = (transform: string): number =>
  Math.max(...['M0 0H1', 'M0 0V1'].map((path) => measure(path, transform)?.length ?? 1));

/** The shape as path data; undefined for elements that draw nothing. */
function pathOf(tag: string, kept: ReadonlyMap<string, string>, side: number): string | undefined {
  const of = (name: string): number => lengthOf(kept.get(name), side);
  const ellipse = (x: number, y: number, rx: number, ry: number): string =>
    `M${x - rx} ${y}a${rx} ${ry} 0 1 0 ${2 * rx} 0a${rx} ${ry} 0 1 0 ${-2 * rx} 0Z`;
  switch (tag) {
    case 'path':
      return kept.get('d') || undefined;
    case 'polyline':
    case 'polygon':
      return kept.get('points') ? `M${kept.get('points')}` : undefined;
    case 'rect':
      return `M${of('x')} ${of('y')}h${of('width')}v${of('height')}h${-of('width')}Z${ellipse(of('x'), of('y'), of('rx'), of('ry'))}`;
    case 'circle':
      return ellipse(of('cx'), of('cy'), of('r'), of('r'));
    case 'ellipse':
      return ellipse(of('cx'), of('cy'), of('rx'), of('ry'));
    case 'line':
      return `M${of('x1')} ${of('y1')}L${of('x2')} ${of('y2')}`;
    default:
      return undefined;
  }
}

interface Measures {
  points: number;
  length: number;
  box: BoxEdges;
}

/** The size of path data under a transform; undefined for invalid data. */
function measure(data: string, transform = ''): Measures | undefined {
  const path = svgPath(data).transform(transform).abs().unshort().unarc();
  if ((path as unknown as { err: string }).err) return undefined;
  let points = 0;
  let length = 0;
  let start: [number, number] = [0, 0];
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  const reach = (x: number, y: number): void => {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  };
  path.iterate((segment, _i, x, y) => {
    const [command, ...numbers] = segment as [string, ...number[]];
    let [fromX, fromY] = [x, y];
    const to = (nextX: number, nextY: number): void => {
      points += 1;
      reach(fromX, fromY);
      reach(nextX, nextY);
      length += Math.hypot(nextX - fromX, nextY - fromY);
      [fromX, fromY] = [nextX, nextY];
    };
    if (command === 'M') start = [numbers[0]!, numbers[1]!];
    else if (command === 'Z') to(...start);
    else if (command === 'H') to(numbers[0]!, y);
    else if (command === 'V') to(x, numbers[0]!);
    else for (let i = 0; i + 1 < numbers.length; i += 2) to(numbers[i]!, numbers[i + 1]!);
  });
  return { points, length, box };
}
