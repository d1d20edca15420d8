import { type Sql, sql } from '../db/sql.js';
import type { Around } from '../styles/compile.js';

/** Degrees of longitude in a pixel of the style at the equator, whatever the scale of the picture: a pixel of the scale denominator is 0.28 mm wide (OGC 06-042, 7.2.4.6.9). */
export const stylePixel = sql`(!scale_denominator! * 0.00028 / 111319.490793273)`;

/** The lowest zoom level at which what Mapnik asks for around a picture ends before the world of its sources does. */
const nearest = 4;

/**
 * `!bbox!`, which lies `asked` pixels of the style around a picture, without what lies further away than is wanted. A
 * pixel is fewer degrees high the nearer it is to a pole, so that a little more than wanted stays at the other edge.
 */
export function readBox(asked: number, wanted: Around, zoom: number): Sql {
  const [x, y] = [Math.max(0, asked - wanted.x), Math.max(0, asked - wanted.y)];
  if (zoom < nearest || (x === 0 && y === 0)) return sql`!bbox!`;
  const cosine = (edge: Sql): Sql => sql`cos(radians(${edge}))`;
  const narrowest = sql`least(${cosine(sql`st_ymin(!bbox!)`)}, ${cosine(sql`st_ymax(!bbox!)`)})`;
  return sql`st_expand(!bbox!, ${-x} * ${stylePixel}, ${-y} * ${stylePixel} * ${narrowest})`;
}
