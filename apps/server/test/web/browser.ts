import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** The reason to skip tests of pages; false if they can run. With `CI` set they must run. */
export const withoutBrowser =
  existsSync(executablePath) || process.env.CI ? false : `there is no ${executablePath}; set CHROMIUM`;

/** Properties of the browser. */
export interface BrowserProfile {
  width?: number;
  height?: number;
  /** Device pixels per CSS pixel. A density of 0.5 saves three quarters of the software rendering. */
  density?: number;
  languages?: string[];
  dark?: boolean;
  touch?: boolean;
  /** Whether animations run. Without them a test renders far fewer frames. */
  moving?: boolean;
}

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
  chromium.launch({ executablePath, headless: true, args: flags });

/** Starts a browser, which ends with the test. */
export async function startBrowser(t: TestContext): Promise<Browser> {
  const browser = await launchBrowser();
  t.after(() => browser.close());
  return browser;
}

/** Opens an address in a new browser profile. `onPage` receives the page before the navigation. */
export async function openPage(
  browser: Browser,
  url: string,
  { onPage, ...profile }: BrowserProfile & { onPage?: (page: Page) => unknown } = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: profile.width ?? 1280, height: profile.height ?? 800 },
    deviceScaleFactor: profile.density ?? 0.5,
    colorScheme: profile.dark ? 'dark' : 'light',
    hasTouch: profile.touch ?? false,
    isMobile: profile.touch ?? false,
    reducedMotion: profile.moving ? 'no-preference' : 'reduce',
  });
  context.setDefaultTimeout(60_000);
  const problems: string[] = [];
  watch(context, new URL(url).origin, problems);
  const languages = JSON.stringify(profile.languages ?? ['en']);
  await context.addInitScript(`Object.defineProperty(navigator, 'languages', { get: () => ${languages} })`);
  const page = await context.newPage();
  await onPage?.(page);
  await page.goto(url);
  return { page, problems };
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

/** Whether the script of a hostile text has run in the page. */
export const isHacked = (page: Page): Promise<boolean> => page.evaluate('"hacked" in window');

/** Waits until an expression is true in the page. The content security policy forbids Playwright's own waiting function. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (await page.evaluate(expression)) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`timeout: ${expression}`);
}
