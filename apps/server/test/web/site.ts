import test from 'node:test';
import type { Browser } from 'playwright-core';
import { startServer, type TestServer } from '../support/server.js';
import { type BrowserProfile, launchBrowser, type OpenPage, openPage, withoutBrowser } from './browser.js';

/** A server with a browser, for all tests of a file. */
export interface Site {
  readonly server: TestServer;
  readonly browser: Browser;
  /** Opens a path of the server in a new browser profile. */
  open(path: string, profile?: Parameters<typeof openPage>[2]): Promise<OpenPage>;
}

/** The view of a browser on a phone. */
export const phone: BrowserProfile = { width: 390, height: 844, touch: true };

/** Starts a server and a browser before the tests of a file and ends them after the last. `prepare` fills the server. */
export function useSite(prepare: (server: TestServer) => Promise<unknown> = async () => {}): Site {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  test.before(async () => {
    if (withoutBrowser) return;
    server = await startServer();
    await prepare(server);
    browser = await launchBrowser();
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
    open: (path, profile) => openPage(browser!, server!.url + path, profile),
  };
}

/** A test that needs a browser. */
export const pageTest = (name: string, run: (t: test.TestContext) => Promise<void>): Promise<void> =>
  test(name, { skip: withoutBrowser }, run);
