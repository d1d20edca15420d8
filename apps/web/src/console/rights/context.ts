import type { Workspace } from '../workspace/useWorkspace.js';
import type { OverviewState } from './overview.js';

/** What the parts of the dialog share. */
export interface SharingContext {
  workspace: Workspace;
  state: OverviewState;
  /** Carries out a change and reads everything anew; a failure is told in the dialog. */
  change: (work: () => Promise<unknown>) => Promise<void>;
  isBusy: boolean;
}
