import type { Snapshot } from '@cartulary/database';
import { ServiceError } from '@cartulary/errors';

/** A session of a program, of a browser, or of a key that a user has made for a program. */
export type SessionKind = 'rest' | 'console' | 'key';

/**
 * The caller of a request and its project. The hook in `access/hook.ts` sets it on every request under a
 * project.
 */
export interface Caller {
  readonly project: { readonly id: number; readonly code: string; readonly languages: readonly string[] };
  /** null: the public user, without a token. */
  readonly account: { readonly id: number; readonly login: string; readonly name: string } | null;
  readonly groupIds: readonly number[];
  /** Whether grants to the public apply: to a caller without a token, and to an account with publicAccess. */
  readonly isPublic: boolean;
  /** Whether the caller is an administrator of the installation, who may do everything. */
  readonly isInstaller: boolean;
  /** The session's kind; null without a session. */
  readonly session: SessionKind | null;
  /**
   * The snapshot in which the public user was found. Later reads of the request may use it; reads after a
   * write may not.
   */
  readonly at?: Snapshot | undefined;
}

/** The caller without a token: the public user of a project. */
export const publicUser = (project: Caller['project'], at?: Snapshot): Caller => ({
  project,
  account: null,
  groupIds: [],
  isPublic: true,
  isInstaller: false,
  session: null,
  at,
});

/** An account as the statements that find callers read it. */
export interface AccountRow {
  account: {
    id: number;
    login: string;
    name: string;
    /** null: an administrator of the installation. */
    project_id: number | null;
    public_access: boolean;
  };
  /** Ids of its groups; null: none. */
  groups: number[] | null;
}

/** The caller with an account. */
export const accountUser = (
  project: Caller['project'],
  { account: { id, login, name, project_id, public_access }, groups }: AccountRow,
  session: SessionKind | null,
): Caller => ({
  project,
  account: { id, login, name },
  groupIds: groups ?? [],
  isPublic: public_access,
  isInstaller: project_id === null,
  session,
});

/** The account of a caller with a session. Throws 401 for the public user. */
export function accountOf(caller: Caller): NonNullable<Caller['account']> {
  if (!caller.account) throw new ServiceError('not_authenticated');
  return caller.account;
}

/** The main language of the caller's project. */
export const mainLanguage = (caller: Caller): string => caller.project.languages[0]!;
