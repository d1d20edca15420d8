import { type Box, type Corners, cornersOf } from '../geo/bbox.js';
import { displayValue } from '../layers/types.js';
import type { Output } from './query.js';

/** An object as it is read: the values of the asked columns in their order. */
export interface ObjectRow {
  id: number;
  /** As the interface returns them (datetime ISO 8601), but json as JSON text. */
  values: readonly unknown[];
  /** GeoJSON text (or WKT, as it was asked for), when there is one. */
  geom: string | null;
  /** Degrees of EPSG:4326, when it was asked for and there is a geometry. */
  box: Box | null;
}

/** A row of `rowsStatement`. */
export type RawRow = Record<string, unknown> & { id: number };

export function toRow(raw: RawRow, output: Output): ObjectRow {
  const { west, south, east, north } = raw as unknown as Box;
  return {
    id: raw.id,
    values: output.columns.map((_, i) => raw[`v${i}`]),
    geom: (raw.geom as string | null | undefined) ?? null,
    box: west === null || west === undefined ? null : { west, south, east, north },
  };
}

/** Writes rows as the object structures of the interface, JSON text. Prepared once per answer, since it is the same for all rows. */
export function rowWriter(output: Output): (row: ObjectRow) => string {
  const language = output.lng ?? output.main;
  const columns = output.columns.map((column, i) => ({
    key: `${i ? ',' : ''}${JSON.stringify(column.code)}:`,
    isRaw: column.type === 'json',
    display: output.display && column.format ? column : undefined,
  }));
  return (row) => {
    let text = `{"id":${row.id},"fields":{`;
    for (const [i, { key, isRaw, display }] of columns.entries()) {
      const value = row.values[i];
      text += key;
      if (value === null || value === undefined) text += 'null';
      else if (isRaw) text += value;
      else text += JSON.stringify(display ? displayValue(display, value, language) : value);
    }
    text += '}';
    if (output.geometry) text += `,"geom":${row.geom}`;
    if (output.bbox) text += `,"bbox":${JSON.stringify(row.box && cornersOf(row.box, output.bbox))}`;
    return `${text}}`;
  };
}

/** For documentation and tests: the object structure that `rowWriter` writes. */
export interface ObjectView {
  id: number;
  fields: Record<string, unknown>;
  geom?: unknown;
  bbox?: Corners | null;
}
