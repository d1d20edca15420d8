import { polygon } from '../../data/polygons.js';
import { type DataSet, type Position, shapes } from './data-set.js';

/** The small polygons of the bench: 16 corners, dense around towns. */
export const areas: DataSet = {
  code: 'areas',
  geometry: 'POLYGON',
  columns: { name: 'string', value: 'number', class: 'number' },
  *rows(features) {
    for (let i = 0; i < features; i++) {
      const { properties, geometry } = polygon(i);
      const ring = geometry.coordinates[0] as unknown as Position[];
      // Between 0 and 100, whatever the size of the layer.
      const value = ((i * 7_919) % 1_000) / 10;
      yield { shape: shapes.polygon(ring), values: [properties.name, value, properties.class], at: ring[0]! };
    }
  },
};
