import type { Column } from './layers.js';

/** Where the values of a column lie in the layer's table. In a file of its own: the threads that read files load it, and nothing of how layers are found. */
export const columnName = (column: Pick<Column, 'id' | 'code'>): string =>
  column.code === 'svc_id' || column.code === 'geom' ? column.code : `c${column.id}`;
