import { join, sql } from '@cartulary/sql';
import type { Filter, ObjectQuery } from '../../objects/store.js';
import { type Crs, crs84 } from './crs.js';

/** The form of features in a reference system. */
export const featureOutput = (crs: Crs): Pick<ObjectQuery, 'isFeature' | 'geometry'> => ({
  isFeature: true,
  geometry: {
    sr: crs.srid === 3857 ? '3857' : '4326',
    centroid: false,
    ...(crs === crs84 || crs.srid === 3857 ? {} : { crs }),
  },
});

/** All of the filters together; undefined without one. */
export function allOf(filters: readonly Filter[]): Filter | undefined {
  if (filters.length < 2) return filters[0];
  return (context) =>
    join(
      filters.map((filter) => sql`(${filter(context)})`),
      ' and ',
    );
}
