import {
  type BrowserSession,
  type BrowserSessions,
  closeBrowserSession,
  openBrowserSession,
} from '@cartulary/client';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { channelName, notifyPages, SessionContext, type Sessions } from '../common/sign-in/session.js';
import { sessionGate } from './sessionGate.js';

/** Provides the sessions without reloading the page, so that unsaved changes are kept. */
export function ConsoleSessions({ children }: { children: ReactNode }): ReactNode {
  const [state, setState] = useState(() => snapshot());
  useEffect(() => {
    const stop = sessionGate.subscribe(() => setState(snapshot()));
    const refresh = (): void => void sessionGate.refresh().catch(() => {});
    const channel = new BroadcastChannel(channelName);
    channel.addEventListener('message', refresh);
    sessionGate.refresh().catch((error: unknown) => setState({ ...snapshot(), error }));
    return () => {
      channel.close();
      stop();
    };
  }, []);
  const sessions = useMemo<Sessions>(
    () => ({
      sessions: state.known?.sessions ?? [],
      project: state.known?.project ?? null,
      isKnown: state.known !== null,
      error: state.error,
      ended: state.ended,
      forgetEnded: sessionGate.forgetEnded,
      signIn: async (credentials) => {
        const { ended } = sessionGate;
        await openBrowserSession(sessionGate.calls, credentials);
        notifyPages();
        // A new user must not continue the changes of another one.
        if (ended && ended.login !== credentials.login) return location.reload();
        await sessionGate.refresh();
      },
      signOut: async (project) => {
        await closeBrowserSession(sessionGate.calls, { project, csrf: sessionGate.csrfOf(project) });
        notifyPages();
        await sessionGate.refresh();
      },
    }),
    [state],
  );
  return <SessionContext value={sessions}>{children}</SessionContext>;
}

const snapshot = (): { known: BrowserSessions | null; ended: BrowserSession | null; error?: unknown } => ({
  known: sessionGate.known,
  ended: sessionGate.ended,
});
