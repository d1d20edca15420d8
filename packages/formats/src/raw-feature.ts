import type { ServiceError } from '@cartulary/errors';
import type { ReadyGeometry } from './tables/ready-geometry.js';
import type { TextRules } from './tables/text-values.js';

/** A feature of a file. Its structure is checked; its geometry and values are not. */
export interface RawFeature {
  /** Number in the order of the file, from 1. */
  number: number;
  id: unknown;
  geometry: unknown;
  /** A checked geometry in longitude and latitude that replaces `geometry`. */
  ready?: ReadyGeometry | undefined;
  properties: Record<string, unknown>;
  /** Why the feature cannot be stored, if its reader found a reason. */
  error?: ServiceError;
  /** Line of its first character in the file, from 1, for messages. */
  line?: number;
  /** For features of a table: how its texts are converted to numbers, dates and so on. */
  texts?: TextRules;
}

export interface FeatureReader {
  /** Returns the features that are complete with this chunk. */
  push(chunk: Buffer): RawFeature[];
  /** Returns the remaining features at the end of the file. Throws if the file is incomplete or of another format. */
  end(): RawFeature[];
  /** The projection of the coordinates, as far as the bytes read so far declare it. */
  srs(): string;
}
