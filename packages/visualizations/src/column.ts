import type { Column } from '@cartulary/columns';
import type { Sql } from '@cartulary/sql';

/** The properties of a column that visualizations read. */
export type VisualColumn = Pick<Column, 'id' | 'code' | 'type' | 'localized_value' | 'pack' | 'slot'>;

/** A value for comparison and display. A datetime is a text, ISO 8601 in UTC. */
export type DataValue = string | number | boolean;

/** SQL expression for the value of a column of the layer, by its id: number, boolean or text. */
export type ReadValue = (column: number) => Sql;
