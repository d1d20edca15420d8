import type { Snapshot } from '../db/pool.js';
import { ServiceError } from '../errors.js';

/** Who asks, and in which project: set on every request under a project by the hook in `access/hook.ts`. */
export interface Caller {
  readonly project: { readonly id: number; readonly code: string; readonly languages: readonly string[] };
  /** null: the public user, no token was sent. */
  readonly account: { readonly id: number; readonly login: string; readonly name: string } | null;
  readonly groupIds: readonly number[];
  /** Whether grants to the public count for this caller: no token, or an account with publicAccess. */
  readonly isPublic: boolean;
  /** An administrator of the installation may do everything. */
  readonly isInstaller: boolean;
  /** The session's kind; null without a session. */
  readonly session: 'rest' | 'console' | null;
  /** What was stored when the public user was found: what the request reads next may be as old. Not for what it reads after a write. */
  readonly at?: Snapshot | undefined;
}

/** The account of a caller with a session. Throws 401 for the public user. */
export function accountOf(caller: Caller): NonNullable<Caller['account']> {
  if (!caller.account) throw new ServiceError('not_authenticated');
  return caller.account;
}

/** The main language of the caller's project. */
export const mainLanguage = (caller: Caller): string => caller.project.languages[0]!;
