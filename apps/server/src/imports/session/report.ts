import { noteOf } from '@cartulary/errors/notes';
import {
  type Certainty,
  maxListedRefusals,
  type Refusal,
  type Remark,
  type Summary,
  type TableInfo,
} from '@cartulary/formats';
import { srsName } from '@cartulary/geo';
import type { FeatureCollection } from 'geojson';
import type { FirstRow } from './first-rows.js';
import type { StoredFeatures } from './options.js';
import type { ColumnPlan } from './plan.js';

/** The report of an import. `read` is the sum of `stored` and `refused`. */
export interface ImportReport {
  /** Features in the file. */
  read: number;
  /** Objects added or changed. */
  stored: number;
  /** In a dry run: what would be added or changed. */
  added: number;
  changed: number;
  /** Features that were left out. */
  refused: number;
  /** The first of them. */
  errors: Refusal[];
  format: string;
  /** The encoding of the texts; null where all of them are ASCII. */
  encoding: string | null;
  /** `said`: the request or the file declares the encoding; else how certain the texts make it. Null without an encoding. */
  encoding_certainty: Certainty | 'said' | null;
  /** Of the coordinates in the file. */
  projection: string | null;
  /** Kind of geometry → features; `none`: without. */
  geometries: Record<string, number>;
  /** The interpretation of each table; absent for other formats. */
  tables?: TableInfo[];
  /** Other remarks: missing files, contents that are no features. */
  notes: string[];
}

/** The report of a dry run. */
export interface ImportPlan extends ImportReport {
  columns: { code: string; name: string; type: string; new: boolean; properties: string[] }[];
  /** West, south, east, north in degrees. */
  extent: [number, number, number, number] | null;
  /** The first features, where they were asked for. */
  rows?: FirstRow[];
  /** Their geometries for a small map. */
  sketch?: FeatureCollection;
}

const joined = (items: readonly string[]): string | null => (items.length ? items.join(', ') : null);

export interface ImportOutcome extends StoredFeatures {
  format: string;
  notes: readonly string[];
}

export function reportOf({ format, notes, summary, late, changed }: ImportOutcome): ImportReport {
  const refused = summary.refused + late.length;
  const errors = [...summary.refusals, ...late].sort((a, b) => a.feature - b.feature);
  return {
    read: summary.read,
    stored: summary.read - refused,
    added: summary.read - refused - changed,
    changed,
    refused,
    errors: errors.slice(0, maxListedRefusals),
    format,
    encoding: joined(summary.encodings),
    encoding_certainty: summary.certainty ?? null,
    projection: joined(summary.projections.map(srsName)),
    geometries: summary.geometries,
    ...(summary.tables.length ? { tables: summary.tables } : {}),
    notes: [...notes, ...leftOutNote(summary), ...summary.notes, ...summary.remarks.map(shownRemark)],
  };
}

function leftOutNote({ properties }: Summary): string[] {
  const names = properties.flatMap(({ name, isLeftOut }) => (isLeftOut ? name : []));
  return names.length ? [noteOf('leftOutProperties', { names: names.join(', ') })] : [];
}

function shownRemark({ what, becomes, count, features }: Remark): string {
  if (!features.length) return noteOf('remark', { count, what, becomes });
  const named = features.join(', ') + (features.length < count ? ' …' : '');
  return noteOf('remarkOnFeatures', { count, what, features: named, becomes });
}

export function planReport(
  outcome: ImportOutcome,
  plans: readonly ColumnPlan[],
  { rows, sketch }: { rows: FirstRow[] | undefined; sketch: FeatureCollection | undefined },
): ImportPlan {
  const columns = plans.map(({ column, sources }) => ({
    code: column.code,
    name: column.name,
    type: column.type,
    new: !('id' in column),
    properties: sources.map(({ index }) => outcome.summary.properties[index]!.name),
  }));
  return {
    ...reportOf(outcome),
    stored: 0,
    columns,
    extent: outcome.summary.extent,
    ...(rows ? { rows } : {}),
    ...(sketch ? { sketch } : {}),
  };
}
