import { emptyExtent } from '../geo/geojson.js';
import type { Property } from './properties.js';
import type { Refusal, Summary } from './reading.js';
import type { ReadyGeometry } from './tables/ready-geometry.js';
import type { TableInfo } from './tables/rules.js';

/** Most refusals that are listed; all are counted. */
export const listedRefusals = 100;

/** Most different names that are counted by themselves. */
const differentNames = 50;

/** Counts what is read. */
export interface Tally {
  readonly read: number;
  /** A feature of which a row was made; null: it has no geometry. */
  taken(geometry: Pick<ReadyGeometry, 'type' | 'box'> | null): void;
  refused(refusal: Refusal): void;
  encoding(name: string): void;
  projection(srs: string): void;
  leftOut(element: string): void;
  table(info: TableInfo): void;
  note(text: string): void;
  summary(properties: readonly Property[]): Summary;
}

export function createTally(): Tally {
  let stored = 0;
  let refused = 0;
  const refusals: Refusal[] = [];
  const geometries: Record<string, number> = {};
  const leftOut: Record<string, number> = {};
  const tables: TableInfo[] = [];
  const notes = new Set<string>();
  const encodings = new Set<string>();
  const projections = new Set<string>();
  const extent = emptyExtent();
  return {
    get read() {
      return stored + refused;
    },
    taken(geometry) {
      stored++;
      const kind = geometry?.type ?? 'none';
      geometries[kind] = (geometries[kind] ?? 0) + 1;
      if (!geometry) return;
      const [west, south, east, north] = geometry.box;
      extent[0] = Math.min(extent[0], west);
      extent[1] = Math.min(extent[1], south);
      extent[2] = Math.max(extent[2], east);
      extent[3] = Math.max(extent[3], north);
    },
    refused(refusal) {
      refused++;
      if (refusals.length < listedRefusals) refusals.push(refusal);
    },
    encoding: (name) => void encodings.add(name),
    projection: (srs) => void (projections.size < differentNames && projections.add(srs)),
    leftOut(element) {
      leftOut[element] = (leftOut[element] ?? 0) + 1;
    },
    table: (info) => void (tables.length < differentNames && tables.push(info)),
    note: (text) => void (notes.size < differentNames && notes.add(text)),
    summary: (properties) => ({
      read: stored + refused,
      refused,
      refusals,
      properties: [...properties],
      geometries,
      extent: extent[0] === Infinity ? null : extent,
      encodings: [...encodings],
      projections: [...projections],
      leftOut,
      tables,
      notes: [...notes],
    }),
  };
}
