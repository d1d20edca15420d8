import { existsSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** Why the tests of the pages cannot run here; on a machine that checks submissions they must. */
export const withoutBrowser =
  existsSync(executablePath) || process.env.CI ? false : `there is no ${executablePath}; set CHROMIUM`;

/** What a reader brings along. */
export interface Reader {
  width?: number;
  height?: number;
  /** Pixels of the screen to one of the page. Half of one spares three quarters of what the processor draws for a graphics card. */
  density?: number;
  languages?: string[];
  dark?: boolean;
  touch?: boolean;
  /** Sees movements; without it all is at its end at once, which spares hundreds of pictures that nobody looks at. */
  moving?: boolean;
}

export interface OpenPage {
  page: Page;
  /** What a page must not do: errors and warnings on its console (broken rules of its policy too), requests to other hosts. */
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
  // Without a graphics card the maps alone need its language: the page around them is put together faster without.
  '--disable-gpu-rasterization',
  '--disable-gpu-compositing',
  // One process for all pages of the service: each new one compiles their programs anew.
  '--process-per-site',
  '--renderer-process-limit=1',
];

/** What the browser says of itself where it puts pages together without a graphics card. */
const ownWarning = /GL Driver Message .* GPU stall due to ReadPixels/;

/** Starts a browser that ends with the test. */
export async function startBrowser(t: TestContext): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, headless: true, args: flags });
  t.after(() => browser.close());
  return browser;
}

/** Opens an address as a new reader, who has never been there. `onPage` sees the page before it goes there. */
export async function openPage(
  browser: Browser,
  url: string,
  { onPage, ...reader }: Reader & { onPage?: (page: Page) => unknown } = {},
): Promise<OpenPage> {
  const context = await browser.newContext({
    viewport: { width: reader.width ?? 1280, height: reader.height ?? 800 },
    deviceScaleFactor: reader.density ?? 0.5,
    colorScheme: reader.dark ? 'dark' : 'light',
    hasTouch: reader.touch ?? false,
    isMobile: reader.touch ?? false,
    reducedMotion: reader.moving ? 'no-preference' : 'reduce',
  });
  context.setDefaultTimeout(60_000);
  const problems: string[] = [];
  watch(context, new URL(url).origin, problems);
  const languages = JSON.stringify(reader.languages ?? ['en']);
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

/** Whether the script of a hostile name has run in the page. */
export const isHacked = (page: Page): Promise<boolean> => page.evaluate('"hacked" in window');

/** Waits until an expression holds in the page. (The page's policy forbids it to evaluate texts by itself.) */
export async function until(page: Page, expression: string): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    if (await page.evaluate(expression)) return;
    await page.waitForTimeout(100);
  }
  throw new Error(`It never came true that ${expression}`);
}
