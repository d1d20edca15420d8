import {
  type BrowserSession,
  type BrowserSessions,
  browserSessions,
  closeBrowserSession,
  openBrowserSession,
  ServiceCalls,
} from '@cartulary/client';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { onRefusal } from '../api.js';
import { base } from '../base.js';

export interface Sessions extends BrowserSessions {
  /** Whether the sessions have been loaded. */
  isKnown: boolean;
  /** Why the sessions could not be loaded. */
  error?: unknown;
  /** A session that expired while the page was open. */
  ended: BrowserSession | null;
  forgetEnded: () => void;
  signIn: (credentials: { project: string; login: string; password: string }) => Promise<void>;
  signOut: (project: string) => Promise<void>;
}

/** A refusal of its requests, for example for a wrong password, does not mean that a session has ended. */
const calls = new ServiceCalls({ url: base });
/** Notifies other pages of this browser when a user signs in or out. */
export const channelName = 'cartulary-session';

const readSessions = (): Promise<BrowserSessions> => browserSessions(calls);

const namesOf = ({ sessions }: BrowserSessions): string =>
  sessions.map(({ project, login }) => `${project}/${login}`).join(' ');

export const SessionContext = createContext<Sessions | null>(null);

/** Provides the sessions. All content depends on them: the page reloads when they change. */
export function SessionProvider({ children }: { children: ReactNode }): ReactNode {
  const [known, setKnown] = useState<BrowserSessions | null>(null);
  const [ended, setEnded] = useState<BrowserSession | null>(null);
  const latest = useRef(known);
  latest.current = known;
  useEffect(() => {
    readSessions().then(setKnown, () => setKnown({ sessions: [], project: null }));
    return watchSessions(
      () => latest.current,
      (session) => setEnded(session),
    );
  }, []);
  const forgetEnded = useCallback(() => setEnded(null), []);
  const state = useMemo<Sessions>(
    () => ({
      sessions: known?.sessions ?? [],
      project: known?.project ?? null,
      isKnown: known !== null,
      ended,
      forgetEnded,
      signIn: async (credentials) => {
        await openBrowserSession(calls, credentials);
        notifyAndReload();
      },
      signOut: async (project) => {
        const session = known?.sessions.find((one) => one.project === project);
        await closeBrowserSession(calls, { project, csrf: session?.csrf ?? '' });
        notifyAndReload();
      },
    }),
    [known, ended, forgetEnded],
  );
  return <SessionContext value={state}>{children}</SessionContext>;
}

function notifyAndReload(): void {
  notifyPages();
  location.reload();
}

/** Notifies the other pages of this browser of changed sessions. */
export function notifyPages(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('changed');
  channel.close();
}

/**
 * Reloads the page when another page changes the sessions, or when the browser restores an outdated page from its cache.
 * Reports a session that has expired. Returns a function that stops this.
 */
function watchSessions(
  knownNow: () => BrowserSessions | null,
  onEnded: (session: BrowserSession) => void,
): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener('message', () => location.reload());
  const onShow = async (event: PageTransitionEvent): Promise<void> => {
    const before = knownNow();
    if (event.persisted && before && namesOf(await readSessions()) !== namesOf(before)) location.reload();
  };
  window.addEventListener('pageshow', onShow);
  let isAsking = false;
  const removeListener = onRefusal(() => {
    const before = knownNow();
    if (isAsking || !before?.sessions.length) return;
    isAsking = true;
    readSessions()
      .then((now) => {
        const expired = before.sessions.find(
          ({ project }) => !now.sessions.some((one) => one.project === project),
        );
        if (expired) onEnded(expired);
      })
      .catch(() => {})
      .finally(() => {
        isAsking = false;
      });
  });
  return () => {
    channel.close();
    window.removeEventListener('pageshow', onShow);
    removeListener();
  };
}

export function useSessions(): Sessions {
  const sessions = useContext(SessionContext);
  if (!sessions) throw new Error('useSessions needs a SessionProvider');
  return sessions;
}
