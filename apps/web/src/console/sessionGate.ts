import { type BrowserSession, type BrowserSessions, browserSessions, ServiceCalls } from '@cartulary/client';
import { base } from '../common/base.js';

type Listener = () => void;

/**
 * The sessions of the browser. A console request that is refused because its session has ended waits until the user has
 * signed in again.
 */
class SessionGate {
  /** A refusal of its requests, for example for a wrong password, does not mean that a session has ended. */
  readonly calls = new ServiceCalls({ url: base });
  known: BrowserSessions | null = null;
  /** The session that has ended. */
  ended: BrowserSession | null = null;
  readonly #listeners = new Set<Listener>();
  #waiting: ((isRenewed: boolean) => void)[] = [];

  /** Calls a listener after every change. Returns a function that removes it. */
  subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  csrfOf(project: string): string {
    return this.known?.sessions.find((one) => one.project === project)?.csrf ?? '';
  }

  /** Loads the sessions again. */
  async refresh(): Promise<void> {
    this.known = await browserSessions(this.calls);
    const { ended } = this;
    const session = this.known.sessions.find((one) => one.project === ended?.project);
    // Requests of one user are never sent with the rights of another user who has signed in on another page.
    if (ended && session) return this.#settle(session.login === ended.login);
    this.#notify();
  }

  /** Cancels the wait: waiting requests fail with their first refusal. */
  forgetEnded = (): void => this.#settle(false);

  /**
   * Examines the refusal of a request. If the session of the project has ended, waits for the user to sign in. Returns whether
   * to send the request again.
   */
  async renew(project: string, csrf: string): Promise<boolean> {
    const before = this.known?.sessions.find((one) => one.project === project);
    const now = await browserSessions(this.calls);
    const session = now.sessions.find((one) => one.project === project);
    if (session) {
      this.known = now;
      this.#notify();
      // The user has signed in on another page of this browser.
      return session.csrf !== csrf && session.login === before?.login;
    }
    if (!before && !this.ended) return false;
    this.ended ??= before!;
    this.#notify();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #settle(isRenewed: boolean): void {
    this.ended = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#notify();
    for (const resolve of waiting) resolve(isRenewed);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

export const sessionGate = new SessionGate();
