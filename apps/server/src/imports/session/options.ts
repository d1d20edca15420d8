import type { Transaction } from '@cartulary/database';
import type { Refusal, Summary } from '@cartulary/formats';
import type { Progress } from '../../jobs/jobs.js';
import type { ColumnChoice } from './choices.js';
import type { ImportAuthor } from './undo-copy.js';

export interface ImportOptions {
  /** replace: the file replaces all objects. merge: its features are added, or change the objects whose ids they name. */
  action: 'replace' | 'merge';
  /** merge: codes of columns; a feature changes the object with equal values in them. Absent or empty: the one whose id it has. */
  key?: readonly string[] | undefined;
  /** EPSG number, `EPSG:n`, WKT or proj4. Absent: that of the file, else 4326. */
  srs?: string | undefined;
  /** Languages of the map, the main one first. */
  languages: readonly string[];
  /** The language of values without one; absent: the main one. */
  language?: string | undefined;
  /** Names (`name`) for which a new localized column collects the properties of all languages (`name_ru`). */
  localized?: readonly string[] | undefined;
  /** What the request says of properties of the file. */
  choices?: readonly ColumnChoice[] | undefined;
  /** Features that a dry run shows; absent: none. */
  firstRows?: number | undefined;
  /** Features whose simplified geometries a dry run shows; absent: none. */
  sketched?: number | undefined;
  /** Whether features that cannot be stored are left out and listed; otherwise the first one fails the import. */
  skipErrors?: boolean | undefined;
  /** Whether a file must go through a staging table, even where a direct load is possible (docs/fast-paths.md). */
  alwaysStaged?: boolean | undefined;
  /** Who imports which file, where the import can be undone; absent: nothing is kept for that. */
  author?: ImportAuthor | undefined;
  /** Maximum size of a feature, bytes. */
  featureLimit: number;
  columnLimit: number;
  /** A folder with grid files of PROJ; absent or empty: there is none. */
  projectionGrids?: string | undefined;
  signal?: AbortSignal | undefined;
  /** Receives the phase of the import, and how many features were read so far. */
  progress?: Progress | undefined;
  /** Runs at the end of the transaction that stores the objects, with the report. */
  beforeCommit?: ((tx: Transaction, report: object) => Promise<void> | undefined) | undefined;
}

/** What became of the features of a file. */
export interface StoredFeatures {
  summary: Summary;
  /** Refused when they were to be stored. */
  late: readonly Refusal[];
  /** How many changed an object; the others were added. */
  changed: number;
}

/** Options of the storing itself; `noteStored` runs at the end of its transaction. */
export interface StoringOptions extends ImportOptions {
  noteStored(tx: Transaction, features: StoredFeatures): Promise<void> | undefined;
}
