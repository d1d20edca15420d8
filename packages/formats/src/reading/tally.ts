import { noteOf } from '@cartulary/errors/notes';
import { emptyExtent } from '@cartulary/geo';
import type { Certainty, Guess } from '../encodings/sniff.js';
import type { FeatureProperty } from '../properties.js';
import type { ReadyGeometry } from '../tables/ready-geometry.js';
import type { TableInfo } from '../tables/rules.js';
import type { Refusal, Remark, Remarker, Summary } from './summary.js';

/** Maximum number of listed refusals; all are counted. */
export const maxListedRefusals = 100;

/** Maximum number of distinct remarks, notes, projections and tables that are listed. */
const distinctLimit = 50;

/** Maximum number of features that a remark names. */
const namedFeatures = 5;

const certainties: readonly (Certainty | 'said')[] = ['said', 'certain', 'likely', 'uncertain'];

/** Counts the features of a file, and collects the content of the report. */
export class Tally {
  #stored = 0;
  #refused = 0;
  #moved = 0;
  #joined = 0;
  readonly #refusals: Refusal[] = [];
  readonly #geometries: Record<string, number> = {};
  readonly #remarks = new Map<string, Remark>();
  readonly #tables: TableInfo[] = [];
  readonly #notes = new Set<string>();
  readonly #encodings = new Set<string>();
  #leastCertain: Summary['certainty'];
  readonly #projections = new Set<string>();
  readonly #extent = emptyExtent();

  /** Number of features read, including parts of geometries that are no features by themselves. */
  get read(): number {
    return this.#stored + this.#refused + this.#joined;
  }

  /** Counts a part of a geometry that another row stores as a whole. */
  joined(): void {
    this.#joined++;
  }

  /** Counts a feature with a row; null: it has no geometry. */
  taken(geometry: Pick<ReadyGeometry, 'type' | 'box' | 'isMoved'> | null): void {
    this.#stored++;
    const kind = geometry?.type ?? 'none';
    this.#geometries[kind] = (this.#geometries[kind] ?? 0) + 1;
    if (!geometry) return;
    if (geometry.isMoved) this.#moved++;
    const [west, south, east, north] = geometry.box;
    const extent = this.#extent;
    extent[0] = Math.min(extent[0], west);
    extent[1] = Math.min(extent[1], south);
    extent[2] = Math.max(extent[2], east);
    extent[3] = Math.max(extent[3], north);
  }

  refused(refusal: Refusal): void {
    this.#refused++;
    if (this.#refusals.length < maxListedRefusals) this.#refusals.push(refusal);
  }

  projection(srs: string): void {
    if (this.#projections.size < distinctLimit) this.#projections.add(srs);
  }

  /** Records the encoding of texts; with `guess` if the file does not declare it. */
  readonly encoding = (name: string, guess?: Guess): void => {
    this.#encodings.add(name);
    const certainty = guess?.certainty ?? 'said';
    const least = this.#leastCertain ?? 'said';
    this.#leastCertain = certainties.indexOf(certainty) > certainties.indexOf(least) ? certainty : least;
    if (guess) this.#notes.add(guessNote(guess));
  };

  readonly remark: Remarker = (what, becomes, feature) => {
    const name = this.#remarks.size < distinctLimit ? what.slice(0, 100) : noteOf('otherThings');
    const key = `${name} ${becomes}`;
    const remark = this.#remarks.get(key) ?? { what: name, becomes, count: 0, features: [] };
    this.#remarks.set(key, remark);
    remark.count++;
    if (feature === undefined || remark.features.at(-1) === feature) return;
    if (remark.features.length < namedFeatures) remark.features.push(feature);
  };

  readonly table = (info: TableInfo): void => {
    if (this.#tables.length < distinctLimit) this.#tables.push(info);
  };

  readonly note = (text: string): void => {
    if (this.#notes.size < distinctLimit) this.#notes.add(text);
  };

  summary(properties: readonly FeatureProperty[]): Summary {
    return {
      read: this.#stored + this.#refused,
      refused: this.#refused,
      refusals: this.#refusals,
      properties: [...properties],
      geometries: this.#geometries,
      extent: this.#extent[0] === Infinity ? null : this.#extent,
      encodings: [...this.#encodings],
      certainty: this.#leastCertain,
      projections: [...this.#projections],
      remarks: [...this.#remarks.values()],
      tables: this.#tables,
      notes: [...this.#notes, ...(this.#moved ? [noteOf('positionsMoved', { count: this.#moved })] : [])],
    };
  }
}

function guessNote({ encoding, certainty, other, against, isDeclared }: Guess): string {
  const sure = noteOf(certainty);
  const guess = {
    encoding,
    certainty: other && certainty !== 'certain' ? noteOf('orElse', { certainty: sure, other }) : sure,
  };
  if (against) return noteOf('encodingAgainst', { declared: against, ...guess });
  return noteOf(isDeclared ? 'encodingConfirmed' : 'encodingUndeclared', guess);
}
