import type { Figure, Finding } from '../measure.js';
import type { Stage } from '../stage.js';

/** A row of the table, or some that are measured together. */
export interface Row {
  /** For `--only`. */
  code: string;
  what: string;
  /** Not part of a quick run. */
  isLong?: boolean;
  /** Only measured where `--only` names it. */
  isExtra?: boolean;
  measure(stage: Stage): Promise<Measured>;
}

export interface Measured {
  findings?: readonly Finding[];
  figures?: readonly Figure[];
}
