import type { ServiceCalls } from './calls.js';

/** A user's session in a project with this browser. Its token is in a cookie that scripts cannot read. */
export interface BrowserSession {
  project: string;
  login: string;
  name: string;
  /** Whether the user may use the console. */
  guiAccess: boolean;
  /** Value of `X-CSRF-Token`, for requests that write. */
  csrf: string;
}

export interface BrowserSessions {
  sessions: readonly BrowserSession[];
  /** The only project of the service; null where there are several. */
  project: string | null;
}

/**
 * Sessions in cookies, for pages that the service itself serves: the service ignores such cookies in requests of other
 * sites and of programs.
 */
export const browserSessions = (calls: ServiceCalls): Promise<BrowserSessions> => ask(calls, '', {});

/** Signs in with a cookie, which replaces the browser's session in the project. */
export const openBrowserSession = (
  calls: ServiceCalls,
  credentials: { project: string; login: string; password: string },
): Promise<BrowserSession> =>
  ask(calls, '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });

/** Signs out. */
export const closeBrowserSession = (
  calls: ServiceCalls,
  { project, csrf }: Pick<BrowserSession, 'project' | 'csrf'>,
): Promise<unknown> =>
  ask(calls, `?${new URLSearchParams({ project })}`, {
    method: 'DELETE',
    headers: { 'x-csrf-token': csrf },
  });

async function ask<T>(calls: ServiceCalls, query: string, init: RequestInit): Promise<T> {
  const address = `${calls.url}/pages/session/${query}`;
  const response = await calls.open(
    address,
    { ...init, cache: 'no-store' },
    { isRead: init.method === undefined },
  );
  return (await response.json()) as T;
}
