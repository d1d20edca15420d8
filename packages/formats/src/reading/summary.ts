import type { ErrorCode } from '@cartulary/errors';
import type { Certainty } from '../encodings/sniff.js';
import type { FeatureProperty } from '../properties.js';
import type { TableInfo } from '../tables/rules.js';

/** Notes how the import treats a property of the file. `feature` is a number from 1. */
export type Remarker = (what: string, becomes: string, feature?: number) => void;

/** A feature that is not stored. */
export interface Refusal {
  /** Its number in the file, from 1. */
  feature: number;
  code: ErrorCode;
  message: string;
}

/** Items of one kind that are stored differently than in the file, or left out. */
export interface Remark {
  what: string;
  /** How they are stored, and why. */
  becomes: string;
  count: number;
  /** Numbers of the first features that have them; empty for notes on the file as a whole. */
  features: number[];
}

/** The result of reading a whole file. */
export interface Summary {
  /** Number of features, including refused ones. */
  read: number;
  refused: number;
  /** The first `maxListedRefusals`. */
  refusals: Refusal[];
  properties: FeatureProperty[];
  /** Kind of geometry → features; `none` for those without. */
  geometries: Record<string, number>;
  /** West, south, east, north in degrees; null if there is no geometry. */
  extent: [number, number, number, number] | null;
  /** Distinct encodings of the texts of all parts. */
  encodings: string[];
  /** Confidence of the least certain encoding; undefined if the file has no texts. */
  certainty: Certainty | 'said' | undefined;
  projections: string[];
  remarks: Remark[];
  /** How tables were interpreted. */
  tables: TableInfo[];
  notes: string[];
}
