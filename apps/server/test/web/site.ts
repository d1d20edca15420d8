import test from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startServer, type TestServer } from '../support/server.js';
import { type BrowserProfile, launchBrowser, type OpenPage, ProfilePool, withoutBrowser } from './browser.js';

/** A server with a browser, for all tests of a file. */
export interface Site {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Opens a path of the server in a browser profile without cookies and stored data. */
  open(path: string, profile?: Parameters<ProfilePool['open']>[1]): Promise<OpenPage>;
  /** Closes a page and all others of its profile, which the next `open` may use. */
  close(page: Page): Promise<void>;
}

/** The view of a browser on a phone. */
export const phone: BrowserProfile = { width: 390, height: 844, touch: true };

/** Starts a server and a browser before the tests of a file and ends them after the last. `prepare` fills the server. */
export function useSite(prepare: (server: TestServer) => Promise<unknown> = async () => {}): Site {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  let pool: ProfilePool | undefined;
  test.before(async () => {
    if (withoutBrowser) return;
    server = await startServer();
    await prepare(server);
    browser = await launchBrowser();
    pool = new ProfilePool(browser);
  });
  test.after(async () => {
    await browser?.close(); // its connections would keep the server from stopping
    await server?.stop();
  });
  return {
    get server() {
      return server!;
    },
    get browser() {
      return browser!;
    },
    open: (path, profile) => pool!.open(server!.url + path, profile),
    close: (page) => pool!.close(page),
  };
}

/** A test that needs a browser. */
export const pageTest = (name: string, run: (t: test.TestContext) => Promise<void>): Promise<void> =>
  test(name, { skip: withoutBrowser }, run);
