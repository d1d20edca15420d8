import type { Figure, Finding } from '../measure.js';
import type { Stage } from '../stage.js';

/** One row of the table, or several that one measurement gives. */
export interface Row {
  /** Name for `--only`. */
  code: string;
  what: string;
  /** Left out of a quick run. */
  isLong?: boolean;
  /** Measured only if `--only` names it. */
  isExtra?: boolean;
  /** Compares the service with itself, so that no other server has to be installed. */
  isWithoutPeers?: boolean;
  measure(stage: Stage): Promise<Measured>;
}

export interface Measured {
  findings?: readonly Finding[];
  figures?: readonly Figure[];
}
