import { emptyExtent } from '../geo/geojson.js';
import type { Property } from './properties.js';
import type { Certainty, Guess } from './readers/sniff.js';
import type { Refusal, Remark, Summary } from './reading.js';
import type { ReadyGeometry } from './tables/ready-geometry.js';
import type { TableInfo } from './tables/rules.js';

/** Most refusals that are listed; all are counted. */
export const listedRefusals = 100;

/** Most different names that are counted by themselves. */
const differentNames = 50;

const edgeNote = (count: number): string =>
  `${count} features had positions a little beyond 180 or 90 degrees, as by rounding: these were taken to the edge`;
/** Takes notice of something in the file, and of what becomes of it. */
export type Remarker = (what: string, becomes: string, feature?: number) => void;

/** Features that are named in a remark. */
const namedFeatures = 5;

/** Counts what is read. */
export interface Tally {
  /** Rows, those that are no features by themselves among them. */
  readonly read: number;
  /** A feature of which a row was made; null: it has no geometry. */
  taken(geometry: Pick<ReadyGeometry, 'type' | 'box' | 'isMoved'> | null): void;
  refused(refusal: Refusal): void;
  /** A part of a geometry that is whole in another row: no feature by itself. */
  joined(): void;
  /** `guess`: the file did not say it. */
  encoding(name: string, guess?: Guess): void;
  projection(srs: string): void;
  /** Something that is not stored as the file has it, and what becomes of it; of a feature. */
  remark: Remarker;
  table(info: TableInfo): void;
  note(text: string): void;
  summary(properties: readonly Property[]): Summary;
}

const surest: readonly (Certainty | 'said')[] = ['said', 'certain', 'likely', 'uncertain'];

const noteOf = ({ encoding, certainty, other, against }: Guess): string => {
  const why = against
    ? `The file says that its texts are in ${against}`
    : 'The file does not say the encoding of its texts';
  const next = other && certainty !== 'certain' ? `, else ${other}` : '';
  return `${why}: by their letters ${encoding} was taken (${certainty}${next}). If that is wrong, give encoding`;
};

export function createTally(): Tally {
  let stored = 0;
  let refused = 0;
  let moved = 0;
  let joined = 0;
  const refusals: Refusal[] = [];
  const geometries: Record<string, number> = {};
  const remarks = new Map<string, Remark>();
  const tables: TableInfo[] = [];
  const notes = new Set<string>();
  const encodings = new Set<string>();
  let leastSure: Summary['certainty'];
  const projections = new Set<string>();
  const extent = emptyExtent();
  return {
    get read() {
      return stored + refused + joined;
    },
    joined: () => void joined++,
    taken(geometry) {
      stored++;
      const kind = geometry?.type ?? 'none';
      geometries[kind] = (geometries[kind] ?? 0) + 1;
      if (!geometry) return;
      if (geometry.isMoved) moved++;
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
    encoding(name, guess) {
      encodings.add(name);
      const certainty = guess?.certainty ?? 'said';
      if (surest.indexOf(certainty) > surest.indexOf(leastSure ?? 'said')) leastSure = certainty;
      leastSure ??= certainty;
      if (guess) notes.add(noteOf(guess));
    },
    projection: (srs) => void (projections.size < differentNames && projections.add(srs)),
    remark(what, becomes, feature) {
      const name = remarks.size < differentNames ? what.slice(0, 100) : 'other things';
      const remark = remarks.get(`${name} ${becomes}`) ?? { what: name, becomes, count: 0, features: [] };
      remarks.set(`${name} ${becomes}`, remark);
      remark.count++;
      if (feature === undefined || remark.features.at(-1) === feature) return;
      if (remark.features.length < namedFeatures) remark.features.push(feature);
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
      certainty: leastSure,
      projections: [...projections],
      remarks: [...remarks.values()],
      tables,
      notes: [...notes, ...(moved ? [edgeNote(moved)] : [])],
    }),
  };
}
