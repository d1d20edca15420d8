import { type BrowserSession, type BrowserSessions, browserSessions, ServiceCalls } from '@cartulary/client';
import { base } from '../common/base.js';

type Listener = () => void;

/**
 * The browser's sessions, as the console's requests need them. A request that is refused because its session has ended waits
 * until the user has signed in again.
 */
class SessionGate {
  /** Refusals of its requests, such as a wrong password, are no end of a session. */
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

  /** Reads the sessions anew. */
  async refresh(): Promise<void> {
    this.known = await browserSessions(this.calls);
    const { ended } = this;
    const session = this.known.sessions.find((one) => one.project === ended?.project);
    // What one user had begun is not sent with the rights of another, who may have signed in on another page.
    if (ended && session) return this.#settle(session.login === ended.login);
    this.#notify();
  }

  /** Gives up: the requests that wait fail as they were refused. */
  forgetEnded = (): void => this.#settle(false);

  /**
   * Finds out why a request of a project was refused, and waits for the user where its session has ended. Tells whether the
   * request should be sent again.
   */
  async renew(project: string, csrf: string): Promise<boolean> {
    const before = this.known?.sessions.find((one) => one.project === project);
    const now = await browserSessions(this.calls);
    const session = now.sessions.find((one) => one.project === project);
    if (session) {
      this.known = now;
      // Another page of this browser has signed in meanwhile.
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
