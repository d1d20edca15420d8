import type { Around } from '@cartulary/cartocss';
import { type Sql, sql } from '@cartulary/sql';

/**
 * Degrees of longitude per pixel of the style at the equator, for every scale of the picture. A pixel of the scale
 * denominator is 0.28 mm wide (OGC 06-042, 7.2.4.6.9).
 */
export const stylePixel = sql`(!scale_denominator! * 0.00028 / 111319.490793273)`;

/** Lowest zoom level at which Mapnik's requested box lies within the world of its sources. */
const nearest = 4;

/**
 * `!bbox!`, which reaches `asked` pixels of the style around a picture, reduced to the `wanted` pixels. Pixels are fewer
 * degrees high near the poles; the box keeps a little more than wanted at the edge nearer to the equator.
 */
export function readBox(asked: number, wanted: Around, zoom: number): Sql {
  const [x, y] = [Math.max(0, asked - wanted.x), Math.max(0, asked - wanted.y)];
  if (zoom < nearest || (x === 0 && y === 0)) return sql`!bbox!`;
  const cosine = (edge: Sql): Sql => sql`cos(radians(${edge}))`;
  const narrowest = sql`least(${cosine(sql`st_ymin(!bbox!)`)}, ${cosine(sql`st_ymax(!bbox!)`)})`;
  return sql`st_expand(!bbox!, ${-x} * ${stylePixel}, ${-y} * ${stylePixel} * ${narrowest})`;
}
