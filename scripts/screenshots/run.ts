import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import sharp from 'sharp';
import { rootFolder } from '../root.js';
import { places, type ShownPlace } from './places.js';
import { type ShownService, startShown } from './service.js';

/**
 * Takes the pictures of the console for its page in the guide, and that of the map page in the README. Names as arguments take
 * only those. Needs Chromium (`CHROMIUM`, or /usr/bin/chromium).
 */

const folder = join(rootFolder, 'docs/guide/console');
const viewport = { width: 1200, height: 750 };
const flags = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
/** Time that the page has to draw what has arrived, ms. */
const quietMs = 1_000;

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', locale: 'en' });
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

/** Whether all pictures in the window are there. */
const picturesAreThere =
  '[...document.images].every((one) => one.complete || one.getBoundingClientRect().top > innerHeight)';

/** Waits until the page and its maps have come to rest. */
async function settle(page: Page): Promise<void> {
  // The frame of a map may ask for tiles for long.
  await page.waitForLoadState('networkidle', { timeout: 20_000 }).catch(() => {});
  for (const waiting of ['[aria-busy="true"]', '.mantine-Loader-root'])
    await page.locator(waiting).first().waitFor({ state: 'hidden' });
  do await page.waitForTimeout(quietMs);
  while (!(await page.evaluate(picturesAreThere)));
}

async function takePlace(browser: Browser, service: ShownService, place: ShownPlace): Promise<void> {
  const page = await newPage(browser);
  await page.goto(`${service.url}/console/demo/${place.address}`);
  if (!place.isPublic) {
    await page.locator('input[name=login]').fill(place.login ?? 'ann');
    await page.locator('input[name=password]').fill(service.password);
    await page.keyboard.press('Enter');
    await page.getByTestId('account').waitFor();
  }
  await settle(page);
  await place.prepare?.(page);
  await settle(page);
  const file = join(folder, `${place.name}.webp`);
  await sharp(await page.screenshot())
    .webp({ quality: 82, effort: 6 })
    .toFile(file);
  await page.context().close();
}

/** The map page of the demo world, with an object and its values. */
async function takeViewer(browser: Browser, { url }: ShownService): Promise<void> {
  const page = await newPage(browser);
  await page.goto(`${url}/maps/demo/world/#4.3/47.5/9`);
  await settle(page);
  await page.mouse.click(620, 330);
  await settle(page);
  const png = await sharp(await page.screenshot())
    .png({ palette: true, quality: 92, effort: 10 })
    .toBuffer();
  await writeFile(join(rootFolder, 'docs/img/viewer.png'), png);
  await page.context().close();
}

const wanted = process.argv.slice(2);
const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

await mkdir(folder, { recursive: true });
if (!wanted.length)
  for (const file of await readdir(folder)) await rm(join(folder, file), { recursive: true, force: true });
const service = await startShown();
const browser = await chromium.launch({ executablePath, args: flags });
try {
  if (isWanted('viewer')) await takeViewer(browser, service);
  for (const place of places.filter(({ name }) => isWanted(name))) {
    await takePlace(browser, service, place).catch((error: Error) => {
      process.exitCode = 1;
      process.stderr.write(`${place.name}: ${error.message}\n`);
    });
    process.stdout.write(`${place.name}\n`);
  }
} finally {
  await browser.close();
  await service.stop();
}
