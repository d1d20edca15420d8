import { existsSync } from 'node:fs';
import { afterEach, type TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../support/settings.js';

/** The reason to skip tests of pages; false if they can run. With `CI` set they must run. */
export const withoutBrowser =
  existsSync(chromiumPath) || process.env.CI ? false : `there is no ${chromiumPath}; set CHROMIUM`;

/** Properties of the browser. */
export interface BrowserProfile {
  width?: number;
  height?: number;
  /** Device pixels per CSS pixel; default `usualDensity`. */
  density?: number;
  languages?: string[];
  dark?: boolean;
  touch?: boolean;
  /** Whether animations run. Without them a test renders far fewer frames. */
  moving?: boolean;
}

/** Software draws the maps, pixel by pixel, so that tests that look at no pixels do with few. Pictures for people have all. */
const usualDensity = process.env.SCREENSHOTS ? 1 : 0.25;

export interface OpenPage {
  page: Page;
  /** Errors and warnings in the console (also violations of the content security policy), and requests to other hosts. */
  problems: string[];
}

const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // Without a graphics card only the maps need WebGL. Software compositing is faster for the rest of the page.
  '--disable-gpu-rasterization',
  '--disable-gpu-compositing',
  // One process for all pages of the service: each new process would compile the scripts again.
  '--process-per-site',
  '--renderer-process-limit=1',
];

/** A warning of the browser about compositing without a graphics card. */
const ownWarning = /GL Driver Message .* GPU stall due to ReadPixels/;

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: chromiumPath, headless: true, args: flags });

/** Starts a browser, which ends with the test. */
export async function startBrowser(t: TestContext): Promise<Browser> {
  const browser = await launchBrowser();
  t.after(() => browser.close());
  return browser;
}

interface Opening {
  /** Receives the page before the navigation. */
  onPage?: ((page: Page) => unknown) | undefined;
  /** Of a session: the user is signed in already. */
  cookie?: Cookie | undefined;
}

/** A cookie of a server, at its address. */
export interface Cookie {
  name: string;
  value: string;
  url: string;
}

/** Opens an address in a new browser profile. */
export async function openPage(
  browser: Browser,
  url: string,
  { onPage, cookie, ...profile }: BrowserProfile & Opening = {},
): Promise<OpenPage> {
  return openIn(await newProfile(browser, profile), url, { onPage, cookie });
}

async function newProfile(browser: Browser, profile: BrowserProfile): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: profile.width ?? 1280, height: profile.height ?? 800 },
    deviceScaleFactor: profile.density ?? usualDensity,
    colorScheme: profile.dark ? 'dark' : 'light',
    hasTouch: profile.touch ?? false,
    isMobile: profile.touch ?? false,
    reducedMotion: profile.moving ? 'no-preference' : 'reduce',
  });
  context.setDefaultTimeout(60_000);
  const languages = JSON.stringify(profile.languages ?? ['en']);
  await context.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ${languages} })`);
  return context;
}

async function openIn(context: BrowserContext, url: string, { onPage, cookie }: Opening): Promise<OpenPage> {
  const problems: string[] = [];
  watch(context, new URL(url).origin, problems);
  if (cookie) await context.addCookies([cookie]);
  const page = await context.newPage();
  opened.add(page);
  page.once('close', () => opened.delete(page));
  await onPage?.(page);
  await page.goto(url);
  return { page, problems };
}

/** Browser profiles that are used one after the other: scripts are loaded and compiled once. */
export class ProfilePool {
  readonly #browser: Browser;
  readonly #free = new Map<string, BrowserContext[]>();
  readonly #keys = new WeakMap<BrowserContext, string>();

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Opens an address in a profile that nobody uses, without cookies and stored data. */
  async open(url: string, { onPage, cookie, ...profile }: BrowserProfile & Opening = {}): Promise<OpenPage> {
    const key = JSON.stringify(profile, Object.keys(profile).sort());
    const context = this.#free.get(key)?.pop() ?? (await newProfile(this.#browser, profile));
    this.#keys.set(context, key);
    const clear = async (page: Page): Promise<void> => {
      const session = await context.newCDPSession(page);
      const storageTypes = 'local_storage,indexeddb,cache_storage';
      await session.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes });
      await session.detach();
      await onPage?.(page);
    };
    return openIn(context, url, { onPage: clear, cookie });
  }

  /** Closes the pages of a profile, which the next `open` may use. */
  async close(page: Page): Promise<void> {
    const context = page.context();
    await Promise.all(context.pages().map((one) => one.close()));
    // Without Playwright's own listeners the profile could not be closed any more.
    for (const event of ['console', 'weberror', 'request']) context.removeAllListeners(event);
    await context.unrouteAll();
    await context.setOffline(false);
    await context.clearCookies();
    const key = this.#keys.get(context)!;
    this.#free.set(key, [...(this.#free.get(key) ?? []), context]);
  }
}

function watch(context: BrowserContext, origin: string, problems: string[]): void {
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !ownWarning.test(message.text()))
      problems.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => problems.push(`uncaught: ${error.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol.startsWith('http')) problems.push(`foreign: ${request.url()}`);
  });
}

const opened = new Set<Page>();

/** Longest description of a page, characters. */
const describedLength = 10_000;

/** What a page shows, in words, and where the focus is. */
async function describe(page: Page): Promise<string> {
  const focus = await page.evaluate('document.activeElement?.outerHTML.slice(0, 300)');
  const shown = await page.locator('body').ariaSnapshot({ timeout: 2_000 });
  return `${page.url()}\nfocus: ${focus}\n${shown.slice(0, describedLength)}`;
}

// Of a failure on another machine nothing else is known.
afterEach(async (context) => {
  if (!('error' in context) || !context.error) return;
  for (const page of opened)
    console.error(await describe(page).catch((error: Error) => `${page.url()}: ${error.message}`));
});

/** Whether the script of a hostile text has run in the page. */
export const isHacked = (page: Page): Promise<boolean> => page.evaluate('"hacked" in window');

/** Chooses an entry of the menu that opens, by keyboard. */
export async function pressItem(page: Page, name: string): Promise<void> {
  await page.locator('[role=menu] :focus').waitFor();
  // The menu sets the focus once more after it is drawn, and would take it from the entry.
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
  await page.getByRole('menuitem', { name }).press('Enter');
}

/** Waits until an expression is true in the page. The content security policy forbids Playwright's own waiting function. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (await page.evaluate(expression)) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`timeout: ${expression}`);
}

/** Fails if the page is wider than its window. A new size of the window is drawn some time after it is set. */
export async function assertFits(page: Page): Promise<void> {
  await until(page, `document.documentElement.scrollWidth <= ${page.viewportSize()!.width}`);
}
