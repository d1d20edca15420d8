import { srsName } from '../geo/srs.js';
import type { ColumnPlan } from './plan.js';
import type { Certainty } from './readers/sniff.js';
import type { Refusal, Remark, Summary } from './reading.js';
import type { TableInfo } from './tables/rules.js';
import { listedRefusals } from './tally.js';

/** What is told of an import. `read` is always `stored` and `refused` together. */
export interface ImportReport {
  /** Features in the file. */
  read: number;
  /** Objects added or changed. */
  stored: number;
  /** Features that were left out. */
  refused: number;
  /** The first of them. */
  errors: Refusal[];
  format: string;
  /** Of the texts; null where the file has none beyond ASCII, from which it could be told. */
  encoding: string | null;
  /** `said` by the parameter or the file, else how sure it is by the texts themselves; null without an encoding. */
  encoding_certainty: Certainty | 'said' | null;
  /** Of the coordinates in the file. */
  projection: string | null;
  /** Kind of geometry → features; `none`: without. */
  geometries: Record<string, number>;
  /** How tables were understood, each file by itself; absent for other formats. */
  tables?: TableInfo[];
  /** What else should be known: files that were not there, things that are no features. */
  notes: string[];
}

/** What an import would do. */
export interface ImportPlan extends ImportReport {
  columns: { code: string; name: string; type: string; new: boolean }[];
  /** West, south, east, north in degrees. */
  extent: [number, number, number, number] | null;
}

const joined = (items: readonly string[]): string | null => (items.length ? items.join(', ') : null);

export interface Outcome {
  format: string;
  notes: readonly string[];
  summary: Summary;
  /** Refused when they were to be stored. */
  late: readonly Refusal[];
}

export function reportOf({ format, notes, summary, late }: Outcome): ImportReport {
  const refused = summary.refused + late.length;
  const errors = [...summary.refusals, ...late].sort((a, b) => a.feature - b.feature);
  return {
    read: summary.read,
    stored: summary.read - refused,
    refused,
    errors: errors.slice(0, listedRefusals),
    format,
    encoding: joined(summary.encodings),
    encoding_certainty: summary.certainty ?? null,
    projection: joined(summary.projections.map(srsName)),
    geometries: summary.geometries,
    ...(summary.tables.length ? { tables: summary.tables } : {}),
    notes: [...notes, ...summary.notes, ...summary.remarks.map(shownRemark)],
  };
}

function shownRemark({ what, becomes, count, features }: Remark): string {
  const more = features.length < count ? ' …' : '';
  const where = features.length ? ` (feature ${features.join(', ')}${more})` : '';
  return `${count} × ${what}${where}: ${becomes}`;
}

export function planReport(outcome: Outcome, plans: readonly ColumnPlan[]): ImportPlan {
  const columns = plans.map(({ column }) => ({
    code: column.code,
    name: column.name,
    type: column.type,
    new: !('id' in column),
  }));
  return { ...reportOf(outcome), stored: 0, columns, extent: outcome.summary.extent };
}
